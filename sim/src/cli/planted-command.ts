import type { Ablated, BugClass, BugOutcome, PlantedBug } from '../planted/index.js';
import type { PlantedOptions, PlantedReport } from '../planted/index.js';
import { CATALOGUE, checkersOf, cpuSecondsOf, medianSeeds, runAblation } from '../planted/index.js';
import { isAblated, isFoundByBoth } from '../planted/index.js';
import { markdownRows, markdownTable, runPlanted, runShrinking } from '../planted/index.js';
import { EXIT } from './exit-codes.js';
import { describeCatch, describeMiss } from './planted-story.js';
import { table } from './table.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';

export interface PlantedRequest {
  readonly bugClass: BugClass | undefined;
  readonly bug: string | undefined;
  /** As Markdown, for sim/README.md. */
  readonly table: boolean;
  readonly cores: number;
  readonly json: boolean;
}

/** The contract of `planted --json` (DESIGN section 10). */
interface PlantedDocument {
  readonly bugs: number;
  readonly found: number;
  readonly missed: readonly string[];
}

/** Breaks the code on purpose, and looks who notices. Resolves to the exit code. */
export async function runPlantedBugs(request: PlantedRequest, terminal: Terminal): Promise<number> {
  const chosen = chosenBugs(request);
  let done = 0;
  const report = await runPlanted({
    ...chosen,
    onOutcome: (outcome) => {
      done += 1;
      terminal.milestone(`${done} of ${chosen.bugs.length}: ${inShort(outcome)}`);
    },
  });
  const { table: isTable, json, bug } = request;
  terminal.print(isTable ? markdownTable(report.outcomes) : describeReport(report, terminal));
  const [outcome] = report.outcomes;
  if (bug !== undefined && outcome !== undefined && !isTable) {
    terminal.print(describeCatch(bugNamed(bug), outcome, terminal.paint));
  }
  if (json) terminal.print(JSON.stringify(documentOf(report)));
  return report.missed.length === 0 ? EXIT.ok : EXIT.gate;
}

/** Switches off what a bug is said to need. Resolves to the exit code. */
export async function runAblations(request: PlantedRequest, terminal: Terminal): Promise<number> {
  const { ablations, idle } = await runAblation(chosenBugs(request, isAblated));
  const head = ['without', 'bug', 'found with it', 'without it'];
  const rows = ablations.map(({ ablated, bug, seedsWith, noticedBy, survived }) => [
    nameOf(ablated),
    bug,
    seedsWith === undefined ? 'NO' : `seed ${seedsWith}`,
    survived ? 'survives' : `FOUND by ${noticedBy ?? 'nobody'}`,
  ]);
  const lines = request.table ? markdownRows(head, rows) : ['', ...table([head, ...rows]), ''];
  terminal.print(lines.join('\n'));
  terminal.print(
    `${ablations.length - idle.length} of ${ablations.length} bugs need what was switched off.`,
  );
  if (request.json) terminal.print(JSON.stringify({ ablations: rows.length, idle }));
  return idle.length === 0 ? EXIT.ok : EXIT.gate;
}

/** Held against what explore finds: how much of a schedule is too much? Gives the exit code. */
export async function runShrinkings(request: PlantedRequest, terminal: Terminal): Promise<number> {
  const report = await runShrinking(chosenBugs(request, isFoundByBoth));
  const rows = report.rows.map((row) => [
    row.bug,
    row.isRepeatable ? '3 of 3' : 'DIFFERS',
    `${row.commandsBefore} → ${row.commands.length}`,
    `${row.cpuSeconds.toFixed(1)} s`,
    `${row.decisions} of ${row.steps}`,
    row.ratio.toFixed(2),
    row.commands.join(', '),
  ]);
  const head = ['bug', 'replays', 'commands', 'CPU', 'decisions', 'ratio', 'what is left'];
  const lines = request.table ? markdownRows(head, rows) : ['', ...table([head, ...rows]), ''];
  terminal.print(lines.join('\n'));
  const { medianRatio, isRepeatable, missed } = report;
  if (missed.length > 0) terminal.print(`Not found by both: ${missed.join(' ')}.`);
  terminal.print(`The median ratio is ${medianRatio.toFixed(2)}; at most ${RATIO_MAX} is wanted.`);
  if (request.json) terminal.print(JSON.stringify(report));
  // Of one bug, the ratio is no median.
  const isShort = request.bug !== undefined || medianRatio <= RATIO_MAX;
  const isFine = isShort && isRepeatable && missed.length === 0;
  return isFine ? EXIT.ok : EXIT.gate;
}

