import type {
  ElectionRecord,
  FencingToken,
  LeaseId,
  LeaseRecord,
  MemberAddress,
} from '@raftd/protocol';
import type { CallOptions } from './call.js';
import { command, controlCommand, query } from './caller.js';
import type { ClientCore } from './core.js';
import { Election } from './election.js';
import type { KeyValue } from './key-value.js';
import { type Bytes, checkName, checkText, type KeyRange } from './keys.js';
import * as kv from './kv.js';
import { type Lease, type LeaseOptions, lease } from './lease.js';
import * as leases from './lease-commands.js';
import { type RangeOptions, type RangePage, range, rangeAll } from './range.js';
import { type RevokedLease, revokeLease } from './release.js';
import { type ClusterStatus, clusterStatus } from './status.js';
import type { Subscription } from './subscription.js';
import { type Txn, type TxnResult, txn } from './txn.js';
import { type WatchEvent, type WatchOptions, type WatchScope, watch } from './watch.js';

export interface ListOptions extends CallOptions {
  /** Default 1,000. */
  readonly limit?: number | undefined;
}

/**
 * One client of one cluster. Every call settles exactly once, within its own deadline, with a
 * result or a `RaftdError` whose class says what may be concluded.
 */
export class Client {
  readonly #core: ClientCore;
  /** Resolves once the client is closed; never rejects. */
  readonly closed: Promise<void>;
  readonly #onClosed: () => void;
  #closing: Promise<void> | undefined;

  constructor(core: ClientCore) {
    this.#core = core;
    let onClosed = (): void => undefined;
    this.closed = new Promise((resolve) => {
      onClosed = resolve;
    });
    this.#onClosed = onClosed;
  }

  /** Writes one key. A retry inside is safe: the cluster applies each call at most once. */
  put(key: Bytes, value: Bytes, options: kv.PutOptions = {}): Promise<kv.PutResult> {
    return kv.put(this.#core.requests, key, value, options);
  }

  /** The key as of this call or later; undefined if there is none. */
  get(key: Bytes, options: kv.ReadOptions = {}): Promise<KeyValue | undefined> {
    return kv.get(this.#core.requests, key, options);
  }

  delete(key: Bytes, options: kv.WriteOptions = {}): Promise<kv.DeleteResult> {
    return kv.deleteKey(this.#core.requests, key, options);
  }

  /** At most one entry's limit of keys (10,000); `more` says that some are left. */
  deleteRange(keys: KeyRange, options: kv.WriteOptions = {}): Promise<kv.DeleteRangeResult> {
    return kv.deleteRange(this.#core.requests, keys, options);
  }

  /** Pages of one revision, in byte order. */
  range(keys: KeyRange, options: RangeOptions = {}): AsyncIterable<RangePage> {
    return range(this.#core.requests, keys, options);
  }

  /** Every record of the range at one revision, in memory. */
  rangeAll(keys: KeyRange, options: RangeOptions = {}): Promise<RangePage> {
    return rangeAll(this.#core.requests, keys, options);
  }

  /** `then` if every comparison holds, else `else`; all or nothing, one revision. */
  txn(asked: Txn, options: kv.WriteOptions = {}): Promise<TxnResult> {
    return txn(this.#core.requests, asked, options);
  }

  /** Changes of keys: ordered, gapless, over reconnects. */
  watch(scope: WatchScope, options: WatchOptions = {}): Subscription<WatchEvent> {
    return watch(this.#core, scope, options);
  }

  /** A lease, renewed until it is revoked, lost, or the client closes. */
  async lease(options: LeaseOptions = {}): Promise<Lease> {
    this.#core.assertOpen();
    return lease(this.#core, options);
  }

  election(name: string): Election {
    return new Election(this.#core, name);
  }

  async listElections(
    options: ListOptions & { readonly prefix?: string | undefined } = {},
  ): Promise<{ readonly elections: readonly ElectionRecord[]; readonly more: boolean }> {
    const { limit = 1_000, prefix = '' } = options;
    checkText('prefix', prefix);
    const asked = { type: 'election-list', prefix, limit } as const;
    const answer = await query(this.#core.requests, 'election-list', asked, options);
    return { elections: answer.elections, more: answer.more };
  }

  /**
   * Tells a protected resource's record that this grant acts now: succeeds only while it is
   * current, otherwise FENCED.
   */
  async fenceAdvance(
    resource: string,
    election: string,
    token: bigint,
    options: CallOptions = {},
  ): Promise<{ readonly token: FencingToken }> {
    const asked = controlCommand({
      type: 'fence-advance',
      resource: checkName('resource', resource),
      election: checkName('election', election),
      token: kv.toToken('token', token),
    });
    const advanced = await command(this.#core.requests, 'fence-advance', asked, options);
    return { token: advanced.token };
  }

  /** Grants a lease that nothing here renews. For tools; programs want `lease()`. */
  grantLease(options: leases.GrantOptions): Promise<leases.GrantedLease> {
    return leases.grant(this.#core, options);
  }

  /** One renewal of any lease, by whoever granted it. */
  renewLease(id: string, options: CallOptions = {}): Promise<leases.RenewedLease> {
    return leases.renew(this.#core, id as LeaseId, options);
  }

  revokeLease(id: string, options: CallOptions = {}): Promise<RevokedLease> {
    this.#core.keepAlive.loseBefore(id as LeaseId);
    return revokeLease(this.#core, id as LeaseId, options);
  }

  async showLease(id: string, options: kv.ReadOptions = {}): Promise<LeaseRecord | undefined> {
    const asked = { type: 'lease-show', lease: id as LeaseId } as const;
    return (await query(this.#core.requests, 'lease-show', asked, options)).lease;
  }

  async listLeases(
    options: ListOptions = {},
  ): Promise<{ readonly leases: readonly LeaseRecord[]; readonly more: boolean }> {
    const { limit = 1_000 } = options;
    const asked = { type: 'lease-list', limit } as const;
    const answer = await query(this.#core.requests, 'lease-list', asked, options);
    return { leases: answer.leases, more: answer.more };
  }

  /** Every node asked by itself, also those that do not answer. */
  status(options: CallOptions = {}): Promise<ClusterStatus> {
    return clusterStatus(this.#core, options);
  }

  /** As the last node that welcomed this client told. */
  get members(): readonly MemberAddress[] {
    return this.#core.endpoints.members;
  }

  /**
   * Withdraws candidacies, lets `run()` bodies settle and releases, ends the sessions, then the
   * connections. A leadership held outside `run()` is lost and left to expire: resign it first.
   * Calls still in flight reject with CLIENT_CLOSED. Bounded by `releaseTimeoutMs`.
   */
  close(): Promise<void> {
    this.#closing ??= this.#core.close().then(this.#onClosed, this.#onClosed);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
