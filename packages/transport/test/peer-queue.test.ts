import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageBytes, PeerQueue } from '../src/peer-queue.js';
import { append } from './messages.js';

test('batches keep the order and the limit; only a single message may be above it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3_000), { maxLength: 30 }), (sizes) => {
      const queue = new PeerQueue(100, Number.MAX_SAFE_INTEGER);
      const messages = sizes.map(append);
      for (const message of messages) expect(queue.push(message, 0)).toBe(true);
      const batches = queue.drain(2_000);
      expect(batches.flat()).toEqual(messages);
      for (const batch of batches) {
        const bytes = batch.reduce((sum, message) => sum + messageBytes(message), 0);
        if (batch.length > 1) expect(bytes).toBeLessThanOrEqual(2_000);
        expect(batch.length).toBeGreaterThan(0);
      }
      expect(queue.isEmpty).toBe(true);
    }),
  );
});

test('bytes that the network has not taken yet count against the bound', () => {
  const queue = new PeerQueue(100, 10_000);
  expect(queue.push(append(1_000), 9_000)).toBe(false);
  expect(queue.push(append(1_000), 8_000)).toBe(true);
  expect(queue.push(append(1_000), 8_000)).toBe(false);
  queue.clear();
  expect(queue.push(append(1_000), 8_000)).toBe(true);
});

test('the number of messages is bounded too', () => {
  const queue = new PeerQueue(2, Number.MAX_SAFE_INTEGER);
  expect([1, 2, 3].map((bytes) => queue.push(append(bytes), 0))).toEqual([true, true, false]);
});
