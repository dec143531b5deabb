import { assertNever } from './assert.js';
import type { Message, PreVoteRequest, PreVoteResponse } from './messages.js';
import { sendDurably } from './persistence.js';
import { enterTerm } from './roles.js';
import type { RaftState } from './state.js';
import { isVoteWithheld } from './withholding.js';

/**
 * "If a server's current term is smaller than the other's, it updates its own to the larger; if
 * a server receives a request with a stale term, it rejects it" (§3.3). Pre-votes speak of a term
 * that nobody has entered, and pass; a withheld vote request passes nowhere (§4.2.3).
 * @returns whether the message is of the current term now, and to be handled.
 */
export function passTermGate(state: RaftState, message: Message): boolean {
  if (message.type === 'pre-vote-request' || message.type === 'pre-vote-response') return true;
  const { term } = state.hardState;
  if (message.term === term) return true;
  if (message.term < term) {
    answerStale(state, message);
    return false;
  }
  if (message.type === 'vote-request' && isVoteWithheld(state, message.from)) return false;
  enterTerm(state, message.term);
  return true;
}

/** Speaks for a term that its sender is in. */
type OfEnteredTerm = Exclude<Message, PreVoteRequest | PreVoteResponse>;

/** A stale asker learns the term, so that it steps down; a stale answer is of no use to anyone. */
function answerStale(state: RaftState, message: OfEnteredTerm): void {
  const envelope = { from: state.options.id, to: message.from, term: state.hardState.term };
  switch (message.type) {
    case 'vote-request':
      return sendDurably(state, { type: 'vote-response', ...envelope, granted: false });
    case 'append-request':
    case 'heartbeat':
      // Round 0 is never started, so this confirms nothing, to whoever may lead our term.
      return sendDurably(state, {
        type: 'heartbeat-response',
        ...envelope,
        round: 0,
        promiseMs: 0,
      });
    case 'vote-response':
    case 'append-accepted':
    case 'append-rejected':
    case 'heartbeat-response':
      return undefined;
    /* v8 ignore next */
    default:
      return assertNever(message);
  }
}
