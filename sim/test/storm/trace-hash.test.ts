import type { LogIndex, Message, NodeId, Term } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import type { Answer, OperationReturned, StormEvent } from '../../src/storm/events.js';
import { TraceHash } from '../../src/storm/trace-hash.js';

const n1 = 'n1' as NodeId;
const n2 = 'n2' as NodeId;
const term = 3 as Term;
const envelope = { from: n1, to: n2, term };

/** By what they differ in, and nothing else. */
const ALIKE: Readonly<Record<string, readonly StormEvent[]>> = {
  'the revision of an answer': [1, 2].map((revision) =>
    answered({ type: 'written', revision, version: 1 }),
  ),
  'the version of an answer': [1, 2].map((version) =>
    answered({ type: 'written', revision: 1, version }),
  ),
  'how many were deleted': [0, 1].map((deleted) =>
    answered({ type: 'deleted', revision: 1, deleted }),
  ),
  'whether a transaction succeeded': [true, false].map((succeeded) =>
    answered({ type: 'transacted', revision: 1, succeeded, records: [] }),
  ),
  'what a read saw': [1, 2].map((modRevision) =>
    answered({
      type: 'record',
      record: { key: 'k', value: 'v', version: 1, createRevision: 1, modRevision },
    }),
  ),
  'the code of an error': ['FENCED', 'UNAVAILABLE'].map((code) =>
    returned({ type: 'failed', class: 'rejected', code }),
  ),
  'the type of what a watch sees': [
    watched({ type: 'delete', revision: 1, key: 'k', reason: 'user' }),
    watched({ type: 'leader', token: 7n }),
  ],
  'the revision of what a watch sees': [1, 2].map((revision) =>
    watched({ type: 'delete', revision, key: 'k', reason: 'user' }),
  ),
  'the leader that an observer sees': [7n, 8n, undefined].map((token) =>
    watched({ type: 'leader', token }),
  ),
  'what a read may not miss': [1, 2].map((floorIndex) => ({
    type: 'read-answered' as const,
    node: n1,
    kind: 'quorum' as const,
    floorIndex: floorIndex as LogIndex,
    outcome: { type: 'refused' as const },
  })),
  'a token': [1n, 2n].map((token) => ({
    type: 'leadership-ended' as const,
    client: 'c1',
    election: 'e',
    token,
    reason: 'resigned',
  })),
  'the round of a heartbeat': [1, 2].map((round) =>
    delivered({ type: 'heartbeat-response', ...envelope, round, promiseMs: 0 }),
  ),
  'where an append begins': [1, 2].map((prevIndex) =>
    delivered({
      type: 'append-request',
      ...envelope,
      prevIndex: prevIndex as LogIndex,
      prevTerm: term,
      entries: [],
      commitIndex: 1 as LogIndex,
    }),
  ),
  'whether a vote is granted': [true, false].map((granted) =>
    delivered({ type: 'vote-response', ...envelope, granted }),
  ),
  'how many writes a crash lost': [0, 1].map((lostWrites) => ({
    type: 'crashed' as const,
    node: n1,
    lostWrites,
    landedWrites: 0,
  })),
};

describe('the hash of a trace', () => {
  for (const [what, events] of Object.entries(ALIKE)) {
    it(`tells by ${what}`, () => {
      expect(new Set(events.map(hashOf)).size).toBe(events.length);
    });
  }
});

function hashOf(event: StormEvent): number {
  const hash = new TraceHash();
  hash.add(event, 5);
  return hash.value;
}

function answered(answer: Answer): StormEvent {
  return returned({ type: 'answered', answer });
}

function returned(outcome: OperationReturned['outcome']): StormEvent {
  return { type: 'operation-returned', client: 'c1', operation: 1, outcome };
}

function watched(
  event: Extract<StormEvent, { readonly type: 'watch-event' }>['event'],
): StormEvent {
  return { type: 'watch-event', watch: 1, event };
}

function delivered(message: Message): StormEvent {
  return { type: 'delivered', message, copy: 'original' };
}
