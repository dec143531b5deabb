import {
  type ChangeEvent,
  type CommandResult,
  DEFAULT_WIRE_LIMITS,
  encodeServerFrame,
  type QueryResult,
  type ReplyBody,
} from '@raftd/protocol';
import { expect, test } from 'vitest';
import { DEFAULT_SERVER_LIMITS } from '../src/index.js';
import { eventBytes, replyBytes } from '../src/sizes.js';

/** The longest name there is, in characters that take the most bytes. */
const NAME = '\u20ac'.repeat(DEFAULT_WIRE_LIMITS.nameCharsMax);
const NUMBER = Number.MAX_SAFE_INTEGER;
const TOKEN = 2n ** 63n - 1n;

const grant = { election: NAME, campaignId: NAME, token: TOKEN, ending: true };
const leader = {
  election: NAME,
  candidate: NAME,
  holder: NAME,
  lease: NAME,
  token: TOKEN,
  metadata: new Uint8Array(DEFAULT_WIRE_LIMITS.metadataBytesMax),
  grantedAtMs: NUMBER,
  grantedAtWallMs: NUMBER,
  ending: false,
};
const record = {
  key: '\u00ff'.repeat(DEFAULT_WIRE_LIMITS.keyBytesMax),
  value: new Uint8Array(10),
  createRevision: NUMBER,
  modRevision: NUMBER,
  version: NUMBER,
  lease: NAME,
};
const renewal = {
  outcome: 'renewed',
  lease: NAME,
  attempt: NUMBER,
  applied: true,
  lastAttempt: NUMBER,
  ttlMs: NUMBER,
  ending: false,
  grants: [grant],
};
const lease = {
  lease: NAME,
  ttlMs: NUMBER,
  remainingMs: NUMBER,
  attempt: NUMBER,
  ending: true,
  keys: NUMBER,
  grants: [grant, grant],
};
const queued = { candidate: NAME, campaignId: NAME, lease: NAME, position: NUMBER };
const election = { election: NAME, leader, queue: [queued, queued], paused: false };

function encodedBytes(body: ReplyBody): number {
  return encodeServerFrame({ type: 'replies', replies: [{ requestId: NUMBER, body }] }).length;
}

const results = [
  { type: 'lease-renew', renewals: [renewal, renewal] },
  { type: 'lease-grant', lease: NAME, ttlMs: NUMBER },
  { type: 'campaign', revision: NUMBER, state: { state: 'granted', leader } },
  { type: 'fence-advance', token: TOKEN },
  {
    type: 'txn',
    revision: NUMBER,
    succeeded: true,
    results: [
      { type: 'get', record },
      { type: 'put', version: NUMBER },
    ],
  },
  { type: 'refused', refusal: { code: 'FENCED', election: NAME, current: TOKEN } },
] as unknown as CommandResult[];

test.each(results)('the size of a $type result is an estimate from above', (result) => {
  const body: ReplyBody = { type: 'command', result };
  expect(replyBytes(body)).toBeGreaterThanOrEqual(encodedBytes(body));
});

const answers = [
  { type: 'get', revision: NUMBER, record },
  { type: 'range', revision: NUMBER, records: [record, record], cursor: NAME },
  { type: 'lease-show', revision: NUMBER, lease },
  { type: 'lease-list', revision: NUMBER, leases: [lease, lease], more: true },
  { type: 'election-show', revision: NUMBER, election },
  { type: 'election-list', revision: NUMBER, elections: [election, election], more: true },
  { type: 'campaign-show', revision: NUMBER, state: { state: 'granted', leader } },
] as unknown as QueryResult[];

test.each(answers)('the size of a $type answer is an estimate from above', (result) => {
  const body: ReplyBody = { type: 'query', result };
  expect(replyBytes(body)).toBeGreaterThanOrEqual(encodedBytes(body));
});

const events = [
  { type: 'put', record },
  { type: 'delete', key: record.key, reason: 'user' },
  { type: 'queued', election: NAME, campaignId: NAME, candidate: NAME },
  { type: 'left', election: NAME, campaignId: NAME, reason: 'user' },
  { type: 'granted', leader },
  { type: 'ended', election: NAME, campaignId: NAME, lease: NAME, token: TOKEN, reason: 'user' },
] as unknown as ChangeEvent[];

test.each(events)('the size of a $type event is an estimate from above', (event) => {
  const changes = [{ revision: 1 as never, events: [event], more: false }];
  const frame = encodeServerFrame({ type: 'events', watchId: NUMBER, changes });
  expect(eventBytes(event)).toBeGreaterThanOrEqual(frame.length);
});

test('as many renewals as a command may hold have a reply that fits, with a grant each', () => {
  const { renewalsMax, frameBytesMax } = DEFAULT_WIRE_LIMITS;
  const renewals = Array.from({ length: renewalsMax }, () => renewal) as never;
  const body: ReplyBody = { type: 'command', result: { type: 'lease-renew', renewals } };
  expect(replyBytes(body)).toBeLessThanOrEqual(DEFAULT_SERVER_LIMITS.replyBytesMax);
  expect(encodedBytes(body)).toBeLessThanOrEqual(frameBytesMax);
});

test('what the gets of a transaction may return fits a reply, with room for its other rows', () => {
  const values = Array.from({ length: DEFAULT_WIRE_LIMITS.txnOperationsMax }, () => {
    return { type: 'get', record: { ...record, value: new Uint8Array(7 * 1024) } };
  });
  const result = { type: 'txn', revision: 1, succeeded: true, results: values };
  const body = { type: 'command', result } as unknown as ReplyBody;
  expect(replyBytes(body)).toBeGreaterThan(1024 * 1024);
  expect(replyBytes(body)).toBeLessThanOrEqual(DEFAULT_SERVER_LIMITS.replyBytesMax);
});
