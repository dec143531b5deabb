import type { TimedCommand } from '../command.js';
import type { StormProfile } from '../profile.js';
import { Dice } from './dice.js';

/** For each key that is bound to a lease. */
const READS: readonly [least: number, most: number] = [1, 3];

/** Of those keys, how many somebody takes from their lease. */
const UNBOUND_PERCENT = 60;
const UNBIND_BY = ['put', 'put', 'put', 'delete', 'delete-range', 'transact', 'transact'] as const;

/** Keys that somebody takes from their lease, mostly while it lives, and then are read again. */
export function drawUnbinds(
  seed: number,
  { clientCount, stormMs }: StormProfile,
  operations: readonly TimedCommand[],
): readonly TimedCommand[] {
  const dice = new Dice(seed, 'unbinds');
  const commands: TimedCommand[] = [];
  for (const { atMs, command } of operations) {
    if (command.type !== 'operate' || command.operation.type !== 'put-leased') continue;
    if (!dice.percent(UNBOUND_PERCENT)) continue;
    const { key, holdMs } = command.operation;
    const unbindAtMs = atMs + dice.between(0, 1.2 * holdMs);
    const client = dice.whole(0, clientCount - 1);
    const operation = { type: 'unbind', key, by: dice.pick(UNBIND_BY) } as const;
    if (unbindAtMs >= stormMs) continue;
    commands.push({ atMs: unbindAtMs, command: { type: 'operate', client, operation } });
  }
  return commands;
}

/**
 * Somebody looks at a key that goes with its lease while it should be there, and when it should be
 * gone: from the put until a little after the lease can have ended.
 */
export function drawLeasedReads(
  seed: number,
  { clientCount, stormMs }: StormProfile,
  operations: readonly TimedCommand[],
): readonly TimedCommand[] {
  const dice = new Dice(seed, 'leased-reads');
  const commands: TimedCommand[] = [];
  for (const { atMs, command } of operations) {
    if (command.type !== 'operate' || command.operation.type !== 'put-leased') continue;
    const { key, holdMs, ttlMs } = command.operation;
    for (let left = dice.whole(...READS); left > 0; left -= 1) {
      const readAtMs = atMs + dice.between(0, 1.5 * (holdMs + ttlMs));
      const client = dice.whole(0, clientCount - 1);
      const operation = { type: 'get-leased', key, stale: dice.percent(10) } as const;
      if (readAtMs >= stormMs) continue;
      commands.push({ atMs: readAtMs, command: { type: 'operate', client, operation } });
    }
  }
  return commands;
}
