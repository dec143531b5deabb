export { MemoryStore } from './memory-store.js';
export type { LevelStorageOptions, OpenStorage } from './open.js';
export { openLevelStorage } from './open.js';
export type { StorageErrorCode } from './storage-error.js';
export { StorageError } from './storage-error.js';
export type { LoadedStore, LogStore } from './store.js';
