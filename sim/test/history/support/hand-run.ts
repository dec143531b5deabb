import { Coordinator } from '@raftd/coordinator';
import {
  type ByteString,
  type CampaignId,
  type ChangeEvent,
  type ClientCommand,
  type CommandResult,
  commandCodec,
  encodeCommand,
  type FencingToken,
  type KeyRecord,
  type LeaderRecord,
  type LeaseId,
  type LoggedCommand,
  type Revision,
  type SessionId,
  type SystemCommand,
} from '@raftd/protocol';
import { DEFAULT_SETTINGS } from '@raftd/coordinator';
import type { NodeId } from '@raftd/raft';
import { expect } from 'vitest';
import { historyCheckers, HistoryObserver } from '../../../src/history/index.js';
import { InvariantBroken } from '../../../src/invariants/invariant.js';
import type { Answer, Call, MachineApplied, StormEvent } from '../../../src/storm/events.js';
import { leasesGone } from '../../../src/storm/node/observed-machine.js';
import type { StormProfile } from '../../../src/storm/profile.js';
import { calmProfile } from '../../support/calm-profile.js';

/** Nothing here takes any time. */
export const PROFILE: StormProfile = calmProfile({
  stormMs: 60_000,
  latencyMs: [1, 2],
  writeMs: [1, 2],
  turnMs: [0, 0],
  pipelinedRequestsMax: 10,
});

/** What one entry did, as a broken machine may have it. */
export interface Forged {
  readonly result?: CommandResult;
  readonly events?: readonly ChangeEvent[];
  readonly revision?: number;
  readonly leasesGone?: readonly string[];
}

/** All checkers, a real machine to make events with, and the means to forge them. */
export class HandRun {
  trueMs = 0;
  readonly machine = new Coordinator({ codec: commandCodec });
  readonly #observer: HistoryObserver;
  #index = 0;
  #revision = 0;
  #sequence = 0;
  #operation = 0;

  constructor(profile: Partial<StormProfile> = {}, except: readonly string[] = []) {
    const checkers = historyCheckers(this, { ...PROFILE, ...profile }, except);
    this.#observer = new HistoryObserver(checkers);
    const initialize: SystemCommand = {
      type: 'initialize',
      tokenBase: 100n as FencingToken,
      settings: { ...DEFAULT_SETTINGS, ...profile.tight?.settings },
      featureLevel: 1,
    };
    this.commit({ stamp: undefined, command: initialize });
  }

  get revision(): number {
    return this.#revision;
  }

  tell(event: StormEvent): void {
    this.#observer.observe(event);
  }

  finish(): void {
    this.#observer.finish();
  }

