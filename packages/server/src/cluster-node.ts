import {
  type ClientRequest,
  type ErrorBody,
  errorBody,
  type LeaderHint,
  type NodeStatus,
} from '@raftd/protocol';
import {
  type ClusterIdentity,
  DEFAULT_OPTIONS,
  type Entry,
  type LoadedState,
  type Message,
  type NodeId,
  Raft,
  type RaftOptions,
} from '@raftd/raft';
import { Applier } from './apply.js';
import { ClusterClock } from './cluster-clock.js';
import type { Connection, Connections } from './connections.js';
import { notLeader, OUTCOME_UNKNOWN, SHUTTING_DOWN } from './error-bodies.js';
import { Leadership, type LeadershipListener } from './leadership.js';
import type { ServerOptions } from './options.js';
import type { PeerLevels } from './peer-levels.js';
import type { Ports } from './ports.js';
import { Proposals } from './proposals.js';
import { Reads } from './reads.js';
import { Replica, type ReplicaHandlers } from './replica.js';
import { Requests } from './requests.js';
import { Watches } from './watches.js';

/** What moves by time alone is looked at this often, ms; also keeps the cluster clock read. */
const TICK_MS = 50;

/** A node that is not up to date for this many election time-outs ends its watches. */
const LEFT_BEHIND_ELECTIONS = 2;

/** A node that belongs to a cluster: its chapters, wired, and the order of one turn. */
export class ClusterNode implements ReplicaHandlers, LeadershipListener {
  readonly identity: ClusterIdentity;
  readonly #options: ServerOptions;
  readonly #ports: Ports;
  readonly #connections: Connections;
  readonly #leadership: Leadership;
  readonly #proposals: Proposals;
  readonly #reads: Reads;
  readonly #watches: Watches;
  readonly #requests: Requests;
  readonly #applier: Applier;
  readonly #replica: Replica;
  /** Once since the start, all that was committed then was applied. */
  #caughtUp = false;
  #behindSinceMs: number | undefined;
  #cancelTick: (() => void) | undefined;

