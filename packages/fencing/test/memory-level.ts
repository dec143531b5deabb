import type { FenceOperation, LevelLike } from '../src/level.js';
import type { Bench } from './guard.js';

/**
 * A database that loses on a crash what was not synced, and lets a test step in between. Where
 * LevelDB would take milliseconds, this takes only turns of the promise queue.
 */
export class MemoryLevel implements LevelLike {
  readonly #disk: Map<string, unknown>;
  readonly #cache: Map<string, unknown>;
  /** Awaited before a batch is applied; may throw, as a failing disk does. */
  beforeBatch: () => Promise<void> = async () => undefined;
  batches = 0;

  constructor(disk: ReadonlyMap<string, unknown> = new Map()) {
    this.#disk = new Map(disk);
    this.#cache = new Map(disk);
  }

  /** What a process finds that opens the directory after this one was killed with the machine. */
  crash(): MemoryLevel {
    return new MemoryLevel(this.#disk);
  }

  async get(key: string): Promise<string | undefined> {
    await Promise.resolve();
    return this.#cache.get(key) as string | undefined;
  }

  async batch(operations: FenceOperation[], options: { sync: boolean }): Promise<void> {
    await this.beforeBatch();
    this.batches += 1;
    apply(operations, this.#cache);
    if (!options.sync) return;
    // A log is synced up to its end: what was written before goes to disk with it.
    for (const [key, value] of this.#cache) this.#disk.set(key, value);
    for (const key of this.#disk.keys()) if (!this.#cache.has(key)) this.#disk.delete(key);
  }
}

function apply(operations: readonly FenceOperation[], target: Map<string, unknown>): void {
  for (const operation of operations) {
    if (operation.type === 'put') target.set(String(operation.key), operation.value);
    else target.delete(String(operation.key));
  }
}

export function memoryBench(db: MemoryLevel = new MemoryLevel()): Bench {
  return { db, restart: async () => memoryBench(db.crash()) };
}
