import { describe, expect, it } from 'vitest';
import { Agenda } from '../../src/world/agenda.js';
import { ProcessClock } from '../../src/world/process-clock.js';
import { SimProcess } from '../../src/world/process.js';

function createProcess(rate = 1): { agenda: Agenda; process: SimProcess; clock: ProcessClock } {
  const agenda = new Agenda();
  const clock = new ProcessClock(agenda.clock, { rate, bootOffsetMs: 500, wallOffsetMs: 0 });
  return { agenda, clock, process: new SimProcess('p', agenda, clock) };
}

function runUntil(agenda: Agenda, ms: number): void {
  agenda.at(ms, () => undefined);
  while (agenda.step(ms)) continue;
}

describe('a process', () => {
  it('fires its timers by its own clock, which may be fast', () => {
    const { agenda, process, clock } = createProcess(1.25);
    let firedMs = 0;
    process.start(() => {
      process.after(100, () => (firedMs = clock.monotonicMs()));
    });
    runUntil(agenda, 81);
    expect(firedMs).toBeGreaterThanOrEqual(600);
    expect(firedMs).toBeLessThan(600.01);
  });

  it('handles nothing while frozen, and everything in order at the thaw', () => {
    const { agenda, process } = createProcess();
    const seen: string[] = [];
    process.start(() => {
      process.after(10, () => seen.push('timer'));
    });
    process.freeze();
    runUntil(agenda, 20);
    process.deliver(() => seen.push('input 1'));
    process.deliver(() => seen.push('input 2'));
    expect(seen).toEqual([]);
    expect(process.thaw({ timersFirst: false })).toBe(20);
    expect(seen).toEqual(['input 1', 'input 2', 'timer']);
  });

  it('takes nothing of an old life into a new one', () => {
    const { agenda, process } = createProcess();
    const seen: string[] = [];
    process.start(() => {
      process.after(10, () => seen.push('old'));
      process.defer(() => seen.push('old deferred'));
    });
    process.kill();
    process.deliver(() => seen.push('to the dead'));
    process.start(() => {
      process.after(10, () => seen.push('new'));
    });
    runUntil(agenda, 30);
    expect(seen).toEqual(['new']);
    expect(process.life).toBe(2);
  });

  it('a timer cancelled while the process was frozen does not fire at the thaw', () => {
    const { agenda, process } = createProcess();
    let cancel = (): void => undefined;
    let fired = false;
    process.start(() => {
      cancel = process.after(10, () => (fired = true));
    });
    process.freeze();
    process.deliver(() => cancel());
    runUntil(agenda, 20);
    process.thaw({ timersFirst: false });
    expect(fired).toBe(false);
  });

  it('an inputs flood beyond what sockets hold is lost, not kept', () => {
    const { process } = createProcess();
    let handled = 0;
    process.start(() => undefined);
    process.freeze();
    for (let count = 0; count < 10_000; count += 1) process.deliver(() => (handled += 1));
    process.thaw({ timersFirst: true });
    expect(handled).toBe(4_096);
  });
});

describe('the clocks of a machine', () => {
  it('a step of the wall clock leaves the monotonic one alone', () => {
    const { agenda, clock } = createProcess();
    runUntil(agenda, 10);
    const wallMs = clock.wallMs();
    clock.jumpWall(-3_600_000);
    expect(clock.wallMs()).toBe(wallMs - 3_600_000);
    expect(clock.monotonicMs()).toBe(510);
  });

  it('a reboot begins the monotonic clock anew', () => {
    const { agenda, clock } = createProcess();
    runUntil(agenda, 10);
    clock.reboot(3);
    expect(clock.monotonicMs()).toBe(3);
    runUntil(agenda, 30);
    expect(clock.monotonicMs()).toBe(23);
  });
});
