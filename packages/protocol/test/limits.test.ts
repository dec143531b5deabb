import { expect, test } from 'vitest';
import {
  type ByteString,
  byteString,
  bytesOf,
  type ClientCommand,
  type ClientRequest,
  commandCodec,
  DEFAULT_WIRE_LIMITS,
  decodeClientFrame,
  decodeServerFrame,
  encodeClientCommand,
  encodeClientFrame,
  encodeCommand,
  encodeServerFrame,
  type LeaseId,
  prefixEnd,
  type SessionId,
  utf8ByteString,
  type WireLimits,
} from '../src/index.js';

const stamp = { session: 's' as SessionId, openedAtMs: 0, sequence: 1, mark: 0 };
const key = utf8ByteString('k');
const lease = 'l' as LeaseId;

function command(requestId: number, value: ClientCommand): ClientRequest {
  const payload = encodeClientCommand(stamp, value);
  return { type: 'command', requestId, payload, logged: { stamp, command: value } };
}

function put(value: Uint8Array, at: ByteString = key): ClientCommand {
  return { type: 'put', key: at, value, lease: undefined, guards: [] };
}

/** What the door makes of one request. */
function door(request: ClientRequest, limits: Partial<WireLimits> = {}): unknown {
  const frame = encodeClientFrame({ type: 'requests', requests: [request] });
  const decoded = decodeClientFrame(frame, { ...DEFAULT_WIRE_LIMITS, ...limits });
  if (!decoded.ok || decoded.value.type !== 'requests') return decoded;
  return decoded.value.refused[0] ?? 'accepted';
}

function exceeded(field: string, limit: number, actual: number): object {
  return { error: { code: 'LIMIT_EXCEEDED', details: { field, limit, actual } } };
}

test('key and value are taken up to their limits and refused above, by name and number', () => {
  const { keyBytesMax, valueBytesMax } = DEFAULT_WIRE_LIMITS;
  const longKey = utf8ByteString('k'.repeat(keyBytesMax));
  expect(door(command(1, put(new Uint8Array(valueBytesMax), longKey)))).toBe('accepted');
  expect(door(command(1, put(new Uint8Array(valueBytesMax + 1))))).toMatchObject(
    exceeded('value', valueBytesMax, valueBytesMax + 1),
  );
  const tooLong = utf8ByteString('k'.repeat(keyBytesMax + 1));
  expect(door(command(1, put(new Uint8Array(1), tooLong)))).toMatchObject(
    exceeded('key', keyBytesMax, keyBytesMax + 1),
  );
});

test('a transaction has its operations counted over both branches', () => {
  const txn = (success: number, failure: number): ClientRequest => {
    const get = { type: 'get', key } as const;
    return command(1, {
      type: 'txn',
      compares: [],
      success: Array.from({ length: success }, () => get),
      failure: Array.from({ length: failure }, () => get),
      guards: [],
    });
  };
  expect(door(txn(64, 64))).toBe('accepted');
  expect(door(txn(64, 65))).toMatchObject(exceeded('operations', 128, 129));
});

test('a transaction is bounded in bytes', () => {
  const operation = { type: 'put', key, value: new Uint8Array(800_000), lease: undefined } as const;
  const operations = [operation, operation];
  const txn = { type: 'txn', compares: [], success: operations, failure: [], guards: [] } as const;
  expect(door(command(1, txn))).toMatchObject({
    error: { code: 'LIMIT_EXCEEDED', details: { field: 'command', limit: 1536 * 1024 } },
  });
});

test('a fault inside a list says which item it is in', () => {
  const operations = [
    { type: 'get', key } as const,
    { type: 'put', key, value: new Uint8Array(20), lease: undefined } as const,
  ];
  const txn = { type: 'txn', compares: [], success: operations, failure: [], guards: [] } as const;
  expect(door(command(1, txn), { valueBytesMax: 10 })).toMatchObject(
    exceeded('success[1].value', 10, 20),
  );
});

test('renewals, names, metadata and range limits are bounded', () => {
  const renewals = Array.from({ length: 4 }, () => ({ lease, attempt: 1 }));
  expect(door(command(1, { type: 'lease-renew', renewals }), { renewalsMax: 3 })).toMatchObject(
    exceeded('renewals', 3, 4),
  );
  const revoke = command(1, { type: 'lease-revoke', lease: 'x'.repeat(257) as LeaseId });
  expect(door(revoke)).toMatchObject(exceeded('lease', 256, 257));
  const range: ClientRequest = {
    type: 'query',
    requestId: 1,
    consistency: 'stale',
    query: { type: 'range', start: key, end: undefined, limit: 10_001 },
  };
  expect(door(range)).toMatchObject(exceeded('limit', 10_000, 10_001));
});

test('values that are never accepted are INVALID_ARGUMENT with the field', () => {
  const invalid = (field: string): object => {
    return { error: { code: 'INVALID_ARGUMENT', details: { field } } };
  };
  expect(door(command(1, put(new Uint8Array(1), utf8ByteString(''))))).toMatchObject(
    invalid('key'),
  );
  for (const ttlMs of [0, -1, 1.5, 2 ** 53, Number.NaN]) {
    expect(door(command(1, { type: 'lease-grant', lease, ttlMs }))).toMatchObject(invalid('ttlMs'));
  }
});

