import type { Settings } from '@raftd/coordinator';
import type { RaftLimits } from '@raftd/raft';
import type { TightLimits } from '../profile.js';
import { Dice } from './dice.js';

/** Share of seeds with a cluster, and with cores, that hold little. */
const SMALL_CLUSTER_PERCENT = 10;
const SMALL_CORES_PERCENT = 10;

/**
 * Bounds that this seed's clients meet. None is so small that a cluster could not live within it:
 * what is due must fit, and no request is wrong in itself.
 */
export function drawTightLimits(seed: number): { readonly tight?: TightLimits } {
  const dice = new Dice(seed, 'limits');
  const isSmallCluster = dice.percent(SMALL_CLUSTER_PERCENT);
  const hasSmallCores = dice.percent(SMALL_CORES_PERCENT);
  if (!isSmallCluster && !hasSmallCores) return {};
  const settings = isSmallCluster ? { ...drawSettings(dice), ...drawEntry(seed) } : {};
  return { tight: { settings, core: hasSmallCores ? drawCore(dice) : {} } };
}

/**
 * Sessions are not short: the place of one is free ten minutes after its client went (or slept, or
 * had its clock set), and a candidate without a deadline rightly waits for that longer than any
 * storm lasts. `test/storm/odd-configurations` and `test/machines` run out of them.
 */
function drawSettings(dice: Dice): Partial<Settings> {
  return {
    leasesMax: dice.pick([2, 4, 1_000_000]),
    electionsMax: dice.pick([1, 2, 100_000]),
    candidatesPerElectionMax: dice.pick([1, 2, 10_000]),
    fencesMax: dice.pick([1, 100_000]),
    sessionReplyBytesMax: dice.pick([1, 300, 1_048_576]),
  };
}

/** One key must fit: what is due then ends lease by lease, and plain writes go on. */
function drawEntry(seed: number): Partial<Settings> {
  return { keysPerEntryMax: new Dice(seed, 'entries').pick([1, 2, 3, 10_000]) };
}

function drawCore(dice: Dice): Partial<RaftLimits> {
  return {
    uncommittedBytesMax: dice.pick([8_192, 65_536]),
    pendingReadsMax: dice.pick([1, 3, 100_000]),
    inflightMessagesMax: dice.pick([2, 8, 256]),
    appendBytesMax: dice.pick([3_000, 262_144]),
  };
}
