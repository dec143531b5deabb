import type { FenceCounts, FenceError, FenceOperation, LevelLike } from '../src/level.js';
import type { FenceMode, PresentedGrant } from '../src/level.js';

/** What the contract drives: the guard that ships, and the broken ones that it must reject. */
export interface Guard {
  raise(grant: PresentedGrant): Promise<void>;
  write(grant: PresentedGrant, operations: readonly FenceOperation[]): Promise<void>;
  counts(lock?: string): FenceCounts;
}

export interface GuardOptions {
  readonly mode?: FenceMode;
  readonly onRefused?: (refusal: FenceError) => void;
}

export type MakeGuard = (db: LevelLike, options?: GuardOptions) => Guard;

/** A database that a case can write through, look into and restart. */
export interface Bench {
  readonly db: LevelLike;
  /** The database as the next process finds it: the directory is opened anew. */
  restart(): Promise<Bench>;
}

/** One sentence of the contract. `run` rejects where the guard breaks it. */
export interface Case {
  readonly name: string;
  run(make: MakeGuard, bench: Bench): Promise<void>;
}

export const A = { lock: 'billing', token: 5n, holder: 'A' } as const;
export const B = { lock: 'billing', token: 6n, holder: 'B' } as const;

export function put(value: string, key = 'charge'): readonly FenceOperation[] {
  return [{ type: 'put', key, value }];
}

export async function read(bench: Bench, key = 'charge'): Promise<string | undefined> {
  return await bench.db.get(key, { keyEncoding: 'utf8', valueEncoding: 'utf8' });
}
