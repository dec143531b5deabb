import fc, { type Arbitrary } from 'fast-check';
import {
  type ByteString,
  byteString,
  type ChangeEvent,
  type ClientCommand,
  type ClientRequest,
  type ClientToServerFrame,
  type CommandResult,
  type Compare,
  type ErrorBody,
  ERRORS,
  type ErrorCode,
  encodeClientCommand,
  type FencingToken,
  type Operation,
  type PeerFrame,
  type Query,
  type QueryResult,
  type Refusal,
  type ReplyBody,
  type ServerToClientFrame,
  type Settings,
  type Stamp,
  type SystemCommand,
} from '../src/index.js';

/** Every variant of everything that crosses a wire or the log, edges included. */

/** Brands are given by the readers; here the shape is what counts. */
function as<T>(arbitrary: Arbitrary<unknown>): Arbitrary<T> {
  return arbitrary as Arbitrary<T>;
}

const EDGES = [0, 1, 127, 128, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 52, 2 ** 53 - 1];
const natural = fc.oneof(fc.maxSafeNat(), fc.nat(300), fc.constantFrom(...EDGES));
const positive = natural.map((value) => Math.max(1, value));
const token = as<FencingToken>(
  fc.oneof(
    fc.bigInt(0n, 2n ** 63n - 1n),
    fc.constantFrom(0n, 1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n),
  ),
);
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 24 }),
  fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }),
  fc.constantFrom('__proto__', 'constructor', 'ü', '\u{1f980}', 'x'.repeat(256)),
);
const bytes = fc.uint8Array({ maxLength: 64 });
const key = fc.uint8Array({ minLength: 1, maxLength: 32 }).map(byteString);
const bound = bytes.map(byteString);
const flag = fc.boolean();

function option<T>(arbitrary: Arbitrary<T>): Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined });
}
function few<T>(arbitrary: Arbitrary<T>): Arbitrary<T[]> {
  return fc.array(arbitrary, { maxLength: 4 });
}
function variant(
  type: string,
  fields: Record<string, Arbitrary<unknown>> = {},
): Arbitrary<unknown> {
  return fc.record({ type: fc.constant(type), ...fields });
}
function refusal(code: Refusal['code'], fields: Record<string, Arbitrary<unknown>> = {}) {
  return fc.record({ code: fc.constant(code), ...fields });
}

const guards = few(fc.record({ election: name, token }));
const operation = as<Operation>(
  fc.oneof(
    variant('put', { key, value: bytes, lease: option(name) }),
    variant('delete', { key }),
    variant('delete-range', { start: bound, end: option(bound) }),
    variant('get', { key }),
  ),
);
const operator = fc.constantFrom('=', '!=', '<', '>');
const compare = as<Compare>(
  fc.oneof(
    fc.record({ target: fc.constant('value'), key, operator, operand: bytes }),
    fc.record({
      target: fc.constantFrom('version', 'create-revision', 'mod-revision'),
      key,
      operator,
      operand: natural,
    }),
  ),
);

export const stamp = as<Stamp>(
  fc.record({ session: name, openedAtMs: natural, sequence: positive, mark: natural }),
);

export const clientCommand = as<ClientCommand>(
  fc.oneof(
    variant('put', { key, value: bytes, lease: option(name), guards }),
    variant('delete', { key, guards }),
    variant('delete-range', { start: bound, end: option(bound), guards }),
    variant('txn', {
      compares: few(compare),
      success: few(operation),
      failure: few(operation),
      guards,
    }),
    variant('lease-grant', { lease: name, ttlMs: positive }),
    variant('lease-renew', { renewals: few(fc.record({ lease: name, attempt: positive })) }),
    variant('lease-revoke', { lease: name }),
    variant('campaign', {
      election: name,
      lease: name,
      candidate: name,
      metadata: bytes,
      campaignId: name,
    }),
    variant('withdraw', { election: name, lease: name, campaignId: name }),
    variant('fence-advance', { resource: name, election: name, token }),
    variant('session-touch'),
    variant('session-close'),
  ),
);

