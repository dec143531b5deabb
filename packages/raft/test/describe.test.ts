import { expect, test } from 'vitest';
import { describeEntry, describeMessage } from '../src/index.js';
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
import { entriesOf, entryOf } from './node.js';

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
    'a→b t2 heartbeat 7 commit 1 match 1',
    'a→b t2 heartbeat 7 commit 1 match 1 promise 300 ms',
    'a→b t2 heartbeat 7 answered',
    'a→b t2 heartbeat 7 answered promise 300 ms',
  ]);
});
