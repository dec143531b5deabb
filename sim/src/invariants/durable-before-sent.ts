import type { Message, Term } from '@raftd/raft';
import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/** The term a message binds its sender to; none for pre-votes, which promise nothing. */
function boundTerm(message: Message): Term | undefined {
  switch (message.type) {
    case 'pre-vote-request':
    case 'pre-vote-response':
      return undefined;
    default:
      return message.term;
  }
}

/**
 * S3: a message of term T leaves only once T is durable; a grant only once the durable vote is
 * the grantee's, an own campaign only once the self-vote is durable, a promise only once
 * one as long is durable.
 */
export function durableBeforeSent(): Invariant {
  return {
    id: 'S3',
    onSent: ({ message }, cluster) => {
      const { hardState } = cluster.node(message.from).disk;
      const term = boundTerm(message);
      if (term === undefined) return;
      if (hardState.term < term) {
        throw new InvariantBroken(
          'S3',
          `${message.type} of ${message.from} left in term ${term}, durable is ${hardState.term}`,
        );
      }
      const votedFor = votedForIn(message);
      // A later term on disk replaced the vote; that the vote was there before is S2's and S16's.
      if (votedFor !== undefined && hardState.term === term && hardState.votedFor !== votedFor) {
        const durable = hardState.votedFor ?? 'no vote';
        throw new InvariantBroken(
          'S3',
          `${message.from} voted for ${votedFor} in term ${term}, durable is ${durable}`,
        );
      }
      if (message.type === 'heartbeat-response' && message.promiseMs > hardState.promiseMs) {
        throw new InvariantBroken(
          'S3',
          `${message.from} promised ${message.promiseMs} ms, durable are ${hardState.promiseMs} ms`,
        );
      }
    },
  };
}

function votedForIn(message: Message): string | undefined {
  if (message.type === 'vote-request') return message.from;
  if (message.type === 'vote-response' && message.granted) return message.to;
  return undefined;
}
