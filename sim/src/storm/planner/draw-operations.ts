import type { ClientOperation } from '../../workload/operation.js';
import type { ClientTarget, TimedCommand } from '../command.js';
import type { StormProfile } from '../profile.js';
import { Dice, type Weighted } from './dice.js';

/** Advances of the fence of just any resource, not that of the own election. */
const STRANGERS_PERCENT = 25;

/** Keys and elections are few: clients must meet. */
const KEYS = 8;
/** Transactions stay among the first keys: their histories are searched as one. */
const TXN_KEYS = 3;
const ELECTIONS = 3;

/** Mean time between two operations of the whole world, ms, within a busy stretch. */
const BUSY_GAP_MS = 60;
/** Between two stretches the rate is drawn anew. */
const STRETCH_MS = 9_000;

/** What comes to a leased key besides follows from its put, see `drawLeasedReads`. */
type Kind = Exclude<ClientOperation['type'], 'get-leased' | 'unbind'>;

/** Stretches of plain reading and writing: many operations, and no lease need live. */
const KEY_KINDS: readonly Weighted<Kind>[] = [
  [40, 'get'],
  [24, 'put'],
  [4, 'delete'],
  [8, 'compare-and-put'],
  [7, 'transact'],
  [2, 'range'],
  [1, 'delete-range'],
  [0.7, 'watch'],
];

/** Stretches in which workers compete. */
const LEASE_KINDS: readonly Weighted<Kind>[] = [
  [24, 'get'],
  [20, 'put'],
  [3, 'delete'],
  [7, 'compare-and-put'],
  [6, 'transact'],
  [2, 'range'],
  [1, 'delete-range'],
  [3, 'put-leased'],
  [8, 'lead'],
  [1.2, 'run'],
  [2, 'show-election'],
  [1.5, 'observe'],
  [1.5, 'watch'],
  [1.2, 'end-grant'],
  [1, 'fence-advance'],
];

/** What the clients do, and when: stretches of business and of quiet. */
export function drawOperations(seed: number, profile: StormProfile): readonly TimedCommand[] {
  const dice = new Dice(seed, 'operations');
  const commands: TimedCommand[] = [];
  let atMs = dice.between(20, 400);
  let gapMs = BUSY_GAP_MS;
  let kinds = LEASE_KINDS;
  let stretchEndMs = 0;
  while (atMs < profile.stormMs) {
    if (atMs >= stretchEndMs) {
      gapMs = dice.pick([BUSY_GAP_MS / 3, BUSY_GAP_MS, BUSY_GAP_MS, 3 * BUSY_GAP_MS]);
      kinds = dice.percent(50) ? KEY_KINDS : LEASE_KINDS;
      stretchEndMs = atMs + dice.between(STRETCH_MS / 4, STRETCH_MS);
    }
    const client: ClientTarget = dice.percent(4)
      ? 'holder'
      : dice.whole(0, profile.clientCount - 1);
    const operation = drawOperation(dice, kinds);
    commands.push({ atMs, command: { type: 'operate', client, operation } });
    atMs += dice.between(0, 2 * gapMs);
  }
  return commands;
}

function drawOperation(dice: Dice, kinds: readonly Weighted<Kind>[]): ClientOperation {
  const type = dice.weighted(kinds);
  switch (type) {
    case 'get':
      return { type, key: key(dice), stale: dice.percent(10) };
    case 'put':
    case 'delete':
    case 'compare-and-put':
      return { type, key: key(dice) };
    case 'transact':
      return { type, reads: txnKeys(dice), writes: txnKeys(dice) };
    case 'range':
      return { type };
    case 'delete-range': {
      const from = key(dice);
      return { type, from, to: Math.min(KEYS, from + dice.whole(1, 3)) };
    }
    case 'put-leased':
      return {
        type,
        key: key(dice),
        ttlMs: ttl(dice),
        holdMs: Math.round(dice.skewed(50, 6_000)),
        end: dice.pick(['revoke', 'abandon']),
      };
    case 'watch': {
      const from = dice.pick([0, key(dice)]);
      const to = dice.percent(50) ? KEYS : from + 1;
      return { type, from, to, forMs: Math.round(dice.skewed(200, 25_000)) };
    }
    case 'observe':
      return { type, election: election(dice), forMs: Math.round(dice.skewed(200, 25_000)) };
    case 'show-election':
      return { type, election: election(dice) };
    case 'end-grant':
      return { type, election: election(dice), by: dice.pick(['revoke', 'withdraw']) };
    case 'fence-advance': {
      const of = election(dice);
      // A resource belongs to the election that came first: the others are strangers to it.
      const resource = dice.percent(STRANGERS_PERCENT) ? election(dice) : of;
      return { type, election: of, resource };
    }
    case 'lead':
    case 'run':
      return drawLeading(dice, type);
  }
}

function drawLeading(dice: Dice, type: 'lead' | 'run'): ClientOperation {
  const work = {
    election: election(dice),
    ttlMs: ttl(dice),
    holdMs: Math.round(dice.skewed(100, 8_000)),
    workEveryMs: Math.round(dice.skewed(60, 1_200)),
  };
  if (type === 'run') return { type, ...work };
  return {
    type,
    ...work,
    careless: dice.percent(25),
    waitMs: dice.percent(30) ? Math.round(dice.skewed(20, 6_000)) : undefined,
    end: dice.percent(75) ? 'resign' : 'abandon',
  };
}

function key(dice: Dice): number {
  return Math.floor(dice.skewed(0, KEYS));
}

function election(dice: Dice): number {
  return Math.floor(dice.skewed(0, ELECTIONS));
}

function txnKeys(dice: Dice): readonly number[] {
  return dice.shuffled(TXN_KEYS).slice(0, dice.whole(1, TXN_KEYS));
}

/** From the least allowed: short leases are where renewals race. */
function ttl(dice: Dice): number {
  return Math.round(dice.skewed(500, 14_000));
}
