import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  commandCodec,
  DEFAULT_WIRE_LIMITS,
  type Decoded,
  decodeClientFrame,
  decodeCommand,
  decodePeerFrame,
  decodeServerFrame,
  ERRORS,
  encodeClientFrame,
  encodePeerFrame,
  encodeServerFrame,
} from '../src/index.js';
import { clientFrame, peerFrame, serverFrame } from './arbitraries.js';

const limits = DEFAULT_WIRE_LIMITS;

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Decoded<unknown>>> = {
  client: (bytes) => decodeClientFrame(bytes, limits),
  server: (bytes) => decodeServerFrame(bytes, limits),
  peer: (bytes) => decodePeerFrame(bytes, limits),
  command: (bytes) => decodeCommand(bytes, limits),
};

const TYPED = new Set([
  'MALFORMED_FRAME',
  'FRAME_TOO_LARGE',
  'UNKNOWN_REQUEST',
  'UNSUPPORTED_VERSION',
  'LIMIT_EXCEEDED',
  'INVALID_ARGUMENT',
]);

/** Decoding must return; what it refuses must name a field and be of the decoder's own codes. */
function check(bytes: Uint8Array, counts: { ok: number; refused: number }): void {
  for (const decode of Object.values(decoders)) {
    const decoded = decode(bytes);
    if (decoded.ok) {
      counts.ok += 1;
      continue;
    }
    counts.refused += 1;
    expect(TYPED).toContain(decoded.error.code);
    expect(ERRORS[decoded.error.code].class).toBe('invalid');
    expect(decoded.error.details['field']).toBeTypeOf('string');
  }
}

const frame = fc.oneof(
  clientFrame.map((value) => new Uint8Array(encodeClientFrame(value))),
  serverFrame.map((value) => new Uint8Array(encodeServerFrame(value))),
  peerFrame.map((value) => new Uint8Array(encodePeerFrame(value))),
);

test('random bytes are refused with a typed error, never a throw', () => {
  const counts = { ok: 0, refused: 0 };
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => check(bytes, counts)),
    { numRuns: 3000 },
  );
  expect(counts.refused).toBeGreaterThan(0);
});

test('right kinds of values in wrong places are refused or read, never a throw', () => {
  const token = fc.constantFrom(0x90, 0x91, 0x92, 0x93, 0x9f, 0xdc, 0xdd, 0xc0, 0xc4, 0xcb, 0xcf);
  const byte = fc.oneof(token, fc.nat(8), fc.constantFrom(0xa1, 0xa0, 0xd3, 0xd9, 0xff, 0x41));
  const counts = { ok: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 60 }), (bytes) =>
      check(Uint8Array.from(bytes), counts),
    ),
    { numRuns: 5000 },
  );
  expect(counts.refused).toBeGreaterThan(0);
});

test('mutated frames are refused or read, never a throw', () => {
  const counts = { ok: 0, refused: 0 };
  const mutation = fc.record({ at: fc.nat(), byte: fc.nat(255) });
  fc.assert(
    fc.property(frame, fc.array(mutation, { minLength: 1, maxLength: 4 }), (bytes, mutations) => {
      for (const { at, byte } of mutations) bytes[at % bytes.length] = byte;
      check(bytes, counts);
    }),
    { numRuns: 3000 },
  );
  expect(counts.ok).toBeGreaterThan(0);
  expect(counts.refused).toBeGreaterThan(0);
});

test('a frame cut anywhere is malformed, and so is one with bytes after its end', () => {
  fc.assert(
    fc.property(frame, fc.nat(), (bytes, at) => {
      const cut = bytes.subarray(0, at % bytes.length);
      const longer = Uint8Array.from([...bytes, 0]);
      for (const decode of [decodeClientFrame, decodeServerFrame, decodePeerFrame]) {
        expect(decode(cut, limits)).toMatchObject({
          ok: false,
          error: { code: 'MALFORMED_FRAME' },
        });
        expect(decode(longer, limits)).toMatchObject({ ok: false });
      }
    }),
  );
});

