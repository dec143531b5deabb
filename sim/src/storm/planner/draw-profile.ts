import { FAULT_KINDS, type FaultKind } from '../fault-kind.js';
import type { StormProfile } from '../profile.js';
import { Dice } from './dice.js';
import { drawTightLimits } from './draw-limits.js';

/** What a caller fixes of a plan; everything else is drawn. */
export interface PlanOptions {
  /** Length of the storm, ms; default drawn from 20 to 48 s. */
  readonly stormMs?: number | undefined;
  /** Exactly these fault kinds exist; default: a drawn subset. */
  readonly faults?: readonly FaultKind[] | undefined;
  /** These do not exist, whatever is drawn; all other draws stay as they are. */
  readonly without?: readonly FaultKind[] | undefined;
  readonly nodeCount?: number | undefined;
  readonly clientCount?: number | undefined;
}

/** Chance of each kind to exist in a seed, per cent. Lasting harm is rare: it ends stories. */
const PRESENCE: Readonly<Record<FaultKind, number>> = {
  drop: 50,
  duplicate: 45,
  reorder: 35,
  delay: 50,
  'one-way-cut': 50,
  partition: 55,
  swizzle: 20,
  crash: 65,
  'crash-all': 25,
  'torn-write': 40,
  'write-failure': 25,
  'corrupt-record': 15,
  'disk-stall': 35,
  'disk-full': 20,
  'freeze-node': 45,
  'freeze-client': 50,
  'clock-rate': 60,
  'clock-jump': 40,
  'client-death': 45,
  'client-cut': 45,
  wipe: 15,
};

/** Cluster sizes, each in at least 8 % of seeds; three is what most people run. */
const SIZES = [
  [8, 1],
  [9, 2],
  [38, 3],
  [11, 4],
  [16, 5],
  [9, 6],
  [9, 7],
] as const;

/** So many seeds have no fault at all: in those, calm is proved. */
const CALM_PERCENT = 3;

export function drawProfile(seed: number, options: PlanOptions): StormProfile {
  const dice = new Dice(seed, 'profile');
  const nodeCount = options.nodeCount ?? dice.weighted(SIZES);
  const clientCount = options.clientCount ?? dice.whole(1, 8);
  const stormMs = Math.round(options.stormMs ?? dice.between(20_000, 48_000));
  const faults = drawFaults(seed, options);
  const has = (kind: FaultKind): boolean => faults.includes(kind);
  const electionTimeoutMs = dice.weighted([
    [1, 300],
    [3, 600],
    [4, 1_000],
    [2, 1_500],
  ] as const);
  const skews = (theme: string, count: number): readonly number[] =>
    has('clock-rate') ? drawSkews(new Dice(seed, theme), count) : Array<number>(count).fill(0);
  return {
    nodeCount,
    clientCount,
    stormMs,
    faults,
    heartbeatMs: Math.round(electionTimeoutMs / dice.pick([5, 5, 6])),
    electionTimeoutMs,
    reads: dice.percent(50) ? 'lease' : 'quorum',
    latencyMs: dice.pick([
      [0.1, 1],
      [0.5, 3],
      [1, 10],
      [5, 25],
    ] as const),
    slowPercent: has('delay') ? dice.pick([0.5, 2, 5]) : 0,
    slowMs: dice.pick([50, 300, 2_000]),
    lossPercent: has('drop') ? dice.pick([0.3, 1, 3, 8]) : 0,
    duplicatePercent: has('duplicate') ? dice.pick([0.5, 2, 6]) : 0,
    writeMs: dice.pick([
      [0.1, 1],
      [0.5, 5],
      [2, 20],
    ] as const),
    turnMs: dice.pick([
      [0, 0],
      [0, 0],
      [0, 0.5],
      [0, 4],
    ] as const),
    nodeSkews: skews('node-skews', nodeCount),
    clientSkews: skews('client-skews', clientCount),
    encoded: dice.percent(15),
    equalTimeouts: dice.percent(12),
    windowEventsMax: dice.pick([20, 200, 100_000]),
    pipelinedRequestsMax: dice.pick([2, 10_000, 10_000]),
    ...drawTightLimits(seed),
  };
}

function drawFaults(seed: number, options: PlanOptions): readonly FaultKind[] {
  const dice = new Dice(seed, 'faults');
  const isCalm = dice.percent(CALM_PERCENT);
  const drawn = FAULT_KINDS.filter((kind) => dice.percent(PRESENCE[kind]) && !isCalm);
  const chosen = options.faults ?? drawn;
  return chosen.filter((kind) => options.without?.includes(kind) !== true);
}

/** Mostly within the bound, to its edges; now and then a clock that breaks every assumption. */
function drawSkews(dice: Dice, count: number): readonly number[] {
  const isWild = dice.percent(15);
  return Array.from({ length: count }, () => {
    if (isWild && dice.percent(60)) return dice.pick([-20, 20, dice.between(-20, 20)]);
    return dice.pick([-1, 1, 0, dice.between(-1, 1)]);
  });
}
