import type { HeartbeatResponse, NodeId } from '@raftd/raft';
import { CLOCK_RATE_BOUND } from '../world/clock-rate-bound.js';
import type { ClusterProbe } from '../world/cluster-probe.js';
import { quorumOf } from '../world/cluster-probe.js';
import type { Stepped } from '../world/events.js';
import type { Invariant } from './invariant.js';
import { becameLeader, InvariantBroken } from './invariant.js';
import { RoundsSent } from './rounds-sent.js';

/** Slack for rounding on the way between true time and a node's clock. */
const ROUNDING_MS = 0.01;

/** Of one leadership; times are on the leader's clock. */
interface Cover {
  /** By voter: before this its promise cannot have ended, however the clocks run. */
  readonly promisedUntilMs: Map<NodeId, number>;
  /** Before this nobody else can have been elected. */
  untilMs: number;
}

/**
 * S24, its cause: a leader counts on its lease for no longer than promises cover it at the worst of
 * the clock bound, whoever happens to be elected meanwhile (§6.4.1). A promise is made after its
 * round left; it lasts p on a voter's clock, p / (1 + ρ) in true time if that is fast, of which a
 * slow leader's clock shows p · (1 − ρ) / (1 + ρ). All of it is on the leader's own clock, so
 * clocks that leave the bound raise no false alarm.
 */
export function leaseCovered(clockRateBound: number = CLOCK_RATE_BOUND): Invariant {
  const worst = (1 - clockRateBound) / (1 + clockRateBound);
  const rounds = new RoundsSent();
  const byLeader = new Map<NodeId, Cover>();

  return {
    id: 'S24',
    onSent: ({ message }, cluster) => {
      if (message.type !== 'heartbeat' || message.promiseMs === 0) return;
      rounds.note(message, cluster.node(message.from).elapsedMs);
    },
    onStepped: (event, cluster) => {
      const { node, after, cause, view } = event;
      if (after.role !== 'leader') {
        byLeader.delete(node);
        return;
      }
      const cover = coverOf(byLeader, event, cluster);
      if (cause.type === 'message' && cause.message.type === 'heartbeat-response') {
        const { message } = cause;
        const sentMs = message.term === after.term ? rounds.answered(message) : undefined;
        if (sentMs !== undefined) {
          extend(cover, message, sentMs + message.promiseMs * worst, cluster);
        }
      }
      assertCovered(event, cover, view.leaseLeftMs, cluster);
    },
    onReadAnswered: ({ node, kind, outcome }, cluster) => {
      if (kind !== 'lease' || outcome.type !== 'served') return;
      const { elapsedMs } = cluster.node(node);
      const untilMs = byLeader.get(node)?.untilMs ?? Number.NEGATIVE_INFINITY;
      if (elapsedMs <= untilMs + ROUNDING_MS) return;
      throw broken(node, 'serves a read by its lease', elapsedMs - untilMs);
    },
  };
}

/** So many voters beside the leader, and no candidate finds a quorum among the others. */
function blockingPeers(cluster: ClusterProbe): number {
  return cluster.nodes.length - quorumOf(cluster);
}

function coverOf(byLeader: Map<NodeId, Cover>, event: Stepped, cluster: ClusterProbe): Cover {
  const known = becameLeader(event) ? undefined : byLeader.get(event.node);
  if (known !== undefined) return known;
  const isUnopposed = blockingPeers(cluster) === 0;
  const untilMs = isUnopposed ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const cover: Cover = { promisedUntilMs: new Map(), untilMs };
  byLeader.set(event.node, cover);
  return cover;
}

function extend(
  cover: Cover,
  { from, promiseMs }: HeartbeatResponse,
  untilMs: number,
  cluster: ClusterProbe,
): void {
  const known = cover.promisedUntilMs.get(from) ?? Number.NEGATIVE_INFINITY;
  if (promiseMs === 0 || untilMs <= known) return;
  cover.promisedUntilMs.set(from, untilMs);
  const needed = blockingPeers(cluster);
  if (needed === 0 || cover.promisedUntilMs.size < needed) return;
  const latestFirst = [...cover.promisedUntilMs.values()].sort((a, b) => b - a);
  cover.untilMs = latestFirst[needed - 1] ?? cover.untilMs;
}

function assertCovered(
  { node }: Stepped,
  { untilMs }: Cover,
  leaseLeftMs: number | undefined,
  cluster: ClusterProbe,
): void {
  const probe = cluster.node(node);
  const { elapsedMs } = probe;
  const limitMs = untilMs + ROUNDING_MS;
  if (leaseLeftMs !== undefined && leaseLeftMs > 0 && elapsedMs + leaseLeftMs > limitMs) {
    throw broken(node, 'counts on its lease', elapsedMs + leaseLeftMs - untilMs);
  }
  // Whatever end it has in mind: it may not look at it.
  if (elapsedMs > limitMs && probe.leaseHeld()) {
    throw broken(node, 'holds its lease', elapsedMs - untilMs);
  }
}

function broken(node: NodeId, what: string, beyondMs: number): InvariantBroken {
  const beyond = Number.isFinite(beyondMs)
    ? `${beyondMs} ms beyond the promises that it has`
    : 'without the promises of a quorum';
  return new InvariantBroken('S24', `${node} ${what} ${beyond}, at the worst of the clock bound`);
}
