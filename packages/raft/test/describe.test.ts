import { expect, test } from 'vitest';
import { describeEntry, describeMessage, describeReady } from '../src/index.js';
import {
  accepted,
  append,
  heartbeat,
  heartbeatAnswer,
  preVote,
  preVoteAnswer,
  rejected,
  vote,
  voteAnswer,
} from './message.js';
import { entriesOf, entryOf, hardStateOf } from './node.js';

test('an entry is one line', () => {
  expect(describeEntry(entryOf(3, 2, 12))).toBe('3/2 command 12 B');
  expect(describeEntry({ ...entryOf(3, 2, 0), kind: 'no-op' })).toBe('3/2 no-op');
});

test('every message is one line', () => {
  const lines = [
    preVote('a>b', 2, '3/1'),
    preVoteAnswer('a>b', 2, true),
    preVoteAnswer('a>b', 2, false),
    vote('a>b', 2, '3/1'),
    voteAnswer('a>b', 2, true),
    voteAnswer('a>b', 2, false),
    append('a>b', 2, '0/0', [], 1),
    append('a>b', 2, '0/0', entriesOf(1), 1),
    append('a>b', 2, '0/0', entriesOf(1, 2, 2), 1),
    accepted('a>b', 2, 3),
    rejected('a>b', 2, 3, '2/1'),
    heartbeat('a>b', 2, 7, { commit: 1 }),
    heartbeat('a>b', 2, 7, { commit: 1, promiseMs: 300 }),
    heartbeatAnswer('a>b', 2, 7),
    heartbeatAnswer('a>b', 2, 7, 300),
  ].map(describeMessage);
  expect(lines).toEqual([
    'a→b t2 pre-vote? last 3/1',
    'a→b t2 pre-vote granted',
    'a→b t2 pre-vote refused',
    'a→b t2 vote? last 3/1',
    'a→b t2 vote granted',
    'a→b t2 vote refused',
    'a→b t2 append prev 0/0 entries none commit 1',
    'a→b t2 append prev 0/0 entries 1/1 commit 1',
    'a→b t2 append prev 0/0 entries 1/1..3/2 commit 1',
    'a→b t2 accepted 3',
    'a→b t2 rejected 3 hint 2/1',
    'a→b t2 heartbeat 7 commit 1',
    'a→b t2 heartbeat 7 commit 1 promise 300 ms',
    'a→b t2 heartbeat 7 answered',
    'a→b t2 heartbeat 7 answered promise 300 ms',
  ]);
});

test('a Ready is one line, without what is empty', () => {
  const nothing = {
    write: undefined,
    messages: [],
    messagesAfterWrite: [],
    committed: [],
    confirmedReads: [],
    abortedReads: [],
  };
  expect(describeReady(nothing)).toBe('');
  const write = {
    hardState: hardStateOf(2, 'a', 300),
    truncateFrom: 2 as never,
    entries: entriesOf(1, 1).slice(1),
    lastIndex: 2 as never,
    lastTerm: 1 as never,
  };
  const full = {
    write,
    messages: [accepted('a>b', 2, 3)],
    messagesAfterWrite: [voteAnswer('a>b', 2, true)],
    committed: entriesOf(1),
    confirmedReads: [{ readId: 4, index: 1 as never }],
    abortedReads: [5],
  };
  expect(describeReady(full)).toBe(
    'write {term 2 vote a promise 300 ms, truncate from 2, entries 2/1}; ' +
      'send [a→b t2 accepted 3]; then [a→b t2 vote granted]; apply 1/1; ' +
      'read 4 at 1; read 5 aborted',
  );
  const hardStateOnly = {
    ...write,
    hardState: hardStateOf(2),
    truncateFrom: undefined,
    entries: [],
  };
  expect(describeReady({ ...nothing, write: hardStateOnly })).toBe('write {term 2 vote none}');
  const entriesOnly = { ...write, hardState: undefined, truncateFrom: undefined };
  expect(describeReady({ ...nothing, write: entriesOnly })).toBe('write {entries 2/1}');
});
