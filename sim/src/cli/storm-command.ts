import type { PlanOptions, StormEngine } from '../replay/engine.js';
import { showSeed, seedAt } from './arguments.js';
import { runCrew } from './crew.js';
import { exitCodeOf, EXIT } from './exit-codes.js';
import { describeFailure } from './failure-page.js';
import { planFlags } from './plan-flags.js';
import { investigate } from './investigate.js';
import type { RunSeed } from './run-seed.js';
import type { SeedReport, StormOrders } from './seed-report.js';
import { lostSeed } from './seed-report.js';
import { stormDocument } from './storm-document.js';
import type { FailedSeed, StormTotals } from './storm-totals.js';
import { StormTally } from './storm-totals.js';
import { complaints, describeTotals } from './summary.js';
import { showNumber } from './table.js';
import type { Terminal } from './terminal.js';

export interface StormRequest {
  readonly first: RunSeed;
  readonly seeds: number;
  /** Seeds go on until then instead, as many as there is time for. */
  readonly minutes: number | undefined;
  readonly cores: number;
  readonly json: boolean;
  /** Run all seeds whatever fails. */
  readonly keepGoing: boolean;
  readonly shrink: boolean;
  readonly out: string | undefined;
  /** What is planted in this process. */
  readonly bug: string | undefined;
  readonly plan: PlanOptions;
}

/** Failures that get a page of their own; those after them are listed by seed. */
const PAGES_MAX = 5;
/** A storm of a minute takes a fraction of a second: this one does not end. */
const SEED_LIMIT_MS = 180_000;
const WORKER = new URL('./storm-worker.js', import.meta.url);

/** Many storms, and what happened in all of them. Resolves to the exit code. */
export async function runStorms(
  request: StormRequest,
  engine: StormEngine,
  terminal: Terminal,
): Promise<number> {
  terminal.print(describeRequest(request));
  const totals = await stormAll(request, terminal);
  terminal.print(describeTotals(totals, terminal.paint));
  await printFailures(request, totals.failed, engine, terminal);
  const broken = complaints(totals);
  for (const sentence of broken) terminal.print(terminal.paint.bad(sentence));
  if (request.json) terminal.print(JSON.stringify(stormDocument(request, totals, broken)));
  const [failed] = totals.failed;
  if (failed !== undefined) return exitCodeOf(failed.failure.checker);
  return broken.length > 0 ? EXIT.gate : EXIT.ok;
}

function describeRequest({ first, seeds, minutes, cores }: StormRequest): string {
  const length = minutes === undefined ? `${seeds} seeds` : `seeds for ${minutes} minutes`;
  return `storm: ${length} from ${showSeed(first.seed)} (${first.origin}) on ${cores} cores`;
}

async function stormAll(request: StormRequest, terminal: Terminal): Promise<StormTotals> {
  const startedCpu = process.cpuUsage();
  const startedMs = performance.now();
  const tally = new StormTally();
  const orders: StormOrders = { plan: request.plan };
  await runCrew<number, SeedReport>({
    worker: WORKER,
    workerData: orders,
    cores: Math.min(request.cores, request.seeds),
    jobAt: (index) => {
      const isOver = isTimeUp(request, startedMs) || index >= request.seeds;
      return isOver ? undefined : seedAt(request.first.seed, index);
    },
    onLost: (seed, { type, reason }) =>
      lostSeed(seed, reason, type === 'silent' ? 'liveness' : 'assertion'),
    limitMs: SEED_LIMIT_MS,
    onResult: (report) => {
      tally.add(report);
      terminal.progress(describeProgress(request, tally, performance.now() - startedMs));
      return request.keepGoing || report.failure === undefined;
    },
  });
  const { user, system } = process.cpuUsage(startedCpu);
  return tally.totals((user + system) / 1e6);
}

function isTimeUp({ minutes }: StormRequest, startedMs: number): boolean {
  return minutes !== undefined && performance.now() - startedMs >= minutes * 60_000;
}

function describeProgress(request: StormRequest, tally: StormTally, passedMs: number): string {
  const of = request.minutes === undefined ? ` of ${request.seeds}` : '';
  const hours = showNumber(tally.simulatedMs / 3_600_000);
  const passed = (passedMs / 1000).toFixed(0);
  const failed = tally.failed.length === 0 ? '' : `, ${tally.failed.length} FAILED`;
  return `${tally.seeds}${of} seeds, ${hours} cluster-hours in ${passed} s${failed}`;
}

async function printFailures(
  request: StormRequest,
  failed: readonly FailedSeed[],
  engine: StormEngine,
  terminal: Terminal,
): Promise<void> {
  for (const [index, { seed, failure }] of failed.slice(0, PAGES_MAX).entries()) {
    const plan = engine.plan(seed, request.plan);
    // Shrinking takes its time: the first failure is the one that is looked at.
    const options = { out: request.out, shrink: request.shrink && index === 0, bug: request.bug };
    const report = await investigate(engine, { seed, plan, failure }, options, terminal);
    const repeat = repeatOf(seed, request);
    terminal.print(describeFailure({ ...report, repeat, bug: request.bug }, terminal.paint));
  }
  if (failed.length <= PAGES_MAX) return;
  terminal.print(`and ${failed.length - PAGES_MAX} more failures:`);
  for (const { seed, failure } of failed.slice(PAGES_MAX)) {
    terminal.print(`  ${showSeed(seed)}  ${failure.checker}  ${failure.sentence.split('\n')[0]}`);
  }
}

/** The arguments that run this seed again; a plan of other settings is not its seed's alone. */
function repeatOf(seed: number, { plan }: StormRequest): string {
  const settings = planFlags(plan);
  if (settings.length === 0) return `replay ${showSeed(seed)}`;
  return ['storm --seed', showSeed(seed), ...settings].join(' ');
}
