import type { StormEngine } from '../replay/engine.js';
import type { PlanFile } from '../replay/plan-file.js';
import { parsePlanFile } from '../replay/plan-file.js';
import { retellPlan } from '../replay/retell.js';
import type { Retold } from '../replay/retell.js';
import { PlanInvalid } from '../replay/shapes.js';
import type { StormPlan } from '../storm/plan.js';
import { drawPlan } from '../replay/draw-plan.js';
import { countOf, describeFaults, describeLiveness, describeSize } from '../story/describe-plan.js';
import { looksLikeSeed, parseSeed, showSeed } from './arguments.js';
import { EXIT, exitClassOf, exitCodeOf } from './exit-codes.js';
import { readText, writeText } from './files.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';

export interface ReplayRequest {
  /** A seed, or a file that holds a plan. */
  readonly source: string;
  /** The whole story instead of its end. */
  readonly trace: boolean;
  /** Draws the run into this file. */
  readonly html: string | undefined;
  /** How many of the last events are drawn. */
  readonly events: number;
  readonly heartbeats: boolean;
  /** Runs it so many times, and demands that they are the same. */
  readonly times: number;
  /** What is planted in this process. */
  readonly bug: string | undefined;
}

const EVENTS_SHOWN = 30;

/** One storm again, with its story. Resolves to the exit code. */
export async function runReplay(
  request: ReplayRequest,
  engine: StormEngine,
  terminal: Terminal,
): Promise<number> {
  const { plan, bug } = loadPlan(request.source, engine);
  terminal.print(describePlan(plan));
  const told = await retellPlan(engine, plan, {
    last: EVENTS_SHOWN,
    heartbeats: request.trace,
    ...(request.trace ? { tell: (line: string) => terminal.print(line) } : {}),
  });
  if (!request.trace) terminal.print(describeEnd(told));
  if (request.html !== undefined) {
    writeText(request.html, await drawPlan(engine, plan, request));
    terminal.print(`drawn in ${request.html}`);
  }
  terminal.print(describeVerdict(plan, told));
  if (bug !== undefined && request.bug === undefined) {
    terminal.print(`it fails in code with the bug ${bug}: --bug ${bug}`);
  }
  const isSame = await repeats(request, plan, told, engine, terminal);
  if (!isSame) return EXIT.correctness;
  return told.failure === undefined ? EXIT.ok : exitCodeOf(told.failure.checker);
}

function loadPlan(source: string, engine: StormEngine): PlanFile {
  if (looksLikeSeed(source)) return { plan: engine.plan(parseSeed(source)) };
  try {
    return parsePlanFile(readText(source));
  } catch (error) {
    if (!(error instanceof PlanInvalid)) throw error;
    throw new UsageError('INVALID_FILE', `${source}: ${error.message}`);
  }
}

function describePlan(plan: StormPlan): string {
  const { seed, profile, commands, liveness } = plan;
  const length = `${(profile.stormMs / 1000).toFixed(1)} s of storm`;
  const end = liveness === undefined ? '' : `, then liveness, ${describeLiveness(liveness)}`;
  return [
    `storm ${showSeed(seed)}: ${describeSize(profile)}, ${length}${end}`,
    `  ${countOf(commands.length, 'command')}; ${describeFaults(plan)}`,
    '',
  ].join('\n');
}

function describeEnd({ heading, lastLines, lines }: Retold): string {
  const before = lines - lastLines.length;
  const hint =
    before > 0 ? [`… ${before} events before these; --trace shows them, heartbeats too`] : [];
  return [...heading, ...hint, ...lastLines].join('\n');
}

function describeVerdict({ seed }: StormPlan, { failure, result }: Retold): string {
  const hash = result === undefined ? '' : `, trace hash ${showSeed(result.traceHash)}`;
  const events = result === undefined ? '' : `, ${result.events} events`;
  if (failure === undefined) return `\nstorm ${showSeed(seed)} passed${events}${hash}`;
  const { checker, sentence, atMs } = failure;
  return [
    '',
    sentence,
    `storm ${showSeed(seed)} failed at ${(atMs / 1000).toFixed(3)} s: checker ${checker}, ` +
      `${exitClassOf(checker)}${events}${hash}`,
  ].join('\n');
}

async function repeats(
  { times, trace }: ReplayRequest,
  plan: StormPlan,
  first: Retold,
  engine: StormEngine,
  terminal: Terminal,
): Promise<boolean> {
  for (let time = 2; time <= times; time += 1) {
    const again = await retellPlan(engine, plan, { last: 1, heartbeats: trace });
    const isSame =
      again.result?.traceHash === first.result?.traceHash &&
      again.lines === first.lines &&
      again.failure?.sentence === first.failure?.sentence;
    if (isSame) continue;
    terminal.print(`run ${time} of ${times} differs: npm run sim -- determinism finds where`);
    return false;
  }
  if (times > 1) terminal.print(`the same in ${times} of ${times} runs`);
  return true;
}
