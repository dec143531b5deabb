import type { StormEvent, StormObserver } from '../storm/events.js';
import type { StormPlan } from '../storm/plan.js';
import { describeStormEvent } from '../story/describe-event.js';
import type { ClusterProbe } from '../world/cluster-probe.js';
import type { StormEngine } from './engine.js';

/** Events around the first difference that are told as they were. */
const LINES_AROUND = 5;

export type Determinism =
  | { readonly type: 'same'; readonly traceHash: number; readonly events: number }
  | {
      readonly type: 'different';
      readonly traceHashes: readonly number[];
      /** Undefined: with observers watching, the runs were equal. */
      readonly first: FirstDifference | undefined;
    };

export interface FirstDifference {
  /** The how-manieth event of the run, from 0. */
  readonly event: number;
  /** What happened there in each run, with a few events before it; the last line differs. */
  readonly runs: readonly (readonly string[])[];
}

/**
 * A run is a function of its plan: two runs of it are equal to the last event, or something draws
 * from outside. The hashes are compared first; only a difference is looked for.
 */
export async function checkDeterminism(
  engine: StormEngine,
  plan: StormPlan,
  times = 2,
): Promise<Determinism> {
  const first = await engine.run(plan);
  const traceHashes = [first.traceHash];
  for (let time = 1; time < times; time += 1) {
    const again = await engine.run(plan);
    traceHashes.push(again.traceHash);
  }
  if (traceHashes.every((hash) => hash === first.traceHash)) {
    return { type: 'same', traceHash: first.traceHash, events: first.events };
  }
  return { type: 'different', traceHashes, first: await findDifference(engine, plan) };
}

async function findDifference(
  engine: StormEngine,
  plan: StormPlan,
): Promise<FirstDifference | undefined> {
  const one = await record(engine, plan);
  const two = await record(engine, plan);
  const event = one.findIndex((line, at) => line !== two[at]);
  const isLonger = event === -1 && two.length > one.length;
  if (event === -1 && !isLonger) return undefined;
  const at = isLonger ? one.length : event;
  const around = (lines: readonly string[]): readonly string[] =>
    lines.length <= at
      ? [...lines.slice(-LINES_AROUND), '(the run had ended)']
      : lines.slice(Math.max(0, at - LINES_AROUND), at + 1);
  return { event: at, runs: [around(one), around(two)] };
}

async function record(engine: StormEngine, plan: StormPlan): Promise<readonly string[]> {
  const lines: string[] = [];
  await engine.run(plan, { observers: (cluster) => [recorder(cluster, lines, plan)] });
  return lines;
}

function recorder(cluster: ClusterProbe, lines: string[], { profile }: StormPlan): StormObserver {
  return {
    observe: (event: StormEvent) => {
      lines.push(`${cluster.trueMs}  ${describeStormEvent(event, profile)}`);
    },
  };
}
