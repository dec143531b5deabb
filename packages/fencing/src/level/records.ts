import { FenceError } from '../fence-error.js';
import type { Grant } from '../grant.js';
import { parseToken } from '../grant.js';
import type { Maximum } from '../rule.js';
import type { FenceOperation, LevelLike } from './database.js';

// The prefix that `db.sublevel('raftd-fence')` would use, so that people can look at the records.
const PREFIX = '!raftd-fence!';
const PREFIX_BYTES = Uint8Array.from(PREFIX, (character) => character.charCodeAt(0));
const UTF8 = { keyEncoding: 'utf8', valueEncoding: 'utf8' } as const;

/** The stored maximum of a lock. Absent is not damaged: the lock was never seen. */
export async function readMaximum(db: LevelLike, lock: string): Promise<Maximum | undefined> {
  const text = await db.get(PREFIX + lock, UTF8);
  return text === undefined ? undefined : decodeMaximum(lock, text);
}

/** The operation that stores a maximum; it goes in the same batch as the write that it admits. */
export function putMaximum({ lock, token, holder }: Grant): FenceOperation {
  const value = JSON.stringify([String(token), holder]);
  return { type: 'put', key: PREFIX + lock, value, ...UTF8 };
}

/** True for an operation that would write the guard's own records. */
export function touchesRecords(operation: FenceOperation): boolean {
  const { key, sublevel } = operation;
  if (sublevel !== undefined) return sublevel.prefix.includes(PREFIX);
  if (typeof key === 'string') return key.startsWith(PREFIX);
  return key instanceof Uint8Array && PREFIX_BYTES.every((byte, index) => key[index] === byte);
}

function decodeMaximum(lock: string, text: string): Maximum {
  const damaged = new FenceError('FENCE_DAMAGED', `the record of lock ${lock} is ${text}`, {
    lock,
  });
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    throw damaged;
  }
  const [token, holder] = Array.isArray(record) ? (record as readonly unknown[]) : [];
  const value = typeof token === 'string' ? parseToken(token) : undefined;
  if (value === undefined || typeof holder !== 'string') throw damaged;
  return { token: value, holder };
}
