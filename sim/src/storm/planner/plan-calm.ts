import type { ClientOperation } from '../../workload/operation.js';
import type { TimedCommand } from '../command.js';
import type { StormPlan } from '../plan.js';
import { Dice } from './dice.js';
import { drawProfile } from './draw-profile.js';

/** Now and then a call: a cluster must not need traffic to stay calm, nor be upset by it. */
const QUIET_GAP_MS = 20_000;

/**
 * Hours in which nothing goes wrong: three nodes, two clients, clocks that run alike. Whoever is
 * elected first must lead to the end.
 */
export function planCalm(seed: number, calmMs: number): StormPlan {
  const world = { stormMs: calmMs, faults: [], nodeCount: 3, clientCount: 2 };
  const profile = drawProfile(seed, world);
  const dice = new Dice(seed, 'calm');
  const commands: TimedCommand[] = [];
  for (let atMs = 5_000; atMs < calmMs; atMs += dice.between(0, 2 * QUIET_GAP_MS)) {
    const client = dice.whole(0, profile.clientCount - 1);
    commands.push({ atMs, command: { type: 'operate', client, operation: drawQuiet(dice) } });
  }
  return { version: 1, seed, profile, commands, liveness: undefined };
}

function drawQuiet(dice: Dice): ClientOperation {
  const key = dice.whole(0, 3);
  return dice.weighted<ClientOperation>([
    [5, { type: 'get', key, stale: false }],
    [5, { type: 'put', key }],
    [1, LEAD],
  ]);
}

const LEAD: ClientOperation = {
  type: 'lead',
  election: 0,
  ttlMs: 5_000,
  holdMs: 8_000,
  workEveryMs: 1_000,
  careless: false,
  waitMs: undefined,
  end: 'resign',
};