const SETTINGS: readonly (keyof Settings)[] = [
  'keysPerEntryMax',
  'keysPerLeaseMax',
  'leasesMax',
  'leaseTtlMinMs',
  'leaseTtlMaxMs',
  'electionsMax',
  'candidatesPerElectionMax',
  'fencesMax',
  'sessionsMax',
  'sessionTtlMs',
  'sessionWindow',
  'sessionReplyBytesMax',
  'withdrawalsPerLeaseMax',
  'txnReplyBytesMax',
];
const settings = fc.record(Object.fromEntries(SETTINGS.map((setting) => [setting, natural])));

export const systemCommand = as<SystemCommand>(
  fc.oneof(
    variant('initialize', { tokenBase: token, settings, featureLevel: natural }),
    variant('expire-leases', { leases: few(fc.record({ lease: name, renewals: natural })) }),
    variant('expire-sessions', {
      sessions: few(fc.record({ session: name, touchedAtMs: natural })),
    }),
    variant('end-grants', { grants: few(fc.record({ election: name, token })) }),
    variant('remove-elections', { elections: few(name) }),
    variant('set-wall-offset', { wallOffsetMs: fc.maxSafeInteger().map((ms) => ms + 0) }),
    variant('raise-feature-level', { level: natural }),
  ),
);

const limit = fc.integer({ min: 1, max: 10_000 });
const query = as<Query>(
  fc.oneof(
    variant('get', { key }),
    variant('range', { start: bound, end: option(bound), limit }),
    variant('range-next', { cursor: name }),
    variant('lease-show', { lease: name }),
    variant('lease-list', { limit }),
    variant('election-show', { election: name }),
    variant('election-list', { prefix: fc.string({ maxLength: 9 }), limit }),
    variant('campaign-show', { election: name, campaignId: name }),
  ),
);

const target = fc.oneof(
  variant('range', { start: bound, end: option(bound) }),
  variant('election', { election: name }),
  variant('campaign', { election: name, campaignId: name }),
);

const commandRequest = fc
  .record({ requestId: natural, stamp, command: clientCommand })
  .map(({ requestId, stamp, command }) => ({
    type: 'command',
    requestId,
    payload: encodeClientCommand(stamp, command),
    logged: { stamp, command },
  }));

export const request = as<ClientRequest>(
  fc.oneof(
    commandRequest,
    variant('query', {
      requestId: natural,
      consistency: fc.constantFrom('linearizable', 'stale'),
      query,
    }),
    variant('watch', {
      requestId: natural,
      watchId: natural,
      target,
      fromRevision: option(positive),
    }),
    variant('unwatch', { requestId: natural, watchId: natural }),
    variant('status', { requestId: natural }),
  ),
);

export const clientFrame = as<ClientToServerFrame>(
  fc.oneof(
    variant('client-hello', { protocolVersion: fc.constant(1), clusterId: option(name) }),
    variant('requests', { requests: few(request) }),
  ),
);

const record = fc.record({
  key,
  value: bytes,
  createRevision: natural,
  modRevision: natural,
  version: natural,
  lease: option(name),
});
const leader = fc.record({
  election: name,
  candidate: name,
  holder: name,
  lease: name,
  token,
  metadata: bytes,
  grantedAtMs: natural,
  grantedAtWallMs: natural,
  ending: flag,
});
const grants = few(fc.record({ election: name, campaignId: name, token, ending: flag }));
const state = fc.oneof(
  fc.record({ state: fc.constant('absent') }),
  fc.record({ state: fc.constant('queued'), position: natural }),
  fc.record({ state: fc.constant('granted'), leader }),
);
const lease = fc.record({
  lease: name,
  ttlMs: natural,
  remainingMs: fc.integer(),
  attempt: natural,
  ending: flag,
  keys: natural,
  grants,
});
const election = fc.record({
  election: name,
  leader: option(leader),
  queue: few(fc.record({ candidate: name, campaignId: name, lease: name, position: natural })),
  paused: flag,
});

