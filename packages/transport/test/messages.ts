import { type Message, n1, n2 } from './support.js';

type Of<Type extends Message['type']> = Extract<Message, { type: Type }>;
type Entry = Of<'append-request'>['entries'][number];

const term = 1 as Message['term'];
const index = 0 as Of<'heartbeat'>['commitIndex'];

// Whole messages, without casts of the whole: a field that is missing would be refused by the
// decoder, and the test would wait for what never arrives.

export function heartbeat(round: number, from = n1, to = n2): Of<'heartbeat'> {
  const indexes = { commitIndex: index, matchIndex: index };
  return { type: 'heartbeat', from, to, term, ...indexes, round, promiseMs: 0 };
}

/** One entry whose payload has `bytes` zeros. */
export function append(bytes: number): Of<'append-request'> {
  const entry: Entry = {
    index: (index + 1) as Entry['index'],
    term,
    kind: 'command',
    clusterTimeMs: 0,
    payload: new Uint8Array(bytes),
  };
  const previous = { prevIndex: index, prevTerm: 0 as Message['term'] };
  const route = { from: n1, to: n2, term };
  return { type: 'append-request', ...route, ...previous, commitIndex: index, entries: [entry] };
}
