import type { CallOptions, ReadOptions } from '@raftd/client';
import { byteString } from '@raftd/protocol';
import type { Answer, SeenElection, SeenLease } from '../../storm/events.js';
import type { Outcome } from '../diary.js';
import { electionName } from '../names.js';
import type { Worker } from '../worker.js';

type Client = Worker['client'];
type Shown<Record> = Promise<Outcome<Record>>;
type ElectionRecord = Awaited<ReturnType<Client['listElections']>>['elections'][number];
type LeaseRecord = Awaited<ReturnType<Client['listLeases']>>['leases'][number];
type Elections = Awaited<ReturnType<Client['listElections']>>;
type Leases = Awaited<ReturnType<Client['listLeases']>>;

export interface LookOptions extends CallOptions {
  /** What any one node has. */
  readonly stale: boolean;
}

/** Small pages: lists go on behind them. */
const LIMIT = 2;

export function lookAtElection(
  worker: Worker,
  number: number,
  options: LookOptions,
): Shown<ElectionRecord | undefined> {
  const election = electionName(number);
  const { stale } = options;
  return worker.diary.record(
    () => ({ type: 'look', at: { type: 'election', election }, stale }),
    () => worker.client.election(election).show(readOptions(options)),
    (record) => elections({ elections: [record ?? nothingAt(election)], more: false }),
  );
}

export function lookAtElections(worker: Worker, options: LookOptions): Shown<Elections> {
  const { stale } = options;
  return worker.diary.record(
    () => ({ type: 'look', at: { type: 'elections' }, stale }),
    () => worker.client.listElections({ ...readOptions(options), limit: LIMIT }),
    elections,
  );
}

export function lookAtLease(
  worker: Worker,
  lease: string,
  options: LookOptions,
): Shown<LeaseRecord | undefined> {
  const { stale } = options;
  return worker.diary.record(
    () => ({ type: 'look', at: { type: 'lease', lease }, stale }),
    () => worker.client.showLease(lease, readOptions(options)),
    (record) => leases({ leases: record === undefined ? [] : [record], more: false }),
  );
}

export function lookAtLeases(worker: Worker, options: LookOptions): Shown<Leases> {
  const { stale } = options;
  return worker.diary.record(
    () => ({ type: 'look', at: { type: 'leases' }, stale }),
    () => worker.client.listLeases({ ...readOptions(options), limit: LIMIT }),
    leases,
  );
}

function readOptions({ stale, ...options }: LookOptions): ReadOptions {
  return { ...options, consistency: stale ? 'stale' : 'linearizable' };
}

function nothingAt(election: string): ElectionRecord {
  return { election, leader: undefined, queue: [], paused: false };
}

function elections({ elections: shown, more }: Elections): Answer {
  return { type: 'elections', elections: shown.map(seenElection), more };
}

function leases({ leases: shown, more }: Leases): Answer {
  return { type: 'leases', leases: shown.map(seenLease), more };
}

function seenElection({ election, leader, queue }: ElectionRecord): SeenElection {
  const shown = leader && { ...leader, metadata: byteString(leader.metadata) };
  return { election, leader: shown, queue: queue.map(({ campaignId }) => campaignId) };
}

function seenLease({ lease, ttlMs, remainingMs, attempt, ending, grants }: LeaseRecord): SeenLease {
  const leading = grants.map(({ campaignId }) => campaignId);
  return { lease, ttlMs, remainingMs, attempt, ending, grants: leading };
}