export const anyRefusal = as<Refusal>(
  fc.oneof(
    refusal('FENCED', { election: name, current: option(token) }),
    refusal('LEASE_NOT_FOUND', { lease: name }),
    refusal('LEASE_EXISTS', { lease: name }),
    refusal('LEASE_ENDING', { lease: name }),
    refusal('CAMPAIGN_WITHDRAWN', { campaignId: name }),
    refusal('CAMPAIGN_EXISTS', { campaignId: name }),
    refusal('SESSION_EXPIRED'),
    refusal('STALE_REQUEST', { sequence: natural, mark: natural }),
    refusal('SESSION_WINDOW_FULL', { sequence: natural, limit: natural }),
    refusal('REPLY_DROPPED', { sequence: natural }),
    refusal('LIMIT_EXCEEDED', { field: name, limit: natural }),
    refusal('CAPACITY_REACHED', { what: name, limit: natural }),
    refusal('INVALID_ARGUMENT', { field: name, reason: name }),
    refusal('FEATURE_UNAVAILABLE', { required: natural, level: natural }),
  ),
);

const operationResult = fc.oneof(
  variant('put', { version: natural }),
  variant('delete', { deleted: natural }),
  variant('delete-range', { deleted: natural, more: flag }),
  variant('get', { record: option(record) }),
);
const renewal = fc.oneof(
  fc.record({
    outcome: fc.constant('renewed'),
    lease: name,
    attempt: natural,
    applied: flag,
    lastAttempt: natural,
    ttlMs: natural,
    ending: flag,
    grants,
  }),
  fc.record({ outcome: fc.constant('not-found'), lease: name, attempt: natural }),
);

const revision = natural;
const commandResult = as<CommandResult>(
  fc.oneof(
    variant('put', { revision, version: natural }),
    variant('delete', { revision, deleted: natural }),
    variant('delete-range', { revision, deleted: natural, more: flag }),
    variant('txn', { revision, succeeded: flag, results: few(operationResult) }),
    variant('lease-grant', { lease: name, ttlMs: natural }),
    variant('lease-renew', { renewals: few(renewal) }),
    variant('lease-revoke', { outcome: fc.constantFrom('revoked', 'ending'), waitMs: natural }),
    variant('campaign', { revision, state }),
    variant('withdraw', {
      revision,
      outcome: fc.constantFrom('not-found', 'removed', 'resigned', 'ending'),
      waitMs: natural,
    }),
    variant('fence-advance', { token }),
    variant('done'),
    variant('refused', { refusal: anyRefusal }),
  ),
);

const queryResult = as<QueryResult>(
  fc.oneof(
    variant('get', { revision, record: option(record) }),
    variant('range', { revision, records: few(record), cursor: option(name) }),
    variant('lease-show', { revision, lease: option(lease) }),
    variant('lease-list', { revision, leases: few(lease), more: flag }),
    variant('election-show', { revision, election: option(election) }),
    variant('election-list', { revision, elections: few(election), more: flag }),
    variant('campaign-show', { revision, state }),
    variant('cursor-expired'),
  ),
);

const error = as<ErrorBody>(
  fc.record({
    code: fc.constantFrom(...(Object.keys(ERRORS) as ErrorCode[])),
    message: fc.string(),
    details: fc
      .array(
        fc.tuple(
          name,
          fc.oneof(
            name,
            natural,
            flag,
            fc.double({ noNaN: true }).map((detail) => detail + 0),
          ),
        ),
        {
          maxLength: 4,
        },
      )
      .map((entries) => Object.fromEntries(entries)),
  }),
);

