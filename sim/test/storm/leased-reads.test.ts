import { expect, it } from 'vitest';
import { planStorm } from '../../src/storm/planner/plan-storm.js';

it('plans reads of every key that is put on a lease, from then until after its end', () => {
  let puts = 0;
  let reads = 0;
  for (let seed = 1; seed <= 100; seed += 1) {
    const { commands } = planStorm(seed);
    const since = new Map<number, number>();
    for (const { atMs, command } of commands) {
      if (command.type !== 'operate') continue;
      const { operation } = command;
      if (operation.type === 'put-leased') {
        puts += 1;
        since.set(operation.key, atMs);
      } else if (operation.type === 'get-leased') {
        reads += 1;
        expect(since.get(operation.key)).toBeLessThanOrEqual(atMs);
      }
    }
  }
  expect(puts).toBeGreaterThan(100);
  expect(reads).toBeGreaterThan(puts);
  expect(reads).toBeLessThan(3 * puts);
});
