import { planStorm, runStorm } from '../storm/index.js';
import type { StormEngine } from './engine.js';

/** Storms of the real servers and the real client library. */
export const STORM_ENGINE: StormEngine = { plan: planStorm, run: runStorm };
