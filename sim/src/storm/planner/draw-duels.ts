import type { ClientOperation } from '../../workload/operation.js';
import type { TimedCommand } from '../command.js';
import type { StormProfile } from '../profile.js';
import { Dice } from './dice.js';

/** Mean time between two duels, ms. */
const GAP_MS = 10_000;

/**
 * Now and then two clients want the same election for long, on short leases, and go on working in
 * doubt: whoever is cut off then has somebody who wins in its place.
 */
export function drawDuels(seed: number, profile: StormProfile): readonly TimedCommand[] {
  const dice = new Dice(seed, 'duels');
  const commands: TimedCommand[] = [];
  for (let atMs = dice.between(0, 2 * GAP_MS); atMs < profile.stormMs; ) {
    const first = dice.whole(0, profile.clientCount - 1);
    const operation: ClientOperation = {
      type: 'lead',
      election: dice.whole(0, 2),
      ttlMs: dice.whole(1_000, 3_000),
      holdMs: dice.whole(4_000, 12_000),
      workEveryMs: 250,
      careless: true,
      waitMs: undefined,
      end: 'resign',
    };
    for (const client of [first, (first + 1) % profile.clientCount]) {
      if (atMs >= profile.stormMs) return commands;
      commands.push({ atMs, command: { type: 'operate', client, operation } });
      atMs += dice.between(50, 500);
    }
    atMs += dice.between(0, 2 * GAP_MS);
  }
  return commands;
}
