import type { StormTotals } from './storm-totals.js';
import { YARDSTICK_MS } from './yardstick.js';

/**
 * What a run has to reach for its silence to mean something. Numbers of the project's own
 * acceptance criteria; a gate that is broken fails the run with its sentence.
 */
export interface Gate {
  readonly name: string;
  /** Below so many seeds the number is noise, or the run was never meant to reach it. */
  readonly fromSeeds: number;
  readonly measure: (totals: StormTotals) => number;
  readonly unit: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface GateVerdict {
  readonly gate: Gate;
  readonly measured: number;
  readonly holds: boolean;
}

/** On the reference core; a change that costs a fifth of it must say why. */
export const FIRST_MEASURED_SPEED: { readonly timesRealTime: number; readonly date: string } = {
  timesRealTime: 250,
  date: '2026-11-30',
};
const SPEED_FLOOR = 200;
const SPEED_SHARE = 0.8;

const GATES: readonly Gate[] = [
  {
    name: 'leader changes',
    fromSeeds: 200,
    measure: (totals) => totals.leaderChanges / totals.clusterHours,
    unit: 'a simulated hour',
    atLeast: 60,
  },
  {
    name: 'faults',
    fromSeeds: 200,
    measure: (totals) => totals.faults / totals.clusterHours,
    unit: 'a simulated hour',
    atLeast: 200,
  },
  {
    name: 'operations',
    fromSeeds: 200,
    measure: (totals) => totals.operations / totals.clusterHours,
    unit: 'a simulated hour',
    atLeast: 50_000,
  },
  {
    name: 'simulated time',
    fromSeeds: 2000,
    measure: (totals) => totals.clusterHours,
    unit: 'cluster-hours',
    atLeast: 30,
  },
  {
    name: 'CPU time',
    fromSeeds: 2000,
    // Longer runs may take longer: 10 minutes are for 2000 seeds.
    measure: (totals) => (onReferenceCore(totals).cpuSeconds * 2000) / totals.seeds,
    unit: 'CPU seconds of the reference core for 2000 seeds',
    atMost: 600,
  },
  {
    name: 'speed',
    // In a short run half of the time is spent on code that is not compiled yet.
    fromSeeds: 2000,
    measure: (totals) => onReferenceCore(totals).speed,
    unit: 'times real time on the reference core',
    atLeast: Math.max(SPEED_FLOOR, SPEED_SHARE * FIRST_MEASURED_SPEED.timesRealTime),
  },
];

/**
 * The same run on the core that `YARDSTICK_MS` was measured on, as far as a yardstick laid during
 * the run tells: a gate on the code must not depend on what else the machine has to do.
 */
export function onReferenceCore({ clusterHours, cpuSeconds, yardstickMs }: StormTotals): {
  readonly cpuSeconds: number;
  readonly speed: number;
} {
  const seconds = cpuSeconds * (YARDSTICK_MS / (yardstickMs ?? YARDSTICK_MS));
  return { cpuSeconds: seconds, speed: (clusterHours * 3600) / seconds };
}

/** From so many seeds on, each "sometimes" event must have happened. */
export const SOMETIMES_FROM_SEEDS = 2000;

/** The gates that apply to a run of this size, each with what was measured. */
export function judgeGates(totals: StormTotals): readonly GateVerdict[] {
  return GATES.filter((gate) => totals.seeds >= gate.fromSeeds).map((gate) => {
    const measured = gate.measure(totals);
    const holds = measured >= (gate.atLeast ?? -Infinity) && measured <= (gate.atMost ?? Infinity);
    return { gate, measured, holds };
  });
}

/** `Leader changes: 41 a simulated hour, at least 60 are wanted.` */
export function describeGate({ gate, measured }: GateVerdict): string {
  const limit =
    gate.atLeast !== undefined ? `at least ${gate.atLeast}` : `at most ${gate.atMost ?? Infinity}`;
  const name = gate.name.charAt(0).toUpperCase() + gate.name.slice(1);
  return `${name}: ${Math.round(measured * 10) / 10} ${gate.unit}, ${limit} are wanted.`;
}
