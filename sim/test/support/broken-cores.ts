import type { LogIndex, Message, RaftState, Term } from '@raftd/raft';
import { Raft } from '@raftd/raft';
import type { WorldOptions } from '../../src/index.js';

type CreateCore = NonNullable<WorldOptions['createCore']>;

/** A core that hears each message as something else, which is what a wrong handler does. */
function mishears(change: (state: Readonly<RaftState>, message: Message) => Message): CreateCore {
  class Mishearing extends Raft {
    override step(message: Message, nowMs: number): void {
      super.step(change(this.state, message), nowMs);
    }
  }
  return (options, loaded, nowMs) => new Mishearing(options, loaded, nowMs);
}

/** A core whose state is altered before each message: what a wrong transition leaves behind. */
function misremembers(change: (state: RaftState, message: Message) => void): CreateCore {
  class Misremembering extends Raft {
    override step(message: Message, nowMs: number): void {
      change(this.state, message);
      super.step(message, nowMs);
    }
  }
  return (options, loaded, nowMs) => new Misremembering(options, loaded, nowMs);
}

function lastIndexOf(state: Readonly<RaftState>): LogIndex {
  return state.log.entries.length as LogIndex;
}

/** Faults that real systems shipped, each as a wrapper around the right core. */
export const BROKEN_CORES = {
  'takes a refused vote for a grant': mishears((_, message) =>
    message.type === 'vote-response' ? { ...message, granted: true } : message,
  ),
  'votes without looking at the log': mishears((_, message) => {
    const asksVote = message.type === 'vote-request' || message.type === 'pre-vote-request';
    return asksVote ? { ...message, lastTerm: 1_000_000 as Term } : message;
  }),
  'forgets its vote when asked again in the same term (R-001)': misremembers((state, message) => {
    if (message.type !== 'vote-request' || message.term !== state.hardState.term) return;
    if (state.role.type !== 'follower') return;
    state.hardState = { ...state.hardState, votedFor: undefined };
  }),
  'does not compare the term before new entries': mishears((state, message) => {
    if (message.type !== 'append-request') return message;
    const own = state.log.entries[message.prevIndex - 1]?.term;
    return own === undefined ? message : { ...message, prevTerm: own };
  }),
  'takes an acknowledgement for one of its whole log': mishears((state, message) => {
    if (message.type !== 'append-accepted' || message.term !== state.hardState.term) return message;
    return { ...message, matchIndex: lastIndexOf(state) };
  }),
  'counts itself before its disk has the entry (R-024)': misremembers((state) => {
    const { persistence } = state;
    if (state.role.type === 'leader') persistence.durableIndex = persistence.writtenIndex;
  }),
  'takes any answer for one to the latest round (R-056)': mishears((state, message) => {
    if (message.type !== 'heartbeat-response' || state.role.type !== 'leader') return message;
    return { ...message, round: state.role.reads.startedRound };
  }),
  'commits what a heartbeat names without having it proved': mishears((state, message) =>
    message.type === 'heartbeat' ? { ...message, matchIndex: lastIndexOf(state) } : message,
  ),
  'takes a pre-vote request for a term to enter': mishears((_, message) =>
    message.type === 'pre-vote-request' ? { ...message, type: 'vote-request' } : message,
  ),
} as const satisfies Record<string, CreateCore>;