const HUGE: readonly (readonly [string, readonly number[]])[] = [
  ['an array of 2^32 − 1', [0xdd, 0xff, 0xff, 0xff, 0xff]],
  ['an array of 2^24 whose items are not there', [0xdd, 0x01, 0x00, 0x00, 0x00, 0xc0, 0xc0]],
  ['bytes of 2^32 − 1', [0x92, 0x02, 0xc6, 0xff, 0xff, 0xff, 0xff, 0x00]],
  ['text of 2^32 − 1', [0x92, 0x02, 0xdb, 0xff, 0xff, 0xff, 0xff, 0x41]],
  ['a map of 2^32 − 1', [0xdf, 0xff, 0xff, 0xff, 0xff]],
  ['an extension of 2^32 − 1', [0xc9, 0xff, 0xff, 0xff, 0xff, 0x01]],
];

for (const [what, bytes] of HUGE) {
  test(`a declared length is never believed: ${what}`, () => {
    const before = process.memoryUsage();
    for (let round = 0; round < 100; round += 1)
      check(Uint8Array.from(bytes), { ok: 0, refused: 0 });
    const after = process.memoryUsage();
    const grown = after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed;
    expect(grown).toBeLessThan(32 * 1024 * 1024);
  });
}

test('depth is bounded: a frame of nested arrays is refused at once', () => {
  const nested = new Uint8Array(1024 * 1024).fill(0x91);
  nested[nested.length - 1] = 0xc0;
  for (const decode of Object.values(decoders)) {
    expect(decode(nested)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/nested deeper/) },
    });
  }
});

test('the number of values a client may make us allocate is bounded', () => {
  const count = 4_000_000;
  const wide = new Uint8Array(count + 7);
  wide.set([
    0x92,
    0x02,
    0xdd,
    count >>> 24,
    (count >>> 16) & 0xff,
    (count >>> 8) & 0xff,
    count & 0xff,
  ]);
  wide.fill(0xc0, 7);
  expect(decodeClientFrame(wide, limits)).toMatchObject({
    ok: false,
    error: { code: 'MALFORMED_FRAME', message: expect.stringMatching(/more than \d+ values/) },
  });
});

test('maps, extensions, float32 and ill-formed text are of no frame', () => {
  const foreign: readonly (readonly number[])[] = [
    [0x92, 0x01, 0x80],
    [0x92, 0x01, 0x81, 0xa9, 0x5f, 0x5f, 0x70, 0x72, 0x6f, 0x74, 0x6f, 0x5f, 0x5f, 0x01],
    [0x92, 0x01, 0xd4, 0x01, 0x01],
    [0x92, 0x01, 0xca, 0, 0, 0, 0],
    [0x92, 0x01, 0xc1],
    [0x92, 0x01, 0xa1, 0x80],
    [0x92, 0x01, 0xa2, 0xc0, 0x80],
    [0x92, 0x01, 0xa3, 0xed, 0xa0, 0x80],
    [0x92, 0x01, 0xa4, 0xf4, 0x90, 0x80, 0x80],
    [0x92, 0x01, 0xa2, 0xe2, 0x82],
  ];
  for (const bytes of foreign) {
    expect(decodeClientFrame(Uint8Array.from(bytes), limits)).toMatchObject({
      ok: false,
      error: { code: 'MALFORMED_FRAME', details: { field: 'frame' } },
    });
  }
});

test('names that are special to JavaScript stay plain text', () => {
  const details = Object.fromEntries([['__proto__', 1]]);
  const error = { code: 'OVERLOADED', message: 'constructor', details } as const;
  const decoded = decodeServerFrame(encodeServerFrame({ type: 'goodbye', error }), limits);
  if (!decoded.ok || decoded.value.type !== 'goodbye') throw new Error('not decoded');
  expect(Object.entries(decoded.value.error.details)).toEqual([['__proto__', 1]]);
  expect(Object.getPrototypeOf(decoded.value.error.details)).toBe(Object.prototype);
});

test('an entry that cannot be read stops the node: the codec of the log throws', () => {
  expect(() => commandCodec.decode(Uint8Array.of(0xc1))).toThrow(/entry cannot be read/);
  expect(() => commandCodec.decode(Uint8Array.of(0x92, 0x3f, 0x01))).toThrow(/unknown tag 63/);
});