const hint = fc.record({ term: natural, id: name, address: name });
const members = few(fc.record({ id: name, address: name }));
const status = fc.record({
  clusterId: name,
  id: name,
  address: name,
  role: fc.constantFrom('follower', 'pre-candidate', 'candidate', 'leader'),
  term: natural,
  leader: option(hint),
  commitIndex: natural,
  appliedIndex: natural,
  revision,
  version: fc.string({ maxLength: 20 }),
  members,
});

const body = as<ReplyBody>(
  fc.oneof(
    variant('command', { result: commandResult }),
    variant('query', { result: queryResult }),
    variant('watching', { revision }),
    variant('unwatched'),
    variant('status', { status }),
    variant('error', { error }),
  ),
);

const reason = fc.constantFrom('user', 'lease-expired', 'lease-revoked');
const event = as<ChangeEvent>(
  fc.oneof(
    variant('put', { record }),
    variant('delete', { key, reason }),
    variant('queued', { election: name, campaignId: name, candidate: name }),
    variant('left', { election: name, campaignId: name, reason }),
    variant('granted', { leader }),
    variant('ending', { leader }),
    variant('ended', { election: name, campaignId: name, lease: name, token, reason }),
  ),
);

export const serverFrame = as<ServerToClientFrame>(
  fc.oneof(
    variant('welcome', {
      protocolVersion: fc.constant(1),
      clusterId: name,
      nodeId: name,
      leader: option(hint),
      members,
      clusterTimeMs: option(natural),
      featureLevel: natural,
    }),
    variant('goodbye', { error }),
    variant('replies', { replies: few(fc.record({ requestId: natural, body })) }),
    variant('events', {
      watchId: natural,
      changes: few(fc.record({ revision, more: flag, events: few(event) })),
    }),
    variant('watch-ended', { watchId: natural, error }),
  ),
);

function message(type: string, fields: Record<string, Arbitrary<unknown>>): Arbitrary<unknown> {
  return variant(type, { from: name, to: name, term: natural, ...fields });
}

/** Entries follow `prevIndex` without a gap, as Raft sends them. */
const append = fc
  .record({
    from: name,
    to: name,
    term: natural,
    prevIndex: fc.oneof(fc.nat(), fc.constant(2 ** 53 - 10)),
    prevTerm: natural,
    commitIndex: natural,
    entries: few(
      fc.record({
        term: natural,
        kind: fc.constantFrom('no-op', 'command'),
        clusterTimeMs: natural,
        payload: bytes,
      }),
    ),
  })
  .map(({ entries, ...rest }) => ({
    type: 'append-request',
    ...rest,
    entries: entries.map((entry, at) => ({ index: rest.prevIndex + 1 + at, ...entry })),
  }));

const raftMessage = fc.oneof(
  message('pre-vote-request', { lastIndex: natural, lastTerm: natural }),
  message('pre-vote-response', { granted: flag }),
  message('vote-request', { lastIndex: natural, lastTerm: natural }),
  message('vote-response', { granted: flag }),
  append,
  message('append-accepted', { matchIndex: natural }),
  message('append-rejected', { prevIndex: natural, hintIndex: natural, hintTerm: natural }),
  message('heartbeat', {
    commitIndex: natural,
    matchIndex: natural,
    round: natural,
    promiseMs: natural,
  }),
  message('heartbeat-response', { round: natural, promiseMs: natural }),
);

const member = fc.record({ id: name, incarnation: name });

export const peerFrame = as<PeerFrame>(
  fc.oneof(
    variant('peer-hello', {
      protocolVersion: fc.constant(1),
      clusterName: fc.string({ maxLength: 20 }),
      from: member,
      to: name,
      cluster: option(fc.record({ clusterId: name, members: few(member) })),
      lane: fc.constantFrom('control', 'bulk'),
      featureLevel: natural,
    }),
    variant('peer-messages', { messages: few(raftMessage) }),
    variant('goodbye', { error }),
  ),
);

export const anyKey: Arbitrary<ByteString> = bound;
