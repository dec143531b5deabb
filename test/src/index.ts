export { leaderOf } from './leader.js';
export type { KeyOutcome } from './load.js';
export { Load, outcomesOf } from './load.js';
