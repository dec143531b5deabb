export type { FenceErrorCode, FenceErrorDetails, RefusalCode } from './fence-error.js';
export { FenceError } from './fence-error.js';
export type { Grant, PresentedGrant } from './grant.js';
export type { FenceOperation, LevelLike } from './level/database.js';
export type { FenceMode, FenceOptions } from './level/fence.js';
export { createFence, Fence } from './level/fence.js';
export type { Maximum } from './rule.js';
export type { FenceCounts } from './tally.js';
