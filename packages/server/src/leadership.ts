import type { LogIndex, Term } from '@raftd/raft';
import type { ClusterClock } from './cluster-clock.js';
import type { PeerLevels } from './peer-levels.js';
import type { Clock, Logger, Ports, StateMachine } from './ports.js';
import type { Replica } from './replica.js';

/** While something lives by cluster time, the log says the time at least this often, ms. */
const STAMP_EVERY_MS = 250;

/** An empty payload only carries time, whoever asks for it: its entry is a no-op. */
const TIME_ONLY = new Uint8Array(0);

/**
 * Where this node's leadership stands. `elected`: it won, but its own no-op is not applied yet,
 * so it does not know all that was committed before it. `serving`: it may act.
 */
export type Phase =
  | { readonly type: 'none' }
  | { readonly type: 'elected'; readonly term: Term }
  | { readonly type: 'serving'; readonly term: Term };

/** What ends or begins with leadership, told at once and with nothing in between. */
export interface LeadershipListener {
  /** The own no-op is applied and the machine is initialized: commands may be proposed. */
  onServing(): void;
  /** Pending proposals are unknown from here on; whatever was not proposed is refused. */
  onLeadershipStopped(): void;
}

/**
 * Watches the role turn by turn: starts and stops leadership, runs the cluster clock, and
 * proposes what the machine wants proposed (initialize, expiries, the feature level, time).
 */
export class Leadership {
  readonly #machine: StateMachine;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #clusterClock: ClusterClock;
  readonly #peerLevels: PeerLevels;
  #phase: Phase = { type: 'none' };
  #serving = false;
  /** Highest term among the entries applied here. */
  #appliedTerm = 0;
  #appliedIndex = 0;
  /** Index of the last command of the machine's own that is not applied yet; 0: none. */
  #dueIndex = 0;
  #stampedAtMs = 0;

  constructor(
    ports: Pick<Ports, 'machine' | 'clock' | 'log'>,
    clusterClock: ClusterClock,
    peerLevels: PeerLevels,
  ) {
    this.#machine = ports.machine;
    this.#clock = ports.clock;
    this.#log = ports.log;
    this.#clusterClock = clusterClock;
    this.#peerLevels = peerLevels;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Commands of clients may be proposed. */
  get serving(): boolean {
    return this.#serving;
  }

  applied(index: LogIndex, term: Term): void {
    this.#appliedIndex = index;
    this.#appliedTerm = term;
  }

  /** A command was stamped and proposed at this time. */
  stamped(nowMs: number): void {
    this.#stampedAtMs = nowMs;
  }

  /** Once a turn, after apply, and once a tick. */
  observe(replica: Replica, listener: LeadershipListener, nowMs: number): void {
    const leads = replica.role === 'leader';
    if (this.#phase.type !== 'none' && !(leads && this.#phase.term === replica.term)) {
      this.#stop(listener);
    }
    if (!leads) return;
    if (this.#phase.type === 'none') this.#elected(replica, nowMs);
    if (this.#phase.type === 'elected' && this.#appliedTerm === this.#phase.term) {
      this.#phase = { type: 'serving', term: this.#phase.term };
      this.#log.info({ term: this.#phase.term }, 'leading');
    }
    if (this.#phase.type !== 'serving') return;
    this.#proposeDue(replica, nowMs);
    if (!this.#serving && this.#machine.initialized) {
      this.#serving = true;
      listener.onServing();
    }
  }

  #elected(replica: Replica, nowMs: number): void {
    this.#clusterClock.start(Math.max(replica.lastStampMs, this.#machine.clusterTimeMs), nowMs);
    this.#phase = { type: 'elected', term: replica.term };
    this.#dueIndex = 0;
    this.#stampedAtMs = nowMs;
    this.#log.info({ term: replica.term }, 'elected');
  }

  #stop(listener: LeadershipListener): void {
    this.#log.info({}, 'stepped down');
    this.#phase = { type: 'none' };
    this.#serving = false;
    listener.onLeadershipStopped();
  }

  /**
   * The machine's own commands, at most one batch undecided. Each is conditional on the state it
   * was made from, so a leader that is about to be deposed expires nothing by proposing.
   */
  #proposeDue(replica: Replica, nowMs: number): void {
    // The clock is read even when nothing is due: what passes between readings is bounded.
    const clusterTimeMs = this.#clusterClock.read(nowMs);
    if (this.#dueIndex > this.#appliedIndex) return;
    if (!replica.hearsQuorum(nowMs)) return;
    for (const payload of this.#machine.due(clusterTimeMs, this.#clock.wallMs())) {
      this.#propose(replica, payload, nowMs);
    }
    if (!this.#machine.initialized || this.#dueIndex > this.#appliedIndex) return;
    const raise = this.#raise();
    if (raise !== undefined) this.#propose(replica, raise, nowMs);
    else if (nowMs - this.#stampedAtMs >= STAMP_EVERY_MS && this.#machine.needsTime()) {
      this.#propose(replica, TIME_ONLY, nowMs);
    }
  }

  #raise(): Uint8Array | undefined {
    const level = this.#peerLevels.supportedByAll();
    if (level === undefined || level <= this.#machine.featureLevel) return undefined;
    return this.#machine.raiseFeatureLevel(level);
  }

  #propose(replica: Replica, payload: Uint8Array, nowMs: number): void {
    const kind = payload.length === 0 ? 'no-op' : 'command';
    const proposed = replica.propose(payload, kind, nowMs, { urgent: true });
    if (proposed.type !== 'accepted') return;
    this.#dueIndex = proposed.index;
    this.#stampedAtMs = nowMs;
  }
}
