import type { Consistency, FencingToken, Guard, LeaseId, Revision } from '@raftd/protocol';
import type { CallOptions } from './call.js';
import { type Caller, command, dataCommand, query } from './caller.js';
import { invalidArgument } from './errors.js';
import { KeyValue } from './key-value.js';
import { type Bytes, checkName, type KeyRange, toKey, toRange, toValue } from './keys.js';

/** A lease, or its id. */
export type LeaseRef = string | { readonly id: string };

/** The write commits only while the grant with this token is current, otherwise FENCED. */
export interface WriteGuard {
  readonly election: string;
  readonly token: bigint;
}

export interface WriteOptions extends CallOptions {
  /** Several: all of them must hold. */
  readonly guard?: WriteGuard | readonly WriteGuard[] | undefined;
}

export interface PutOptions extends WriteOptions {
  /** The key is deleted when this lease ends. */
  readonly lease?: LeaseRef | undefined;
}

export interface ReadOptions extends CallOptions {
  /** `linearizable` (default): as of the call or later. `stale`: what any one node has. */
  readonly consistency?: Consistency | undefined;
}

export interface PutResult {
  readonly revision: Revision;
  readonly version: number;
}

export interface DeleteResult {
  readonly revision: Revision;
  /** How many keys there were to delete. */
  readonly deleted: number;
}

export interface DeleteRangeResult extends DeleteResult {
  /** One entry's limit of keys was reached: call again for the rest. */
  readonly more: boolean;
}

const NO_GUARDS: readonly Guard[] = [];

export function toGuards(guard: WriteOptions['guard']): readonly Guard[] {
  if (guard === undefined) return NO_GUARDS;
  const guards: readonly unknown[] = Array.isArray(guard) ? guard : [guard];
  return guards.map(toGuard);
}

/** Callers without types, too, are told what is wrong: an unguarded write is no way out. */
function toGuard(guard: unknown): Guard {
  if (typeof guard !== 'object' || guard === null) {
    throw invalidArgument('guard', 'is not an election and its token');
  }
  const { election, token } = guard as Partial<WriteGuard>;
  return { election: checkName('guard.election', election), token: toToken('guard.token', token) };
}

const TOKEN_MAX = 2n ** 53n - 1n;

export function toToken(field: string, token: unknown): FencingToken {
  if (typeof token !== 'bigint' || token < 1n || token > TOKEN_MAX) {
    throw invalidArgument(field, `is not a bigint from 1 to ${TOKEN_MAX}`);
  }
  return token as FencingToken;
}

export function toLeaseId(lease: LeaseRef | undefined): LeaseId | undefined {
  return (typeof lease === 'object' ? lease.id : lease) as LeaseId | undefined;
}

export async function put(
  caller: Caller,
  key: Bytes,
  value: Bytes,
  options: PutOptions,
): Promise<PutResult> {
  const asked = dataCommand({
    type: 'put',
    key: toKey(key),
    value: toValue(value),
    lease: toLeaseId(options.lease),
    guards: toGuards(options.guard),
  });
  const { revision, version } = await command(caller, 'put', asked, options);
  return { revision, version };
}

export async function get(
  caller: Caller,
  key: Bytes,
  options: ReadOptions,
): Promise<KeyValue | undefined> {
  const { record } = await query(caller, 'get', { type: 'get', key: toKey(key) }, options);
  return record === undefined ? undefined : new KeyValue(record);
}

export async function deleteKey(
  caller: Caller,
  key: Bytes,
  options: WriteOptions,
): Promise<DeleteResult> {
  const asked = dataCommand({ type: 'delete', key: toKey(key), guards: toGuards(options.guard) });
  const { revision, deleted } = await command(caller, 'delete', asked, options);
  return { revision, deleted };
}

export async function deleteRange(
  caller: Caller,
  range: KeyRange,
  options: WriteOptions,
): Promise<DeleteRangeResult> {
  const guards = toGuards(options.guard);
  const asked = dataCommand({ type: 'delete-range', ...toRange(range), guards });
  const { revision, deleted, more } = await command(caller, 'delete-range', asked, options);
  return { revision, deleted, more };
}
