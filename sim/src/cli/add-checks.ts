import type { Command } from 'commander';
import { Option } from 'commander';
import type { ScopeName } from '../explore/index.js';
import { SCOPE_NAMES } from '../explore/index.js';
import type { BugClass } from '../planted/bug.js';
import { SEED_BUDGET } from '../planted/bug.js';
import { oneOf } from './arguments.js';
import { runCalm } from './calm-command.js';
import { runCheckHistory } from './check-history-command.js';
import { runDeterminism } from './determinism-command.js';
import { runExplore } from './explore-command.js';
import { coresOption, countOption, jsonOption, seedOption, SEEDS_MAX } from './flags.js';
import type { Surroundings } from './surroundings.js';
import { firstSeed } from './surroundings.js';

const CLASSES: readonly BugClass[] = ['a', 'b', 'c'];
const DETERMINISM_SEEDS = 200;
const CALM_HOURS = 24;
const CALM_HOURS_MAX = 8_760;

export function addExplore(program: Command, { terminal, finish }: Surroundings): void {
  const choices = ['all', ...SCOPE_NAMES] as const;
  const scope = new Option('--scope <NAME>', choices.join(' | ')).argParser(
    oneOf('--scope', choices),
  );
  program
    .command('explore')
    .description('every state that the code can reach in a bounded world, none left out')
    .addOption(scope.default('all'))
    .option('--large', 'wider bounds; takes its time', false)
    .addOption(coresOption())
    .addOption(jsonOption())
    .action(async (flags: ExploreFlags) => {
      const scopes = flags.scope === 'all' ? SCOPE_NAMES : [flags.scope];
      finish(await runExplore({ ...flags, scopes }, terminal));
    });
}

interface ExploreFlags {
  readonly scope: 'all' | ScopeName;
  readonly large: boolean;
  readonly cores: number;
  readonly json: boolean;
}

export function addPlanted(program: Command, { terminal, finish }: Surroundings): void {
  const budgets = CLASSES.map((name) => `${name} within ${SEED_BUDGET[name]} seeds`).join(', ');
  const classes = new Option('--class <CLASS>', `only those of one class: ${budgets}`);
  program
    .command('planted')
    .description('breaks the code on purpose, one mistake at a time: is each noticed?')
    .addOption(classes.argParser(oneOf('--class', CLASSES)))
    .option('--bug <ID>', 'only this one')
    .option('--ablation', 'which fault kind and which checker is needed for what', false)
    .option('--shrink', 'shrunk schedules beside the shortest counterexamples', false)
    .option('--table', 'as Markdown', false)
    .addOption(coresOption())
    .addOption(jsonOption())
    .action(async (flags: PlantedFlags) => {
      const { class: bugClass, ...rest } = flags;
      // It brings the compiler with it, which other commands need not wait for.
      const commands = await import('./planted-command.js');
      const request = { bugClass, ...rest, bug: flags.bug };
      const { runAblations, runPlantedBugs, runShrinkings } = commands;
      const instead = flags.shrink ? runShrinkings : undefined;
      const run = flags.ablation ? runAblations : (instead ?? runPlantedBugs);
      finish(await run(request, terminal));
    });
}

interface PlantedFlags {
  readonly class?: BugClass;
  readonly bug?: string;
  readonly ablation: boolean;
  readonly shrink: boolean;
  readonly table: boolean;
  readonly cores: number;
  readonly json: boolean;
}

export function addCheckHistory(program: Command, { terminal, finish }: Surroundings): void {
  program
    .command('check-history')
    .description('is there an order in which the calls of this file could have happened?')
    .argument('<FILE>', 'JSON lines; sim/README.md has the format')
    .action((path: string) => finish(runCheckHistory(path, terminal)));
}

export function addDeterminism(program: Command, surroundings: Surroundings): void {
  const seeds = countOption('--seeds', 'N', 'how many', SEEDS_MAX);
  program
    .command('determinism')
    .description('runs each seed twice and names the first event that differs')
    .addOption(seeds.default(DETERMINISM_SEEDS))
    .addOption(seedOption())
    .action(async (flags: { readonly seeds: number; readonly seed?: number }) => {
      const { engine, terminal, finish } = surroundings;
      const request = { first: firstSeed(flags.seed, surroundings), seeds: flags.seeds };
      finish(await runDeterminism(request, engine, terminal));
    });
}

export function addCalm(program: Command, surroundings: Surroundings): void {
  const hours = countOption('--hours', 'N', 'simulated', CALM_HOURS_MAX);
  program
    .command('calm')
    .description('hours without a fault: whoever leads first must lead to the end')
    .addOption(hours.default(CALM_HOURS))
    .addOption(seedOption())
    .action(async (flags: { readonly hours: number; readonly seed?: number }) => {
      const { engine, terminal, finish } = surroundings;
      const request = { first: firstSeed(flags.seed, surroundings), hours: flags.hours };
      finish(await runCalm(request, engine, terminal));
    });
}
