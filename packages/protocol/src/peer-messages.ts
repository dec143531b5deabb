import type { AppendRequest, Entry, EntryKind, LogIndex, Message, NodeId, Term } from '@raftd/raft';
import { assert, assertNever } from './assert.js';
import {
  bytes,
  choice,
  expectLength,
  flag,
  list,
  natural,
  row,
  taggedRow,
  unknownTag,
} from './fields.js';
import { nodeId } from './members.js';
import { retain } from './pack.js';
import { MESSAGE } from './tags.js';

const ANY = Number.MAX_SAFE_INTEGER;
const ENTRY_KINDS: readonly EntryKind[] = ['no-op', 'command'];

/** `[tag, from, to, term, …fields]`. */
export function packMessage(message: Message): readonly unknown[] {
  const tag = MESSAGE[message.type];
  const { from, to, term } = message;
  switch (message.type) {
    case 'pre-vote-request':
    case 'vote-request':
      return [tag, from, to, term, message.lastIndex, message.lastTerm];
    case 'pre-vote-response':
    case 'vote-response':
      return [tag, from, to, term, message.granted];
    case 'append-request': {
      const { prevIndex, prevTerm, commitIndex } = message;
      return [tag, from, to, term, prevIndex, prevTerm, commitIndex, packEntries(message)];
    }
    case 'append-accepted':
      return [tag, from, to, term, message.matchIndex];
    case 'append-rejected':
      return [tag, from, to, term, message.prevIndex, message.hintIndex, message.hintTerm];
    case 'heartbeat': {
      const { commitIndex, matchIndex, round, promiseMs } = message;
      return [tag, from, to, term, commitIndex, matchIndex, round, promiseMs];
    }
    case 'heartbeat-response':
      return [tag, from, to, term, message.round, message.promiseMs];
    default:
      return assertNever(message);
  }
}

/** Entries follow `prevIndex` without a gap, so their indexes need not travel. */
function packEntries(message: AppendRequest): readonly unknown[] {
  const { prevIndex, entries } = message;
  return entries.map((entry, offset) => {
    assert(entry.index === prevIndex + 1 + offset, 'the entries of an append are contiguous');
    return [entry.term, ENTRY_KINDS.indexOf(entry.kind), entry.clusterTimeMs, entry.payload];
  });
}

interface Envelope {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly term: Term;
}

export function readMessage(value: unknown): Message {
  const fields = taggedRow(value, 'message');
  const envelope = {
    from: nodeId(fields[1], 'from'),
    to: nodeId(fields[2], 'to'),
    term: termOf(fields[3], 'term'),
  };
  switch (fields[0]) {
    case MESSAGE['append-request']:
      return readAppend(fields, envelope);
    case MESSAGE['append-accepted']:
      expectLength(fields, 'append-accepted', 5);
      return { type: 'append-accepted', ...envelope, matchIndex: index(fields[4], 'matchIndex') };
    case MESSAGE['append-rejected']:
      expectLength(fields, 'append-rejected', 7);
      return {
        type: 'append-rejected',
        ...envelope,
        prevIndex: index(fields[4], 'prevIndex'),
        hintIndex: index(fields[5], 'hintIndex'),
        hintTerm: termOf(fields[6], 'hintTerm'),
      };
    case MESSAGE.heartbeat:
      expectLength(fields, 'heartbeat', 8);
      return {
        type: 'heartbeat',
        ...envelope,
        commitIndex: index(fields[4], 'commitIndex'),
        matchIndex: index(fields[5], 'matchIndex'),
        round: natural(fields[6], 'round'),
        promiseMs: natural(fields[7], 'promiseMs'),
      };
    case MESSAGE['heartbeat-response']:
      expectLength(fields, 'heartbeat-response', 6);
      return {
        type: 'heartbeat-response',
        ...envelope,
        round: natural(fields[4], 'round'),
        promiseMs: natural(fields[5], 'promiseMs'),
      };
    default:
      return readVote(fields, envelope);
  }
}

function readVote(fields: readonly unknown[], envelope: Envelope): Message {
  switch (fields[0]) {
    case MESSAGE['pre-vote-request']:
      return { type: 'pre-vote-request', ...envelope, ...lastEntry(fields) };
    case MESSAGE['vote-request']:
      return { type: 'vote-request', ...envelope, ...lastEntry(fields) };
    case MESSAGE['pre-vote-response']:
      expectLength(fields, 'pre-vote-response', 5);
      return { type: 'pre-vote-response', ...envelope, granted: flag(fields[4], 'granted') };
    case MESSAGE['vote-response']:
      expectLength(fields, 'vote-response', 5);
      return { type: 'vote-response', ...envelope, granted: flag(fields[4], 'granted') };
    default:
      throw unknownTag('message', fields[0]);
  }
}

function lastEntry(fields: readonly unknown[]): {
  readonly lastIndex: LogIndex;
  readonly lastTerm: Term;
} {
  expectLength(fields, 'message', 6);
  return { lastIndex: index(fields[4], 'lastIndex'), lastTerm: termOf(fields[5], 'lastTerm') };
}

function readAppend(fields: readonly unknown[], envelope: Envelope): AppendRequest {
  expectLength(fields, 'append-request', 8);
  const prevIndex = index(fields[4], 'prevIndex');
  let next = prevIndex;
  const entries = list(fields[7], 'entries', ANY, (item): Entry => {
    const entry = row(item, 'entry', 4);
    next = index(next + 1, 'index');
    return {
      index: next,
      term: termOf(entry[0], 'term'),
      kind: choice(entry[1], 'kind', ENTRY_KINDS),
      clusterTimeMs: natural(entry[2], 'clusterTimeMs'),
      payload: retain(bytes(entry[3], 'payload', ANY)),
    };
  });
  return {
    type: 'append-request',
    ...envelope,
    prevIndex,
    prevTerm: termOf(fields[5], 'prevTerm'),
    entries,
    commitIndex: index(fields[6], 'commitIndex'),
  };
}

function index(value: unknown, field: string): LogIndex {
  return natural(value, field) as LogIndex;
}

function termOf(value: unknown, field: string): Term {
  return natural(value, field) as Term;
}
