import type { Heartbeat, HeartbeatResponse, NodeId, Term } from '@raftd/raft';

/** Rounds that are remembered of a leadership: more than a core remembers, minutes of them. */
const ROUNDS_MAX = 4096;

interface Leadership {
  readonly term: Term;
  readonly sentAt: Map<number, number>;
}

/**
 * When the rounds of heartbeats of each present leadership left, as seen on the wire: what a core
 * believes of its rounds is what these are held against. In whatever counts as time to the checker.
 */
export class RoundsSent {
  readonly #byLeader = new Map<NodeId, Leadership>();

  /** Of the copies of a round the first counts. Round 0 is none: it is not answered. */
  note({ from, term, round }: Heartbeat, at: number): void {
    if (round === 0) return;
    let known = this.#byLeader.get(from);
    if (known === undefined || known.term < term) {
      known = { term, sentAt: new Map() };
      this.#byLeader.set(from, known);
    }
    if (known.term !== term || known.sentAt.has(round)) return;
    known.sentAt.set(round, at);
    known.sentAt.delete(round - ROUNDS_MAX);
  }

  /** When the round that is answered left; undefined: it never did, or long ago. */
  answered({ to, term, round }: HeartbeatResponse): number | undefined {
    const known = this.#byLeader.get(to);
    return known?.term === term ? known.sentAt.get(round) : undefined;
  }
}