  /** One more entry, applied by n1. Cluster time is true time unless told. */
  commit(logged: LoggedCommand | undefined, clusterTimeMs: number = this.trueMs): MachineApplied {
    const payload = logged === undefined ? new Uint8Array() : encodeCommand(logged);
    this.#index += 1;
    const applied = this.machine.apply(this.#index, clusterTimeMs, payload);
    const gone = leasesGone(this.machine, payload, applied.result);
    const event = this.#applied(payload, clusterTimeMs, { ...applied, leasesGone: gone });
    this.#revision = event.changes?.revision ?? this.#revision;
    this.tell(event);
    return event;
  }

  /** The same, with an outcome that the real machine would not have. */
  forge(logged: LoggedCommand, forged: Forged, clusterTimeMs: number = this.trueMs): void {
    this.#index += 1;
    this.machine.apply(this.#index, clusterTimeMs, new Uint8Array());
    const { result = { type: 'done' }, events = [], revision = this.#revision + 1 } = forged;
    const changes = events.length === 0 ? undefined : { revision: revision as Revision, events };
    if (changes !== undefined) this.#revision = revision;
    const leasesGone = (forged.leasesGone ?? []) as readonly LeaseId[];
    this.tell(this.#applied(encodeCommand(logged), clusterTimeMs, { result, changes, leasesGone }));
  }

  /** Stamped by a session, each with a sequence of its own. */
  from(session: string, command: ClientCommand): LoggedCommand {
    this.#sequence += 1;
    const id = session as SessionId;
    return { stamp: { session: id, openedAtMs: 0, sequence: this.#sequence, mark: 1 }, command };
  }

  invoke(client: string, call: Call): number {
    this.#operation += 1;
    const operation = this.#operation;
    this.tell({ type: 'operation-invoked', client, operation, call });
    return operation;
  }

  answer(client: string, operation: number, answer: Answer): void {
    const outcome = { type: 'answered', answer } as const;
    this.tell({ type: 'operation-returned', client, operation, outcome });
  }

  fail(
    client: string,
    operation: number,
    errorClass: 'rejected' | 'indeterminate' | 'invalid',
    code: string,
  ): void {
    const outcome = { type: 'failed', class: errorClass, code } as const;
    this.tell({ type: 'operation-returned', client, operation, outcome });
  }

  /** A put from its call to its answer. */
  put(client: string, key: string, value: string): number {
    const operation = this.invoke(client, { type: 'put', key, value, guarded: undefined });
    const { result } = this.commit(this.from(client, putCommand(key, value)));
    if (result.type !== 'put') throw new Error(`the put came out as ${result.type}`);
    const { revision, version } = result;
    this.answer(client, operation, { type: 'written', revision, version });
    return revision;
  }

  grantLease(session: string, lease: string, ttlMs = 1_000): void {
    const command = { type: 'lease-grant', lease: lease as LeaseId, ttlMs } as const;
    this.commit(this.from(session, command));
  }

  campaign(session: string, lease: string, campaignId: string): MachineApplied {
    return this.commit(this.from(session, campaignCommand(lease, campaignId)));
  }

  #applied(
    payload: Uint8Array,
    clusterTimeMs: number,
    outcome: Pick<MachineApplied, 'result' | 'changes' | 'leasesGone'>,
  ): MachineApplied {
    const node = 'n1' as NodeId;
    return {
      type: 'machine-applied',
      node,
      index: this.#index,
      clusterTimeMs,
      payload,
      ...outcome,
    };
  }
}

export function putCommand(
  key: string,
  value: string,
  guards: readonly { readonly election: string; readonly token: bigint }[] = [],
): ClientCommand {
  return {
    type: 'put',
    key: key as ByteString,
    value: Buffer.from(value),
    lease: undefined,
    guards: guards.map(({ election, token }) => ({ election, token: token as FencingToken })),
  };
}

export function deleteCommand(key: string): ClientCommand {
  return { type: 'delete', key: key as ByteString, guards: [] };
}

export function revokeCommand(lease: string): ClientCommand {
  return { type: 'lease-revoke', lease: lease as LeaseId };
}

export function campaignCommand(lease: string, campaignId: string): ClientCommand {
  return {
    type: 'campaign',
    election: 'e0',
    lease: lease as LeaseId,
    candidate: campaignId,
    metadata: new Uint8Array(),
    campaignId: campaignId as CampaignId,
  };
}

export function expireCommand(lease: string, renewals: number): LoggedCommand {
  const leases = [{ lease: lease as LeaseId, renewals }];
  return { stamp: undefined, command: { type: 'expire-leases', leases } };
}

export function renewCommand(lease: string, attempt: number): ClientCommand {
  return { type: 'lease-renew', renewals: [{ lease: lease as LeaseId, attempt }] };
}

export function granted(campaignId: string, lease: string, token: bigint): ChangeEvent {
  return { type: 'granted', leader: leaderRecord(campaignId, lease, token) };
}

export function ended(campaignId: string, lease: string, token: bigint): ChangeEvent {
  return {
    type: 'ended',
    election: 'e0',
    campaignId: campaignId as CampaignId,
    lease: lease as LeaseId,
    token: token as FencingToken,
    reason: 'lease-expired',
  };
}

export function leaderRecord(campaignId: string, lease: string, token: bigint): LeaderRecord {
  return {
    election: 'e0',
    candidate: campaignId,
    holder: campaignId as CampaignId,
    lease: lease as LeaseId,
    token: token as FencingToken,
    metadata: new Uint8Array(),
    grantedAtMs: 0,
    grantedAtWallMs: 0,
    ending: false,
  };
}

export function keyRecord(key: string, value: string, revision: number, version = 1): KeyRecord {
  return {
    key: key as ByteString,
    value: Buffer.from(value),
    createRevision: (revision - version + 1) as Revision,
    modRevision: revision as Revision,
    version,
    lease: undefined,
  };
}

export function expectBroken(id: string, act: () => void): void {
  let error: unknown;
  try {
    act();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(InvariantBroken);
  expect((error as InvariantBroken).message).toContain(`${id}: `);
}