  constructor(
    options: ServerOptions,
    ports: Ports,
    identity: ClusterIdentity,
    connections: Connections,
    peerLevels: PeerLevels,
  ) {
    const { limits } = options;
    const { machine, clock } = ports;
    this.identity = identity;
    this.#options = options;
    this.#ports = ports;
    this.#connections = connections;
    const clusterClock = new ClusterClock();
    this.#leadership = new Leadership(ports, clusterClock, peerLevels);
    this.#proposals = new Proposals(limits.proposalTimeoutMs);
    const readTimeoutMs = limits.readTimeoutElections * options.electionTimeoutMs;
    this.#reads = new Reads(machine, options.reads, readTimeoutMs);
    this.#watches = new Watches(limits);
    this.#applier = new Applier(machine, this.#proposals, this.#watches, this.#leadership);
    this.#replica = new Replica(makeRaft(options, ports, identity), ports, clusterClock, this);
    this.#requests = new Requests({
      limits,
      clock,
      machine,
      replica: this.#replica,
      leadership: this.#leadership,
      proposals: this.#proposals,
      reads: this.#reads,
      watches: this.#watches,
      leaderHint: () => this.leaderHint(),
      isLeftBehind: () => this.#isLeftBehind(clock.monotonicMs()),
      isUpToDate: () => this.#isUpToDate(),
      hasCaughtUp: () => this.#caughtUp,
      status: () => this.status(),
    });
  }

  start(): void {
    this.#replica.start();
    this.#armTick();
  }

  /** Settles whatever waits, says so to every client; `done` once no write is in flight. */
  stop(done: () => void): void {
    this.#cancelTick?.();
    this.#requests.stop();
    this.#proposals.abandonAll(OUTCOME_UNKNOWN);
    this.#reads.rejectAll(SHUTTING_DOWN);
    this.#connections.flush();
    this.#watches.endAll(SHUTTING_DOWN);
    this.#replica.stop(done);
  }

  onMessages(messages: readonly Message[]): void {
    this.#replica.onMessages(messages);
  }

  onRequests(connection: Connection, requests: readonly ClientRequest[]): void {
    this.#requests.onRequests(connection, requests);
  }

  /** A client is gone: nobody is left to tell. */
  forget(connection: Connection): void {
    for (const watch of [...connection.watches.values()]) this.#watches.unsubscribe(watch);
  }

  /** There are replies to send: they leave at the end of a turn, together. */
  wake(): void {
    this.#replica.wake();
  }

  /** Cluster time as applied here; undefined while this node has not caught up. */
  clusterTimeMs(): number | undefined {
    return this.#isUpToDate() ? this.#ports.machine.clusterTimeMs : undefined;
  }

  leaderHint(): LeaderHint | undefined {
    const id = this.#replica.leader;
    if (id === undefined) return undefined;
    const address = this.#options.members.find((member) => member.id === id)?.address;
    return address === undefined ? undefined : { term: this.#replica.term, id, address };
  }

  status(): NodeStatus {
    const { id, members, version } = this.#options;
    return {
      clusterId: this.identity.clusterId,
      id,
      address: members.find((member) => member.id === id)?.address ?? '',
      role: this.#replica.role,
      term: this.#replica.term,
      leader: this.leaderHint(),
      commitIndex: this.#replica.commitIndex,
      appliedIndex: this.#replica.appliedIndex,
      revision: this.#ports.machine.revision as NodeStatus['revision'],
      version,
      members,
    };
  }

  // ---- the order of one turn; called by the replica loop ----

  beforePump(): void {
    this.#reads.register(this.#replica);
  }

  apply(entries: readonly Entry[]): void {
    this.#applier.apply(entries);
  }

  readConfirmed(readId: number): void {
    this.#reads.confirmed(readId);
  }

  readAborted(readId: number): void {
    this.#reads.aborted(readId, notLeader(this.leaderHint()));
  }

  afterPump(nowMs: number): void {
    this.#observe(nowMs);
    this.#flush();
  }

  failed(): void {
    this.stop(() => undefined);
  }

  onServing(): void {
    this.#requests.proposeHeld();
  }

  onLeadershipStopped(): void {
    this.#proposals.abandonAll(OUTCOME_UNKNOWN);
    this.#rejectUndone();
  }

  #observe(nowMs: number): void {
    this.#caughtUp ||= this.#replica.isUpToDate(nowMs);
    this.#leadership.observe(this.#replica, this, nowMs);
    // Won and lost within one turn, leadership has neither started nor stopped; what came in
    // between waits for it all the same.
    if (this.#replica.role !== 'leader') this.#rejectUndone();
  }

  /** Reads, and commands that were not proposed: they did not happen. */
  #rejectUndone(): void {
    if (this.#reads.count === 0 && this.#requests.heldCount === 0) return;
    const error = notLeader(this.leaderHint());
    this.#reads.rejectAll(error);
    this.#requests.rejectHeld(error);
  }

  /** Replies first: a watch's first events come after the reply that it stands. */
  #flush(): void {
    this.#connections.flush();
    if (this.#watches.flush()) this.#replica.wake();
  }

  // ---- time ----

  readonly #tick = (): void => {
    this.#armTick();
    const nowMs = this.#ports.clock.monotonicMs();
    this.#proposals.sweep(nowMs);
    this.#reads.sweep(nowMs);
    this.#observe(nowMs);
    this.#flush();
    this.#endWatchesLeftBehind(nowMs);
  };

  #armTick(): void {
    this.#cancelTick = this.#ports.timers.after(TICK_MS, this.#tick);
  }

  /** They would stay silent for as long as this node hears of no change: cut off, or unheard. */
  #endWatchesLeftBehind(nowMs: number): void {
    if (this.#replica.isUpToDate(nowMs)) this.#behindSinceMs = undefined;
    else this.#behindSinceMs ??= nowMs;
    if (this.#isLeftBehind(nowMs) && this.#watches.count > 0) this.#watches.endAll(INTERRUPTED);
  }

  #isUpToDate(): boolean {
    return this.#replica.isUpToDate(this.#ports.clock.monotonicMs());
  }

  #isLeftBehind(nowMs: number): boolean {
    if (this.#behindSinceMs === undefined) return false;
    return nowMs - this.#behindSinceMs >= LEFT_BEHIND_ELECTIONS * this.#options.electionTimeoutMs;
  }
}

const INTERRUPTED: ErrorBody = errorBody(
  'WATCH_INTERRUPTED',
  'this node is cut off from the cluster or far behind it; resume the watch at another node',
);

function makeRaft(options: ServerOptions, ports: Ports, identity: ClusterIdentity): Raft {
  const voters: readonly NodeId[] = identity.members.map((member) => member.id);
  const raftOptions: RaftOptions = {
    ...DEFAULT_OPTIONS,
    id: options.id,
    heartbeatMs: options.heartbeatMs,
    electionTimeoutMs: options.electionTimeoutMs,
    leaseReads: options.reads === 'lease',
    random: ports.random,
  };
  const loaded: LoadedState = { ...options.loaded, membership: { voters } };
  const nowMs = ports.clock.monotonicMs();
  return ports.createRaft?.(raftOptions, loaded, nowMs) ?? new Raft(raftOptions, loaded, nowMs);
}
