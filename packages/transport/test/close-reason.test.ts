import { ERRORS, type ErrorCode, errorBody } from '@raftd/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closeCode, closeReason } from '../src/close-reason.js';

test('a reason fits a close frame whatever the message, and is never cut inside a character', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, unit: 'grapheme' }), (message) => {
      const reason = closeReason(errorBody('OVERLOADED', message));
      expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123);
      expect(`OVERLOADED: ${message}`.startsWith(reason)).toBe(true);
    }),
  );
});

test('every code of the table has a close code that may be sent', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    expect([1001, 1002, 1008, 1009, 1013]).toContain(closeCode(code));
  }
});
