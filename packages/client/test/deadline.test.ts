import { describe, expect, it } from 'vitest';
import { Deadline, holdMs, readInstant, stopBudgetMs } from '../src/deadline.js';

const at = (monotonicMs: number, wallMs = monotonicMs) => ({ monotonicMs, wallMs });

describe('the deadline of a lease', () => {
  it('is the TTL shortened by both clock rates and the margin, counted from the send', () => {
    expect(holdMs(10_000)).toBeCloseTo((10_000 * 0.99) / 1.01 - 200, 6);
    expect(holdMs(500)).toBeCloseTo((500 * 0.99) / 1.01 - 20, 6);
    const deadline = new Deadline(10_000, at(1_000));
    expect(deadline.remainingMs(at(1_000))).toBeCloseTo(holdMs(10_000), 6);
    expect(deadline.remainingMs(at(5_000))).toBeCloseTo(holdMs(10_000) - 4_000, 6);
  });

  it('leaves a stop budget of a tenth of the TTL, 20 ms at least', () => {
    expect(stopBudgetMs(10_000)).toBe(1_000);
    expect(stopBudgetMs(100)).toBe(20);
    const deadline = new Deadline(10_000, at(0));
    expect(deadline.untilStopMs(at(0))).toBeCloseTo(holdMs(10_000) - 1_000, 6);
  });

  it('never moves back: an acknowledgement of an earlier send changes nothing', () => {
    const deadline = new Deadline(10_000, at(1_000));
    expect(deadline.acknowledge(at(3_000))).toBe(true);
    expect(deadline.acknowledge(at(2_000))).toBe(false);
    expect(deadline.remainingMs(at(3_000))).toBeCloseTo(holdMs(10_000), 6);
  });

  it('is over when either clock says so: a suspend or a wall step can only shorten it', () => {
    const deadline = new Deadline(10_000, at(0, 0));
    expect(deadline.remainingMs(at(100, 3_600_000))).toBeLessThan(0);
    expect(deadline.remainingMs(at(20_000, 100))).toBeLessThan(0);
    expect(deadline.remainingMs(at(100, -3_600_000))).toBeCloseTo(holdMs(10_000) - 100, 6);
  });

  it('K-063: the monotonic clock is read first, so that a pause between the two adds nothing', () => {
    const order: string[] = [];
    const clock = {
      monotonicMs: () => order.push('monotonic'),
      wallMs: () => order.push('wall'),
    };
    readInstant(clock);
    expect(order).toEqual(['monotonic', 'wall']);
  });
});