/** Commands of a shrunk schedule for each decision of a shortest counterexample, in the median. */
const RATIO_MAX = 2;

function nameOf(ablated: Ablated): string {
  return ablated.type === 'fault' ? ablated.kind : `checker ${ablated.id}`;
}

/** At least one: a run that plants nothing must not look like one that finds everything. */
function chosenBugs(
  { bugClass, bug, cores }: PlantedRequest,
  suits: (candidate: PlantedBug) => boolean = () => true,
): PlantedOptions & { readonly bugs: readonly string[] } {
  const named = bug === undefined ? CATALOGUE : [bugNamed(bug)];
  const chosen = named.filter(
    (candidate) => suits(candidate) && (bugClass ?? candidate.class) === candidate.class,
  );
  if (chosen.length > 0) return { bugs: chosen.map(({ id }) => id), cores };
  const called = bug === undefined ? '' : ` called ${bug}`;
  const ofClass = bugClass === undefined ? '' : ` of class ${bugClass}`;
  throw new UsageError('NOTHING_CHOSEN', `no bug${called}${ofClass} suits this command`);
}

function bugNamed(id: string): PlantedBug {
  const bug = CATALOGUE.find((candidate) => candidate.id === id);
  if (bug !== undefined) return bug;
  const ids = CATALOGUE.map((known) => known.id).join(' ');
  throw new UsageError('UNKNOWN_NAME', `--bug ${id}: there are ${ids}`);
}

/** `M27 found by S13, 15 seeds`. */
function inShort(outcome: BugOutcome): string {
  if (!outcome.found) return `${outcome.id} MISSED`;
  return `${outcome.id} found by ${checkersOf(outcome).join(', ')}, ${effortOf(outcome)}`;
}

function describeReport(report: PlantedReport, { paint }: Terminal): string {
  const rows = report.outcomes.map((outcome) => [
    outcome.id,
    outcome.class,
    outcome.found ? 'found' : 'MISSED',
    checkersOf(outcome).join(' '),
    effortOf(outcome),
    `${cpuSecondsOf(outcome).toFixed(1)} s`,
    outcome.title,
  ]);
  const head = ['bug', 'class', '', 'by', 'seeds', 'CPU', 'the code …'];
  const [heading = '', ...lines] = table([head, ...rows]);
  const misses = report.outcomes.filter(({ found }) => !found);
  return [
    '',
    paint.strong(heading),
    ...lines.map((line, at) => (report.outcomes[at]?.found === true ? line : paint.bad(line))),
    '',
    ...misses.flatMap((outcome) => describeMiss(outcome)),
    `${report.found} of ${report.bugs} planted bugs are found.`,
  ].join('\n');
}

/** Median seeds of the storms, or the states a search went through. */
function effortOf(outcome: BugOutcome): string {
  const seeds = medianSeeds(outcome);
  if (seeds !== undefined) return String(seeds);
  const [search] = outcome.hunts;
  return search === undefined || search.hunt === 'storm' ? '–' : `${search.tried} states`;
}

function documentOf({ bugs, found, missed, outcomes }: PlantedReport): PlantedDocument & {
  readonly outcomes: readonly {
    readonly id: string;
    readonly class: BugClass;
    readonly found: boolean;
    readonly checkers: readonly string[];
    readonly medianSeeds: number | undefined;
    readonly cpuSeconds: number;
  }[];
} {
  return {
    bugs,
    found,
    missed,
    outcomes: outcomes.map((outcome) => ({
      id: outcome.id,
      class: outcome.class,
      found: outcome.found,
      checkers: checkersOf(outcome),
      medianSeeds: medianSeeds(outcome),
      cpuSeconds: cpuSecondsOf(outcome),
    })),
  };
}
