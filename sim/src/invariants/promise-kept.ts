import type { Heartbeat, NodeId, Term } from '@raftd/raft';
import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

type Round = Pick<Heartbeat, 'term' | 'round'>;

/** Slack for rounding on the way between true time and a node's clock. */
const ROUNDING_MS = 0.01;

interface Promised {
  readonly term: Term;
  readonly untilMs: number;
}

/**
 * S25: a voter that told a leader "I withhold my vote for so long" gives it to nobody else
 * before that has passed on its own clock, be there restarts in between (§6.4.1). One exception:
 * whoever it has since heard as leader of a later term. That one was elected, so the lease that
 * the promise protects has ended (S24) and the vote protects nothing any more.
 */
export function promiseKept(): Invariant {
  /** By voter, leader and round: when the heartbeat that asked was first handled. */
  const askedAt = new Map<string, number>();
  /** By voter and leader; the time is on the voter's own clock, restarts or not. */
  const promises = new Map<NodeId, Map<NodeId, Promised>>();
  /** By voter, then by leader: the latest term in which it was heard as leader. */
  const heard = new Map<NodeId, Map<NodeId, Term>>();

  return {
    id: 'S25',
    onStepped: ({ node, before, after, cause }, cluster) => {
      const { elapsedMs } = cluster.node(node);
      if (cause.type === 'message') {
        const { message } = cause;
        if (message.type === 'heartbeat' && message.promiseMs > 0) {
          const key = roundKey(node, message.from, message);
          if (!askedAt.has(key)) askedAt.set(key, elapsedMs);
        }
        const speaksAsLeader = message.type === 'heartbeat' || message.type === 'append-request';
        if (speaksAsLeader && message.term === after.term) {
          const leaders = heard.get(node) ?? new Map<NodeId, Term>();
          heard.set(node, leaders.set(message.from, message.term));
        }
      }
      const voted = after.votedFor;
      if (voted === undefined || before === undefined) return;
      if (before.votedFor === voted && before.term === after.term) return;
      const votedForLeaderOf = heard.get(node)?.get(voted) ?? 0;
      for (const [leader, { term, untilMs }] of promises.get(node) ?? []) {
        if (leader === voted || untilMs <= elapsedMs + ROUNDING_MS) continue;
        if (votedForLeaderOf > term) continue;
        const promise = `promised to ${leader} for ${untilMs - elapsedMs} ms more`;
        throw new InvariantBroken(
          'S25',
          `${node} voted for ${voted} in term ${after.term}, ${promise}`,
        );
      }
    },
    onSent: ({ message }) => {
      if (message.type !== 'heartbeat-response' || message.promiseMs === 0) return;
      const { from, to, term, promiseMs } = message;
      const handledAt = askedAt.get(roundKey(from, to, message));
      if (handledAt === undefined) {
        throw new InvariantBroken('S25', `${from} answers round ${message.round}, never asked`);
      }
      const made = promises.get(from) ?? new Map<NodeId, Promised>();
      const untilMs = Math.max(made.get(to)?.untilMs ?? 0, handledAt + promiseMs);
      made.set(to, { term, untilMs });
      promises.set(from, made);
    },
  };
}

function roundKey(voter: NodeId, leader: NodeId, { term, round }: Round): string {
  return `${voter}/${leader}/${term}/${round}`;
}
