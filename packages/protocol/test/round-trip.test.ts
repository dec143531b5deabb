import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  commandCodec,
  DEFAULT_WIRE_LIMITS,
  decodeClientFrame,
  decodeCommand,
  decodePeerFrame,
  decodeServerFrame,
  encodeClientFrame,
  encodeCommand,
  encodePeerFrame,
  encodeServerFrame,
  type FencingToken,
  type LoggedCommand,
} from '../src/index.js';
import {
  clientCommand,
  clientFrame,
  peerFrame,
  serverFrame,
  stamp,
  systemCommand,
} from './arbitraries.js';

const limits = DEFAULT_WIRE_LIMITS;
const runs = { numRuns: 1000 };

test('every frame of a client reads as it was written', () => {
  fc.assert(
    fc.property(clientFrame, (frame) => {
      const decoded = decodeClientFrame(encodeClientFrame(frame), limits);
      const expected = frame.type === 'requests' ? { ...frame, refused: [] } : frame;
      expect(decoded).toEqual({ ok: true, value: expected });
    }),
    runs,
  );
});

test('every frame of a server reads as it was written', () => {
  fc.assert(
    fc.property(serverFrame, (frame) => {
      const decoded = decodeServerFrame(encodeServerFrame(frame), limits);
      expect(decoded).toEqual({ ok: true, value: frame });
    }),
    runs,
  );
});

test('every frame of a peer reads as it was written', () => {
  fc.assert(
    fc.property(peerFrame, (frame) => {
      const decoded = decodePeerFrame(encodePeerFrame(frame), limits);
      expect(decoded).toEqual({ ok: true, value: frame });
    }),
    runs,
  );
});

const logged = fc.oneof(
  fc.record({ stamp, command: clientCommand }),
  fc.record({ stamp: fc.constant(undefined), command: systemCommand }),
);

test('every command of the log reads as it was written, and has one form of bytes', () => {
  fc.assert(
    fc.property(logged, (command) => {
      const payload = encodeCommand(command);
      expect(decodeCommand(payload)).toEqual({ ok: true, value: command });
      expect(commandCodec.decode(payload)).toEqual(command);
      expect(encodeCommand(commandCodec.decode(payload))).toEqual(payload);
    }),
    runs,
  );
});

test('what was validated at the door reads the same as what is read from the log', () => {
  fc.assert(
    fc.property(clientFrame, (frame) => {
      const decoded = decodeClientFrame(encodeClientFrame(frame), limits);
      if (!decoded.ok || decoded.value.type !== 'requests') return;
      for (const request of decoded.value.requests) {
        if (request.type !== 'command') continue;
        const remembered = commandCodec.decode(request.payload);
        expect(remembered).toBe(request.logged);
        // Taken once: from here on the bytes alone speak.
        expect(commandCodec.decode(request.payload)).not.toBe(remembered);
        expect(commandCodec.decode(request.payload.slice())).toEqual(remembered);
      }
    }),
    runs,
  );
});

test('tokens are exact around 2^53 and up to 2^63 − 1, numbers up to 2^53 − 1', () => {
  for (const token of [
    0n,
    1n,
    2n ** 32n,
    2n ** 53n - 1n,
    2n ** 53n,
    2n ** 53n + 1n,
    2n ** 63n - 1n,
  ]) {
    const grants = [{ election: 'e', token: token as FencingToken }];
    const command: LoggedCommand = { stamp: undefined, command: { type: 'end-grants', grants } };
    expect(commandCodec.decode(encodeCommand(command))).toEqual(command);
  }
  for (const level of [0, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1]) {
    const command: LoggedCommand = {
      stamp: undefined,
      command: { type: 'raise-feature-level', level },
    };
    expect(commandCodec.decode(encodeCommand(command))).toEqual(command);
  }
});

test('a token beyond 63 bits is a fault of the caller and does not leave', () => {
  const grants = [{ election: 'e', token: (2n ** 63n) as FencingToken }];
  const command: LoggedCommand = { stamp: undefined, command: { type: 'end-grants', grants } };
  expect(() => encodeCommand(command)).toThrow(/63 bits/);
});

test('a payload does not change with the frame it came in', () => {
  fc.assert(
    fc.property(fc.record({ stamp, command: clientCommand }), (command) => {
      const payload = encodeCommand(command);
      const request = { type: 'command', requestId: 1, payload, logged: command } as const;
      const frame = new Uint8Array(encodeClientFrame({ type: 'requests', requests: [request] }));
      const decoded = decodeClientFrame(frame, limits);
      frame.fill(0xff);
      if (!decoded.ok || decoded.value.type !== 'requests') throw new Error('not decoded');
      expect(decoded.value.requests).toEqual([request]);
    }),
  );
});
