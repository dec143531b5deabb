import type { FenceCounts, FenceOperation, LevelLike, PresentedGrant } from '../src/level.js';
import { FenceError } from '../src/fence-error.js';
import type { Grant } from '../src/grant.js';
import { parseGrant } from '../src/grant.js';
import { putMaximum, readMaximum, touchesRecords } from '../src/level/records.js';
import { inTurn } from '../src/level/turns.js';
import type { Admission, Maximum } from '../src/rule.js';
import { admit } from '../src/rule.js';
import { Tally } from '../src/tally.js';
import type { Guard, GuardOptions } from './guard.js';

/** The parts of a guard, each of which a flaw can replace. */
export interface Parts {
  readonly parse: (grant: PresentedGrant) => Grant | undefined;
  readonly admit: (grant: Grant, maximum: Maximum | undefined) => Admission;
  readonly inTurn: <T>(db: LevelLike, work: () => Promise<T>) => Promise<T>;
  readonly readMaximum: (db: LevelLike, lock: string) => Promise<Maximum | undefined>;
  readonly putMaximum: (grant: Grant) => readonly FenceOperation[];
  readonly commit: (
    db: LevelLike,
    record: readonly FenceOperation[],
    operations: readonly FenceOperation[],
  ) => Promise<void>;
  readonly touchesRecords: (operation: FenceOperation) => boolean;
  /** Operations that pass without a look at the grant. */
  readonly passes: (operations: readonly FenceOperation[]) => boolean;
  readonly requiresToken: (options: GuardOptions) => boolean;
  readonly ignoresToken: (options: GuardOptions) => boolean;
  readonly raises: boolean;
  readonly reports: boolean;
  readonly parsesInTurn: boolean;
  readonly retriesWithCurrent: boolean;
}

const SOUND_PARTS: Parts = {
  parse: parseGrant,
  admit,
  inTurn,
  readMaximum,
  putMaximum: (grant) => [putMaximum(grant)],
  commit: async (db, record, operations) => {
    if (record.length + operations.length === 0) return;
    await db.batch([...record, ...operations], { sync: true });
  },
  touchesRecords,
  passes: () => false,
  requiresToken: ({ mode }) => mode !== 'observe',
  ignoresToken: () => false,
  raises: true,
  reports: true,
  parsesInTurn: false,
  retriesWithCurrent: false,
};

/** A guard made of sound parts, but for the flaw. Without one it keeps the whole contract. */
export class FlawedGuard implements Guard {
  readonly #db: LevelLike;
  readonly #options: GuardOptions;
  readonly #parts: Parts;
  readonly #tally = new Tally();

  constructor(db: LevelLike, options: GuardOptions, flaw: Partial<Parts>) {
    this.#db = db;
    this.#options = options;
    this.#parts = { ...SOUND_PARTS, ...flaw };
  }

  async raise(grant: PresentedGrant): Promise<void> {
    if (this.#parts.raises) await this.write(grant, []);
  }

  async write(presented: PresentedGrant, operations: readonly FenceOperation[]): Promise<void> {
    const parts = this.#parts;
    const batch = [...operations];
    if (parts.passes(batch)) return await parts.commit(this.#db, [], batch);
    const early = parts.parsesInTurn ? undefined : this.#parse(presented);
    if (batch.some(parts.touchesRecords)) throw new FenceError('INVALID_OPERATION', 'record');
    await parts.inTurn(this.#db, async () => {
      const grant = parts.parsesInTurn ? this.#parse(presented) : early;
      const record = grant === undefined ? [] : await this.#admit(grant);
      await parts.commit(this.#db, record, batch);
      const mark = grant === undefined ? 'unfenced' : record.length > 0 ? 'raised' : 'held';
      if (parts.reports) this.#tally.mark(presented.lock, mark);
    });
  }

  counts(lock?: string): FenceCounts {
    return this.#tally.counts(lock);
  }

  #parse(presented: PresentedGrant): Grant | undefined {
    return this.#reporting(() => {
      const grant = this.#parts.parse(presented);
      if (this.#parts.ignoresToken(this.#options)) return undefined;
      if (grant !== undefined || !this.#parts.requiresToken(this.#options)) return grant;
      throw new FenceError('TOKEN_REQUIRED', 'none came', { lock: presented.lock });
    });
  }

  async #admit(grant: Grant): Promise<readonly FenceOperation[]> {
    const parts = this.#parts;
    const maximum = await parts.readMaximum(this.#db, grant.lock);
    if (parts.retriesWithCurrent && maximum !== undefined && grant.token < maximum.token) return [];
    const admission = this.#reporting(() => parts.admit(grant, maximum));
    return admission.type === 'raise' ? parts.putMaximum(grant) : [];
  }

  #reporting<T>(check: () => T): T {
    try {
      return check();
    } catch (error) {
      const refusals = ['FENCED', 'TOKEN_CONFLICT', 'TOKEN_REQUIRED', 'INVALID_GRANT'] as const;
      const code = refusals.find((it) => error instanceof FenceError && it === error.code);
      if (code !== undefined && this.#parts.reports) {
        this.#tally.mark((error as FenceError).lock, code);
        this.#options.onRefused?.(error as FenceError);
      }
      throw error;
    }
  }
}
