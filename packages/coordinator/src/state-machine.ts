import { assert, assertNever } from './assert.js';
import type { ClientCommand, CommandCodec, Query, Stamp, SystemCommand } from './commands.js';
import { Cursors } from './cursors.js';
import { dueCommands, initialCommand, isTimeStale } from './due.js';
import { onCampaign, onEndGrants, onRemoveElections, onWithdraw } from './elections.js';
import { beginEntry, type Entry } from './entry.js';
import type { Changes } from './events.js';
import { guardRefusal, onFenceAdvance } from './fences.js';
import { settleElections } from './grants.js';
import { checkInvariants } from './invariants.js';
import { onDelete, onDeleteRange, onPut } from './kv.js';
import { onExpireLeases, onLeaseGrant, onLeaseRenew, onLeaseRevoke } from './leases.js';
import { answerQuery } from './queries.js';
import { refused } from './refusals.js';
import type { CommandResult, QueryResult } from './results.js';
import { admit, keepReply, onExpireSessions, onSessionClose, touchByRenewal } from './sessions.js';
import { DEFAULT_SETTINGS, FEATURE_LEVEL } from './settings.js';
import { createState, type State } from './state.js';
import { stateHash } from './state-hash.js';
import { onInitialize, onRaiseFeatureLevel } from './system.js';
import { onTxn } from './txn.js';
import type { Revision, Settings } from './types.js';

/** An entry that only moves cluster time. */
const TIME_ONLY = new Uint8Array();

export interface CoordinatorOptions {
  /** How commands stand in the log. What `decode` returns must never be written to again. */
  readonly codec: CommandCodec;
  /** The highest feature level this node applies. Default: `FEATURE_LEVEL`. */
  readonly featureLevelMax?: number;
  /** What this node, as the first leader of a cluster, sets. Default: `DEFAULT_SETTINGS`. */
  readonly settings?: Settings;
}

export interface Applied {
  readonly result: CommandResult;
  /** Undefined where the entry changed neither keys nor elections. */
  readonly changes: Changes | undefined;
}

/**
 * The replicated state machine. Deterministic: whatever `apply` reads is in the log before. Reads
 * no clock; cluster time is what the leader stamped into the entries. DESIGN §6.
 */
export class Coordinator {
  readonly #codec: CommandCodec;
  readonly #featureLevelMax: number;
  readonly #initialSettings: Settings;
  readonly #state: State = createState();
  readonly #cursors = new Cursors();

  constructor(options: CoordinatorOptions) {
    this.#codec = options.codec;
    this.#featureLevelMax = options.featureLevelMax ?? FEATURE_LEVEL;
    this.#initialSettings = options.settings ?? DEFAULT_SETTINGS;
  }

  /**
   * One committed entry, each index once and in order. An empty payload carries time only. Throws
   * where the node must stop, because going on would make it differ from the others: bytes or a
   * feature level it does not know, a gap, a broken invariant. Everything a client can cause is a
   * `refused` result, the same on all replicas (K-028).
   */
  apply(index: number, clusterTimeMs: number, payload: Uint8Array): Applied {
    const state = this.#state;
    assert(index === state.appliedIndex + 1, `entry ${index} after ${state.appliedIndex}`);
    assert(Number.isSafeInteger(clusterTimeMs), `cluster time ${clusterTimeMs} is whole ms`);
    const logged = payload.length === 0 ? undefined : this.#codec.decode(payload);
    state.appliedIndex = index;
    if (clusterTimeMs > state.clusterTimeMs) state.clusterTimeMs = clusterTimeMs;
    this.#cursors.dropIdle(state.clusterTimeMs);
    if (logged === undefined) return { result: { type: 'done' }, changes: undefined };
    const entry = beginEntry(state);
    const result =
      logged.stamp === undefined
        ? this.#applySystem(entry, logged.command)
        : this.#applyStamped(entry, logged.stamp, logged.command);
    settleElections(state, entry);
    if (entry.events.length === 0) return { result, changes: undefined };
    state.revision = entry.revision;
    return { result, changes: { revision: entry.revision, events: entry.events } };
  }

