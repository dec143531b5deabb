import type { Changes, CommandResult, KeyRecord, Query, QueryResult } from '@raftd/protocol';
import { commandCodec } from '@raftd/protocol';
import type { StateMachine } from '../src/ports.js';

type Record_ = KeyRecord;

/** Puts, gets and a once-only table: just enough of a machine to see what the server does. */
export class TinyMachine implements StateMachine {
  revision = 0;
  clusterTimeMs = 0;
  featureLevel = 0;
  initialized = false;
  /** Set by a test: something here lives by cluster time. */
  wantsTime = false;
  /** Set by a test: the next apply throws. */
  broken = false;
  /** (index, payload length) as applied. */
  readonly applied: {
    readonly index: number;
    readonly clusterTimeMs: number;
    readonly empty: boolean;
  }[] = [];
  readonly #keys = new Map<string, Record_>();
  readonly #replies = new Map<string, CommandResult>();

  apply(
    index: number,
    clusterTimeMs: number,
    payload: Uint8Array,
  ): { readonly result: CommandResult; readonly changes: Changes | undefined } {
    if (this.broken) throw new Error('unknown command');
    this.clusterTimeMs = Math.max(this.clusterTimeMs, clusterTimeMs);
    this.applied.push({ index, clusterTimeMs, empty: payload.length === 0 });
    if (payload.length === 0) return DONE;
    const { stamp, command } = commandCodec.decode(payload);
    switch (command.type) {
      case 'initialize':
        this.initialized = true;
        this.featureLevel = command.featureLevel;
        return DONE;
      case 'raise-feature-level':
        this.featureLevel = command.level;
        return DONE;
      case 'put':
        break;
      default:
        return DONE;
    }
    // As the real one: a session that claims to be opened long ago is an expired one.
    if (this.clusterTimeMs - (stamp?.openedAtMs ?? 0) >= SESSION_TTL_MS) return EXPIRED;
    const request = `${stamp?.session}/${stamp?.sequence}`;
    const known = this.#replies.get(request);
    if (known !== undefined) return { result: known, changes: undefined };
    this.revision += 1;
    const revision = this.revision as KeyRecord['modRevision'];
    const before = this.#keys.get(command.key);
    const record: KeyRecord = {
      key: command.key,
      value: command.value,
      createRevision: before?.createRevision ?? revision,
      modRevision: revision,
      version: (before?.version ?? 0) + 1,
      lease: undefined,
    };
    this.#keys.set(command.key, record);
    const result: CommandResult = { type: 'put', revision, version: record.version };
    this.#replies.set(request, result);
    return { result, changes: { revision, events: [{ type: 'put', record }] } };
  }

  query(query: Query): QueryResult {
    if (query.type !== 'get') return { type: 'cursor-expired' };
    const revision = this.revision as KeyRecord['modRevision'];
    return { type: 'get', revision, record: this.#keys.get(query.key) };
  }

  due(): readonly Uint8Array[] {
    return this.initialized ? [] : [INITIALIZE];
  }

  raiseFeatureLevel(level: number): Uint8Array | undefined {
    return commandCodec.encode({
      stamp: undefined,
      command: { type: 'raise-feature-level', level },
    });
  }

  needsTime(): boolean {
    return this.wantsTime;
  }
}

export const SESSION_TTL_MS = 600_000;

const EXPIRED = {
  result: { type: 'refused', refusal: { code: 'SESSION_EXPIRED' } },
  changes: undefined,
} as const;

const DONE = { result: { type: 'done' }, changes: undefined } as const;

const INITIALIZE = commandCodec.encode({
  stamp: undefined,
  command: {
    type: 'initialize',
    tokenBase: 1n as never,
    settings: {
      keysPerEntryMax: 1,
      keysPerLeaseMax: 1,
      leasesMax: 1,
      leaseTtlMinMs: 1,
      leaseTtlMaxMs: 1,
      electionsMax: 1,
      candidatesPerElectionMax: 1,
      fencesMax: 1,
      sessionsMax: 1,
      sessionTtlMs: 1,
      sessionWindow: 1,
      sessionReplyBytesMax: 1,
      withdrawalsPerLeaseMax: 1,
      txnReplyBytesMax: 1,
    },
    featureLevel: 1,
  },
});
