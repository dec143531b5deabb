export { leaderOf } from './leader.js';
export type { KeyOutcome } from './load.js';
export { Load, outcomesOf } from './load.js';
export type { Ran, RunOptions } from './run.js';
export { run } from './run.js';
export { isRunning, parentOf } from './process-state.js';
