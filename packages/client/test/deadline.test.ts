import { describe, expect, it } from 'vitest';
import { Deadline, holdMs, stopBudgetMs } from '../src/deadline.js';
import { elapsedMs, Timekeeper } from '../src/timekeeper.js';

const HOUR = 3_600_000;

/** Two clocks at a test's hand; `read` moves both. */
class Clocks {
  monotonic = 0;
  wall = 0;
  readonly time: Timekeeper = new Timekeeper({
    monotonicMs: () => this.monotonic,
    wallMs: () => this.wall,
  });

  read(monotonicMs: number, wallMs = monotonicMs) {
    this.monotonic = monotonicMs;
    this.wall = wallMs;
    return this.time.now();
  }
}

describe('the deadline of a lease', () => {
  it('is the TTL shortened by both clock rates and the margin, counted from the send', () => {
    expect(holdMs(10_000)).toBeCloseTo((10_000 * 0.99) / 1.01 - 200, 6);
    expect(holdMs(500)).toBeCloseTo((500 * 0.99) / 1.01 - 20, 6);
    const clocks = new Clocks();
    const deadline = new Deadline(10_000, clocks.read(1_000));
    expect(deadline.remainingMs(clocks.read(1_000))).toBeCloseTo(holdMs(10_000), 6);
    expect(deadline.remainingMs(clocks.read(5_000))).toBeCloseTo(holdMs(10_000) - 4_000, 6);
  });

  it('leaves a stop budget of a tenth of the TTL, 20 ms at least', () => {
    expect(stopBudgetMs(10_000)).toBe(1_000);
    expect(stopBudgetMs(100)).toBe(20);
    const clocks = new Clocks();
    const deadline = new Deadline(10_000, clocks.read(0));
    expect(deadline.untilStopMs(clocks.read(0))).toBeCloseTo(holdMs(10_000) - 1_000, 6);
  });

  it('never moves back: an acknowledgement of an earlier send changes nothing', () => {
    const clocks = new Clocks();
    const deadline = new Deadline(10_000, clocks.read(1_000));
    const earlier = clocks.read(2_000);
    const later = clocks.read(3_000);
    expect(deadline.acknowledge(later)).toBe(true);
    expect(deadline.acknowledge(earlier)).toBe(false);
    expect(deadline.remainingMs(later)).toBeCloseTo(holdMs(10_000), 6);
  });
});

describe('time by two clocks', () => {
  it('passes as the one shows that shows more: a suspend or a step can only shorten', () => {
    const since = (monotonicMs: number, wallMs: number): number => {
      const clocks = new Clocks();
      return elapsedMs(clocks.read(0), clocks.read(monotonicMs, wallMs));
    };
    expect(since(100, HOUR)).toBe(HOUR);
    expect(since(20_000, 100)).toBe(20_000);
    expect(since(100, -HOUR)).toBe(100);
  });

  it('shows a suspend also after the wall clock was set back', () => {
    const clocks = new Clocks();
    const sent = clocks.read(0);
    expect(elapsedMs(sent, clocks.read(100, 100 - HOUR))).toBe(100);
    expect(elapsedMs(sent, clocks.read(200, 200 - HOUR + 20_000))).toBe(20_200);
  });

  it('forgets no suspend when the wall clock is set back after it', () => {
    const clocks = new Clocks();
    const sent = clocks.read(0);
    expect(elapsedMs(sent, clocks.read(100, 5_100))).toBe(5_100);
    const between = clocks.read(150, 5_150);
    expect(elapsedMs(sent, clocks.read(200, 200 - HOUR))).toBe(5_200);
    expect(elapsedMs(between, clocks.read(200, 200 - HOUR))).toBe(50);
  });

  it('does not add up the resolution of the wall clock, however often it is read', () => {
    const clocks = new Clocks();
    const sent = clocks.read(0);
    for (let ms = 0; ms < 1_000; ms += 0.1) clocks.read(ms, Math.floor(ms));
    expect(elapsedMs(sent, clocks.read(1_000, 1_000))).toBeLessThan(1_002);
  });

  it('K-063: a pause between the two readings is never gained: at worst it counts twice', () => {
    let nowMs = 0;
    let pauseMs = 0;
    const time = new Timekeeper({
      monotonicMs: () => {
        const readMs = nowMs;
        nowMs += pauseMs;
        return readMs;
      },
      wallMs: () => 1_000 + nowMs,
    });
    const before = time.now();
    pauseMs = 300;
    const during = time.now();
    pauseMs = 0;
    const after = time.now();
    expect(elapsedMs(before, during)).toBe(300);
    expect(elapsedMs(before, after)).toBe(600);
    expect(elapsedMs(during, after)).toBe(300);
  });
});