test('more requests than a frame may hold close the connection', () => {
  const requests = Array.from(
    { length: 4 },
    (_, requestId) => ({ type: 'status', requestId }) as const,
  );
  const decoded = decodeClientFrame(encodeClientFrame({ type: 'requests', requests }), {
    ...DEFAULT_WIRE_LIMITS,
    requestsPerFrameMax: 3,
  });
  expect(decoded).toMatchObject({ ok: false, ...exceeded('requests', 3, 4) });
});

test('a frame above its limit is FRAME_TOO_LARGE before anything in it is read', () => {
  const limits = { ...DEFAULT_WIRE_LIMITS, frameBytesMax: 100 };
  expect(decodeClientFrame(new Uint8Array(101), limits)).toMatchObject({
    ok: false,
    error: { code: 'FRAME_TOO_LARGE', details: { limit: 100, actual: 101 } },
  });
});

test('one invalid request is refused by its id, its neighbours are taken', () => {
  const requests = [
    command(1, put(new Uint8Array(1))),
    command(2, put(new Uint8Array(1), utf8ByteString(''))),
    { type: 'status', requestId: 3 } as const,
  ];
  const decoded = decodeClientFrame(
    encodeClientFrame({ type: 'requests', requests }),
    DEFAULT_WIRE_LIMITS,
  );
  expect(decoded).toMatchObject({
    ok: true,
    value: {
      requests: [{ requestId: 1 }, { requestId: 3 }],
      refused: [{ requestId: 2, error: { code: 'INVALID_ARGUMENT' } }],
    },
  });
});

test('a request of an unknown kind is UNKNOWN_REQUEST, its connection lives on', () => {
  // [2, [[99, 7]]]: tag 99 under request id 7.
  const frame = Uint8Array.of(0x92, 2, 0x91, 0x92, 99, 7);
  expect(decodeClientFrame(frame, DEFAULT_WIRE_LIMITS)).toMatchObject({
    ok: true,
    value: { refused: [{ requestId: 7, error: { code: 'UNKNOWN_REQUEST' } }] },
  });
  // A command of an unknown kind: [2, [[1, 7, bin [40]]]].
  const payload = [0x91, 40];
  const command = Uint8Array.of(0x92, 2, 0x91, 0x93, 1, 7, 0xc4, payload.length, ...payload);
  expect(decodeClientFrame(command, DEFAULT_WIRE_LIMITS)).toMatchObject({
    ok: true,
    value: { refused: [{ requestId: 7, error: { code: 'UNKNOWN_REQUEST' } }] },
  });
});

test('a request that does not say which one it is makes the frame malformed', () => {
  const frame = Uint8Array.of(0x92, 2, 0x91, 0x92, 5, 0xc0);
  expect(decodeClientFrame(frame, DEFAULT_WIRE_LIMITS)).toMatchObject({
    ok: false,
    error: { code: 'MALFORMED_FRAME', details: { field: 'requests[0].requestId' } },
  });
});

test('a client cannot send what only a leader may propose', () => {
  const payload = encodeCommand({
    stamp: undefined,
    command: { type: 'expire-leases', leases: [{ lease, renewals: 0 }] },
  });
  const logged = { stamp, command: { type: 'session-touch' } } as const;
  expect(door({ type: 'command', requestId: 1, payload, logged })).toMatchObject({
    requestId: 1,
    error: { code: 'INVALID_ARGUMENT', details: { field: 'command' } },
  });
});

test('the log is read whatever the limits of the node: replicas must read alike', () => {
  const key = utf8ByteString('k'.repeat(DEFAULT_WIRE_LIMITS.keyBytesMax + 1));
  const value = new Uint8Array(DEFAULT_WIRE_LIMITS.frameBytesMax).fill(7);
  const { command } = commandCodec.decode(encodeCommand({ stamp, command: put(value, key) }));
  if (command.type !== 'put') throw new Error('not a put');
  expect(command.key).toBe(key);
  expect(Buffer.compare(command.value, value)).toBe(0);
});

test('another protocol version is named before the rest of a hello is read', () => {
  const hello = Uint8Array.of(0x94, 1, 9, 0xc0, 0xc0);
  expect(decodeClientFrame(hello, DEFAULT_WIRE_LIMITS)).toMatchObject({
    ok: false,
    error: { code: 'UNSUPPORTED_VERSION', details: { theirs: 9, ours: 1 } },
  });
});

test('an error code of no known version is malformed', () => {
  const frame = encodeServerFrame({
    type: 'goodbye',
    error: { code: 'NO_SUCH_CODE' as 'OVERLOADED', message: '', details: {} },
  });
  expect(decodeServerFrame(frame, DEFAULT_WIRE_LIMITS)).toMatchObject({
    ok: false,
    error: { code: 'MALFORMED_FRAME' },
  });
});

test('byte strings and bytes are two forms of one thing', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, value) => value);
  expect(bytesOf(byteString(bytes))).toEqual(bytes);
  expect(bytesOf(utf8ByteString('ü'))).toEqual(Uint8Array.of(0xc3, 0xbc));
  expect(() => bytesOf('\u0100' as ByteString)).toThrow(/character 0 of a byte string is 256/);
});

test('the end of a prefix is the first key after all that start with it', () => {
  const of = (...bytes: number[]): ByteString => byteString(Uint8Array.from(bytes));
  expect(prefixEnd(of(1, 2))).toBe(of(1, 3));
  expect(prefixEnd(of(1, 255, 255))).toBe(of(2));
  expect(prefixEnd(of(255))).toBeUndefined();
  expect(prefixEnd(of())).toBeUndefined();
});
