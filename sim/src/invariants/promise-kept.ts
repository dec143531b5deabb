import type { Heartbeat, NodeId } from '@raftd/raft';
import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

type Round = Pick<Heartbeat, 'term' | 'round'>;

/** Slack for rounding on the way between true time and a node's clock. */
const ROUNDING_MS = 0.01;

/**
 * S25: a voter that told a leader "I withhold my vote for so long" gives it to nobody else
 * before that has passed on its own clock, be there restarts in between (§6.4.1).
 */
export function promiseKept(): Invariant {
  /** By voter, leader and round: when the heartbeat that asked was first handled. */
  const askedAt = new Map<string, number>();
  /** By voter and leader: the voter's own clock, restarts or not, when the promise ends. */
  const promises = new Map<NodeId, Map<NodeId, number>>();

  return {
    id: 'S25',
    onStepped: ({ node, before, after, cause }, cluster) => {
      const { elapsedMs } = cluster.node(node);
      if (cause.type === 'message' && cause.message.type === 'heartbeat') {
        const key = roundKey(node, cause.message.from, cause.message);
        if (!askedAt.has(key)) askedAt.set(key, elapsedMs);
      }
      const voted = after.votedFor;
      if (voted === undefined || before === undefined) return;
      if (before.votedFor === voted && before.term === after.term) return;
      for (const [leader, untilMs] of promises.get(node) ?? []) {
        if (leader === voted || untilMs <= elapsedMs + ROUNDING_MS) continue;
        throw new InvariantBroken(
          'S25',
          `${node} voted for ${voted} in term ${after.term}, promised to ${leader} for ${untilMs - elapsedMs} ms more`,
        );
      }
    },
    onSent: ({ message }) => {
      if (message.type !== 'heartbeat-response' || message.promiseMs === 0) return;
      const { from, to, promiseMs } = message;
      const handledAt = askedAt.get(roundKey(from, to, message));
      if (handledAt === undefined) {
        throw new InvariantBroken('S25', `${from} answers round ${message.round}, never asked`);
      }
      const made = promises.get(from) ?? new Map<NodeId, number>();
      made.set(to, Math.max(made.get(to) ?? 0, handledAt + promiseMs));
      promises.set(from, made);
    },
  };
}

function roundKey(voter: NodeId, leader: NodeId, { term, round }: Round): string {
  return `${voter}/${leader}/${term}/${round}`;
}
