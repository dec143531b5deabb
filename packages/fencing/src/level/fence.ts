import { FenceError } from '../fence-error.js';
import type { RefusalCode } from '../fence-error.js';
import type { Grant, PresentedGrant } from '../grant.js';
import { parseGrant } from '../grant.js';
import type { Maximum } from '../rule.js';
import { admit } from '../rule.js';
import type { FenceCounts } from '../tally.js';
import { Tally } from '../tally.js';
import type { FenceOperation, LevelLike } from './database.js';
import { putMaximum, readMaximum, touchesRecords } from './records.js';
import { inTurn } from './turns.js';

/** `observe` is for roll-out: a write without a token is counted and passes. */
export type FenceMode = 'enforce' | 'observe';

export interface FenceOptions {
  /** Default: `enforce`. A token that is present is checked in both modes. */
  readonly mode?: FenceMode;
  /** Called for each refusal, with both tokens, before the writer sees it. Must not throw. */
  readonly onRefused?: (refusal: FenceError) => void;
}

/** Guards the writes to one LevelDB database. */
export function createFence(db: LevelLike, options: FenceOptions = {}): Fence {
  return new Fence(db, options);
}

export class Fence {
  readonly #db: LevelLike;
  readonly #root: object;
  readonly #mode: FenceMode;
  readonly #onRefused: (refusal: FenceError) => void;
  readonly #tally = new Tally();

  constructor(db: LevelLike, options: FenceOptions = {}) {
    this.#db = db;
    this.#root = db.db ?? db;
    this.#mode = options.mode ?? 'enforce';
    this.#onRefused = options.onRefused ?? (() => undefined);
  }

  /**
   * The barrier: once it is kept, no older grant writes under this lock. A new leader raises every
   * resource that it will touch, and only then reads and works. Throws as `write` does.
   */
  async raise(grant: PresentedGrant): Promise<void> {
    await this.write(grant, []);
  }

  /**
   * Checks the grant, stores a new maximum and does the operations, in one atomic batch on disk.
   * Throws a `FenceError` when nothing was written; an error of the database itself leaves the
   * outcome unknown, like every failed write, and the same write may then be tried again.
   */
  async write(grant: PresentedGrant, operations: readonly FenceOperation[]): Promise<void> {
    const presented = this.#parse(grant);
    // Copied before the wait for the turn: what was checked must be what is written.
    const batch = [...operations];
    if (batch.some(touchesRecords)) {
      const { lock } = grant;
      throw new FenceError('INVALID_OPERATION', "the guard's records are its own", { lock });
    }
    await inTurn(this.#root, async () => {
      const raised = presented === undefined ? [] : await this.#admit(presented);
      if (raised.length + batch.length > 0) {
        await this.#db.batch([...raised, ...batch], { sync: true });
      }
      const mark = presented === undefined ? 'unfenced' : raised.length > 0 ? 'raised' : 'held';
      this.#tally.mark(grant.lock, mark);
    });
  }

  /** The highest token seen under a lock, and its holder; `undefined` where none was. */
  async maximum(lock: string): Promise<Maximum | undefined> {
    return await readMaximum(this.#db, lock);
  }

  /** Since this guard was made: of one lock, or of all together. */
  counts(lock?: string): FenceCounts {
    return this.#tally.counts(lock);
  }

  #parse(grant: PresentedGrant): Grant | undefined {
    return this.#refusing(() => {
      const parsed = parseGrant(grant);
      if (parsed === undefined && this.#mode === 'enforce') {
        const { lock } = grant;
        throw new FenceError('TOKEN_REQUIRED', `no token came for lock ${lock}`, { lock });
      }
      return parsed;
    });
  }

  /** What the batch must hold besides the writer's operations. */
  async #admit(grant: Grant): Promise<readonly FenceOperation[]> {
    const maximum = await readMaximum(this.#db, grant.lock);
    const admission = this.#refusing(() => admit(grant, maximum));
    return admission.type === 'raise' ? [putMaximum(grant)] : [];
  }

  #refusing<T>(check: () => T): T {
    try {
      return check();
    } catch (error) {
      if (error instanceof FenceError && isRefusal(error)) {
        this.#tally.mark(error.lock, error.code);
        this.#onRefused(error);
      }
      throw error;
    }
  }
}

function isRefusal(error: FenceError): error is FenceError & { readonly code: RefusalCode } {
  switch (error.code) {
    case 'FENCED':
    case 'TOKEN_CONFLICT':
    case 'TOKEN_REQUIRED':
    case 'INVALID_GRANT':
      return true;
    case 'INVALID_OPERATION':
    case 'OVERLOADED':
    case 'FENCE_DAMAGED':
      return false;
  }
}