  /** From the state as applied; changes nothing that is replicated. */
  query(query: Query): QueryResult {
    return answerQuery(this.#state, this.#cursors, query);
  }

  /**
   * Encoded commands the leader should propose now, at its own reading of both clocks. Level-
   * triggered: answered again until applied. Until `initialized`, nothing else may be proposed.
   * An empty payload among them is a time entry, due about once a minute where nothing is written.
   */
  due(clusterTimeMs: number, wallTimeMs: number): readonly Uint8Array[] {
    if (!this.initialized) {
      const command = initialCommand(wallTimeMs, this.#initialSettings);
      return [this.#codec.encode({ stamp: undefined, command })];
    }
    const commands = dueCommands(this.#state, clusterTimeMs, wallTimeMs);
    if (commands.length === 0 && isTimeStale(this.#state, clusterTimeMs)) return [TIME_ONLY];
    return commands.map((command) => this.#codec.encode({ stamp: undefined, command }));
  }

  /** What to propose once every member supports `level`; undefined: nothing to raise. */
  raiseFeatureLevel(level: number): Uint8Array | undefined {
    if (!this.initialized || level <= this.#state.featureLevel) return undefined;
    const command: SystemCommand = { type: 'raise-feature-level', level };
    return this.#codec.encode({ stamp: undefined, command });
  }

  /** Leases live: the leader logs time at least every 250 ms, for the next one to start from. */
  needsTime(): boolean {
    return this.#state.leases.size > 0;
  }

  get revision(): Revision {
    return this.#state.revision;
  }

  get clusterTimeMs(): number {
    return this.#state.clusterTimeMs;
  }

  get appliedIndex(): number {
    return this.#state.appliedIndex;
  }

  /** 0 until initialized. */
  get featureLevel(): number {
    return this.#state.featureLevel;
  }

  get initialized(): boolean {
    return this.#state.settings !== undefined;
  }

  /** Equal on all replicas at equal `appliedIndex`. Reads the whole state: for checkers. */
  stateHash(): string {
    return stateHash(this.#state);
  }

  /** Throws on a broken invariant. Reads the whole state: for tests and the simulator. */
  checkInvariants(): void {
    checkInvariants(this.#state);
  }

  #settings(): Settings {
    const { settings } = this.#state;
    assert(settings !== undefined, 'the first command of a cluster is `initialize`');
    return settings;
  }

  #applyStamped(entry: Entry, stamp: Stamp, command: ClientCommand): CommandResult {
    const state = this.#state;
    const settings = this.#settings();
    if (command.type === 'lease-renew') {
      touchByRenewal(state, entry, settings, stamp);
      return onLeaseRenew(state, entry, command);
    }
    if (command.type === 'session-close') return onSessionClose(state, entry, settings, stamp);
    const admission = admit(state, entry, settings, stamp);
    if (admission.type === 'answer') return admission.result;
    const result = this.#execute(entry, settings, stamp, command);
    keepReply(admission.session, settings, stamp.sequence, result);
    return result;
  }

  #execute(
    entry: Entry,
    settings: Settings,
    stamp: Stamp,
    command: Exclude<ClientCommand, { type: 'lease-renew' | 'session-close' }>,
  ): CommandResult {
    const state = this.#state;
    if ('guards' in command) {
      const refusal = guardRefusal(state, command.guards);
      if (refusal !== undefined) return refused(refusal);
    }
    switch (command.type) {
      case 'put':
        return onPut(state, entry, settings, command);
      case 'delete':
        return onDelete(state, entry, command);
      case 'delete-range':
        return onDeleteRange(state, entry, settings, command);
      case 'txn':
        return onTxn(state, entry, settings, command);
      case 'lease-grant':
        return onLeaseGrant(state, entry, settings, stamp.session, command);
      case 'lease-revoke':
        return onLeaseRevoke(state, entry, stamp.session, command);
      case 'campaign':
        return onCampaign(state, entry, settings, command);
      case 'withdraw':
        return onWithdraw(state, entry, settings, stamp.session, command);
      case 'fence-advance':
        return onFenceAdvance(state, settings, command);
      case 'session-touch':
        return { type: 'done' };
      /* v8 ignore next */
      default:
        return assertNever(command);
    }
  }

  #applySystem(entry: Entry, command: SystemCommand): CommandResult {
    const state = this.#state;
    if (command.type === 'initialize') return onInitialize(state, this.#featureLevelMax, command);
    const settings = this.#settings();
    switch (command.type) {
      case 'expire-leases':
        onExpireLeases(state, entry, settings, command);
        return { type: 'done' };
      case 'expire-sessions':
        onExpireSessions(state, entry, settings, command);
        return { type: 'done' };
      case 'end-grants':
        onEndGrants(state, entry, command);
        return { type: 'done' };
      case 'remove-elections':
        onRemoveElections(state, entry, command);
        return { type: 'done' };
      case 'set-wall-offset':
        state.wallOffsetMs = command.wallOffsetMs;
        return { type: 'done' };
      case 'raise-feature-level':
        return onRaiseFeatureLevel(state, this.#featureLevelMax, command.level);
      /* v8 ignore next */
      default:
        return assertNever(command);
    }
  }
}
