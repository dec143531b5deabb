import { expect, test } from 'vitest';
import { KeepAlive } from '../src/keep-alive.js';

/** Timers that the test fires. */
function manual(): {
  readonly timers: KeepAliveTimers;
  fire(): void;
  readonly armed: () => number;
} {
  const callbacks = new Set<() => void>();
  const timers: KeepAliveTimers = {
    after(_delayMs, callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    defer: (callback) => callback(),
  };
  const fire = (): void => {
    const due = [...callbacks];
    callbacks.clear();
    for (const callback of due) callback();
  };
  return { timers, fire, armed: () => callbacks.size };
}
type KeepAliveTimers = ConstructorParameters<typeof KeepAlive>[0]['timers'];

function watched(missesMax: number) {
  const { timers, fire, armed } = manual();
  const seen = { pings: 0, dead: 0 };
  const keepAlive = new KeepAlive({
    everyMs: 500,
    missesMax,
    timers,
    ping: () => {
      seen.pings += 1;
    },
    dead: () => {
      seen.dead += 1;
    },
  });
  return { keepAlive, fire, armed, seen };
}

test('unanswered pings in a row end it, once', () => {
  const { fire, seen, armed } = watched(4);
  for (let interval = 0; interval < 4; interval += 1) fire();
  expect(seen).toEqual({ pings: 4, dead: 0 });
  fire();
  expect(seen).toEqual({ pings: 4, dead: 1 });
  expect(armed()).toBe(0);
});

test('any sign of life starts the count again', () => {
  const { keepAlive, fire, seen } = watched(2);
  for (let interval = 0; interval < 10; interval += 1) {
    fire();
    keepAlive.heard();
  }
  expect(seen).toEqual({ pings: 10, dead: 0 });
});

test('a freeze of this process, however long, is one interval', () => {
  const { keepAlive, fire, seen } = watched(2);
  fire();
  // Frozen here for an hour: one timer is due, then what arrived meanwhile is read.
  fire();
  keepAlive.heard();
  fire();
  expect(seen.dead).toBe(0);
});

test('stopped, it neither pings nor ends anything', () => {
  const { keepAlive, fire, seen, armed } = watched(1);
  keepAlive.stop();
  expect(armed()).toBe(0);
  fire();
  expect(seen).toEqual({ pings: 0, dead: 0 });
});
