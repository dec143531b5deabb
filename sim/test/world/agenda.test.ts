import { describe, expect, it } from 'vitest';
import { Agenda } from '../../src/world/agenda.js';

function runAll(agenda: Agenda): void {
  while (agenda.step(Number.POSITIVE_INFINITY)) continue;
}

describe('the agenda', () => {
  it('lets things happen in order of time, and in order of planning at one moment', () => {
    const agenda = new Agenda();
    const seen: string[] = [];
    for (const [ms, name] of [
      [5, 'c'],
      [1, 'a'],
      [5, 'd'],
      [3, 'b'],
      [5, 'e'],
    ] as const) {
      agenda.at(ms, () => seen.push(`${name}@${agenda.nowMs}`));
    }
    runAll(agenda);
    expect(seen).toEqual(['a@1', 'b@3', 'c@5', 'd@5', 'e@5']);
  });

  it('skips what was cancelled and counts what happened', () => {
    const agenda = new Agenda();
    const seen: number[] = [];
    const bookings = Array.from({ length: 100 }, (_, at) =>
      agenda.at(100 - at, () => seen.push(at)),
    );
    for (const [at, booking] of bookings.entries()) if (at % 3 !== 0) booking.cancel();
    runAll(agenda);
    expect(seen).toEqual(Array.from({ length: 34 }, (_, at) => 99 - 3 * at));
    expect(agenda.happened).toBe(34);
  });

  it('stops at the given end, and what is planned for the past happens now', () => {
    const agenda = new Agenda();
    const seen: number[] = [];
    agenda.at(10, () => {
      agenda.at(4, () => seen.push(agenda.nowMs));
    });
    agenda.at(11, () => seen.push(agenda.nowMs));
    while (agenda.step(10)) continue;
    expect(seen).toEqual([10]);
    expect(agenda.step(10)).toBe(false);
  });
});
