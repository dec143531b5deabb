import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StormEngine } from '../replay/engine.js';
import { showPlanFile } from '../replay/plan-file.js';
import { retellPlan } from '../replay/retell.js';
import type { Shrunk } from '../replay/shrink.js';
import { shrinkPlan } from '../replay/shrink.js';
import { tryPlan } from '../replay/trial.js';
import type { StormFailure } from '../storm/failure.js';
import type { StormPlan } from '../storm/plan.js';
import { showSeed } from './arguments.js';
import { writeText } from './files.js';
import type { Investigated } from './failure-page.js';
import type { Terminal } from './terminal.js';

const EVENTS_SHOWN = 30;

export interface Failed {
  readonly seed: number;
  readonly plan: StormPlan;
  readonly failure: StormFailure;
}

export interface InvestigateOptions {
  /** Where the plan is written; undefined: a temporary directory. */
  readonly out: string | undefined;
  readonly shrink: boolean;
  /** What is planted in this process. */
  readonly bug: string | undefined;
}

/** Shrinks a failing plan, writes it down, and tells its end: all that its page shows. */
export async function investigate(
  engine: StormEngine,
  failed: Failed,
  options: InvestigateOptions,
  terminal: Terminal,
): Promise<Investigated> {
  const { seed } = failed;
  const shrunk = options.shrink ? await shrink(engine, failed, terminal) : undefined;
  const plan = shrunk?.plan ?? failed.plan;
  const failure = shrunk?.failure ?? failed.failure;
  const retold = await retellPlan(engine, plan, {
    last: EVENTS_SHOWN,
    heartbeats: false,
  });
  if (retold.failure?.checker !== failure.checker) {
    terminal.say(`${showSeed(seed)} did not fail again: see npm run sim -- determinism`);
  }
  const { checker, sentence } = failure;
  const bug = options.bug === undefined ? {} : { bug: options.bug };
  const file = writePlan(seed, showPlanFile({ plan, checker, sentence, ...bug }), options.out);
  const { heading, lastLines } = retold;
  return { seed, failure, shrunk, plan, file, heading, lastLines };
}

async function shrink(
  engine: StormEngine,
  { seed, plan, failure }: Failed,
  terminal: Terminal,
): Promise<Shrunk | undefined> {
  const first = await tryPlan(engine, plan);
  if (first.failure?.checker !== failure.checker) return undefined;
  let runs = 0;
  return shrinkPlan(plan, first.failure, (candidate) => {
    runs += 1;
    const size = `${candidate.commands.length} commands`;
    terminal.progress(`shrinking ${showSeed(seed)}: run ${runs}, trying ${size}`);
    return tryPlan(engine, candidate);
  });
}

function writePlan(seed: number, text: string, out: string | undefined): string {
  const directory = out ?? mkdtempSync(join(tmpdir(), 'raftd-sim-'));
  const file = join(directory, `failure-${showSeed(seed)}.json`);
  writeText(file, text);
  return file;
}
