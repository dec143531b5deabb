import type { Exploration, FoundViolation, ScopeName } from '../explore/index.js';
import { goldenOf, unlikeGolden } from '../explore/index.js';
import { runCrew } from './crew.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import type { Explored, ExploreJob } from './explore-job.js';
import { table } from './table.js';
import type { Terminal } from './terminal.js';

export interface ExploreRequest {
  readonly scopes: readonly ScopeName[];
  /** Larger bounds: hours rather than minutes. */
  readonly large: boolean;
  readonly cores: number;
  readonly json: boolean;
}

/** A search that takes longer than a day is not one that ends. */
const LIMIT_MS = 86_400_000;
const WORKER = new URL('./explore-worker.js', import.meta.url);

/** All states of bounded worlds, none left out. Resolves to the exit code. */
export async function runExplore(request: ExploreRequest, terminal: Terminal): Promise<number> {
  const startedCpu = process.cpuUsage();
  const results = await exploreAll(request, terminal);
  const { user, system } = process.cpuUsage(startedCpu);
  const cpuSeconds = (user + system) / 1e6;
  const explorations = results.map(({ exploration }) => exploration);
  terminal.print(describeExplorations(results, cpuSeconds, terminal));
  const changed = request.large ? [] : unlikeAllGolden(request.scopes, explorations);
  for (const sentence of changed) terminal.print(terminal.paint.bad(sentence));
  if (request.json) terminal.print(JSON.stringify(documentOf(explorations, cpuSeconds)));
  const [broken] = explorations.flatMap(({ violations }) => violations);
  if (broken !== undefined) return exitCodeOf(broken.invariant);
  const isWhole = explorations.every(({ exhausted }) => exhausted);
  return isWhole && changed.length === 0 ? EXIT.ok : EXIT.gate;
}

/** Golden numbers change in a commit that says why: not by themselves. */
function unlikeAllGolden(
  scopes: readonly ScopeName[],
  explorations: readonly Exploration[],
): readonly string[] {
  return scopes.flatMap((scope, at) => {
    const golden = goldenOf(scope);
    const exploration = explorations[at];
    if (golden === undefined || exploration === undefined) return [];
    const sentence = unlikeGolden(exploration, golden);
    return sentence === undefined ? [] : [sentence];
  });
}

async function exploreAll(
  { scopes, large, cores }: ExploreRequest,
  terminal: Terminal,
): Promise<readonly Explored[]> {
  const results: Explored[] = [];
  terminal.progress(`exploring ${scopes.join(', ')} …`);
  await runCrew<ExploreJob, Explored>({
    worker: WORKER,
    cores: Math.min(cores, scopes.length),
    jobAt: (index) => {
      const scope = scopes[index];
      return scope === undefined ? undefined : { scope, size: large ? 'large' : 'ci' };
    },
    onResult: (result) => {
      results.push(result);
      return true;
    },
    onLost: ({ scope }, { reason }) => ({ exploration: brokenOff(scope, reason), wallMs: 0 }),
    limitMs: LIMIT_MS,
  });
  return results;
}

/** Not a state was proved right: the search itself crashed, out of memory for example. */
function brokenOff(scope: string, reason: string): Exploration {
  return {
    scope,
    states: 0,
    transitions: 0,
    depth: 0,
    exhausted: false,
    frontierMax: 0,
    tableBytes: 0,
    violations: [{ invariant: 'crash', sentence: reason, trace: [] }],
  };
}

function describeExplorations(
  results: readonly Explored[],
  cpuSeconds: number,
  { paint }: Terminal,
): string {
  const rows = results.map(({ exploration, wallMs }) => [
    exploration.scope,
    exploration.states,
    exploration.transitions,
    exploration.depth,
    Math.round((exploration.transitions / wallMs) * 1_000),
    exploration.exhausted ? 'all of them' : 'NOT ALL',
    exploration.violations.length === 0 ? 'none broken' : 'BROKEN',
  ]);
  const head = ['scope', 'states', 'transitions', 'depth', 'a second', 'visited', 'invariants'];
  const [heading = '', ...lines] = table([head, ...rows]);
  const states = results.reduce((sum, { exploration }) => sum + exploration.states, 0);
  return [
    '',
    paint.strong(heading),
    ...lines,
    '',
    ...results.flatMap(({ exploration }) =>
      exploration.violations.flatMap((violation) =>
        describeViolation(exploration.scope, violation),
      ),
    ),
    `${states} states in ${cpuSeconds.toFixed(1)} CPU seconds.`,
  ].join('\n');
}

function describeViolation(scope: string, violation: FoundViolation): readonly string[] {
  const { invariant, sentence, trace } = violation;
  const steps = trace.map((step, at) => `  ${String(at + 1).padStart(3)}  ${step}`);
  const way = `${invariant} in ${scope}; a shortest way there, ${trace.length} steps:`;
  return [sentence, way, ...steps, ''];
}

/** The contract of `explore --json` (DESIGN section 10); of several scopes, their sums. */
function documentOf(explorations: readonly Exploration[], cpuSeconds: number) {
  const one = explorations.map(({ scope, states, transitions, depth, exhausted, violations }) => ({
    scope,
    states,
    exhausted,
    violations: violations.length,
    transitions,
    depth,
    broken: violations.map(({ invariant, sentence, trace }) => ({ invariant, sentence, trace })),
  }));
  const [first] = one;
  if (first !== undefined && one.length === 1) return { ...first, cpuSeconds };
  return {
    scope: 'all',
    states: one.reduce((sum, { states }) => sum + states, 0),
    exhausted: one.every(({ exhausted }) => exhausted),
    violations: one.reduce((sum, { violations }) => sum + violations, 0),
    cpuSeconds,
    scopes: one,
  };
}
