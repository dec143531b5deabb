import { assertNever } from './assert.js';
import type { Message } from './messages.js';
import type { Entry } from './types.js';

/** `3/2 command 12 B`: index/term, kind, size. */
export function describeEntry(entry: Entry): string {
  const what = entry.kind === 'no-op' ? 'no-op' : `command ${entry.payload.length} B`;
  return `${entry.index}/${entry.term} ${what}`;
}

/** `n1→n2 t3 append prev 4/2 entries 5/3..7/3 commit 4`. */
export function describeMessage(message: Message): string {
  return `${message.from}→${message.to} t${message.term} ${describeBody(message)}`;
}

function describeBody(message: Message): string {
  switch (message.type) {
    case 'pre-vote-request':
      return `pre-vote? last ${message.lastIndex}/${message.lastTerm}`;
    case 'pre-vote-response':
      return message.granted ? 'pre-vote granted' : 'pre-vote refused';
    case 'vote-request':
      return `vote? last ${message.lastIndex}/${message.lastTerm}`;
    case 'vote-response':
      return message.granted ? 'vote granted' : 'vote refused';
    case 'append-request': {
      const { prevIndex, prevTerm, entries, commitIndex } = message;
      const span = describeSpan(entries);
      return `append prev ${prevIndex}/${prevTerm} entries ${span} commit ${commitIndex}`;
    }
    case 'append-accepted':
      return `accepted ${message.matchIndex}`;
    case 'append-rejected':
      return `rejected ${message.prevIndex} hint ${message.hintIndex}/${message.hintTerm}`;
    case 'heartbeat':
      return (
        `heartbeat ${message.round} commit ${message.commitIndex} match ${message.matchIndex}` +
        (message.promiseMs > 0 ? ` promise ${message.promiseMs} ms` : '')
      );
    case 'heartbeat-response':
      return (
        `heartbeat ${message.round} answered` +
        (message.promiseMs > 0 ? ` promise ${message.promiseMs} ms` : '')
      );
    /* v8 ignore next */
    default:
      return assertNever(message);
  }
}

/** `5/3..7/3`, `5/3` or `none`. */
export function describeSpan(entries: readonly Entry[]): string {
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return 'none';
  const start = `${first.index}/${first.term}`;
  return entries.length === 1 ? start : `${start}..${last.index}/${last.term}`;
}
