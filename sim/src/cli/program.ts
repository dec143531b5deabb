import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import type { PlanOptions, StormEngine } from '../replay/engine.js';
import { FAULT_KINDS } from '../storm/fault-kind.js';
import type { FaultKind } from '../storm/fault-kind.js';
import { decimal, oneOf, parseSeed, wholeNumber } from './arguments.js';
import { runDeterminism } from './determinism-command.js';
import { EXAMPLES } from './help.js';
import { runReplay } from './replay-command.js';
import type { ReplayRequest } from './replay-command.js';
import { defaultSeed } from './run-seed.js';
import { runStorms } from './storm-command.js';
import type { Terminal } from './terminal.js';

const SEEDS_MAX = 10_000_000;
const CORES_MAX = 256;
const MINUTES_MAX = 10_080;
const SEEDS_DEFAULT = 200;

/** What the program is made of; tests hand in their own. */
export interface Surroundings {
  readonly engine: StormEngine;
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes the exit code of the command that ran. */
  readonly finish: (code: number) => void;
}

export function simProgram(surroundings: Surroundings): Command {
  const program = new Command('npm run sim --')
    .description('Runs the code of production in worlds where everything goes wrong.')
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError()
    .exitOverride();
  addStorm(program, surroundings);
  addReplay(program, surroundings);
  addDeterminism(program, surroundings);
  for (const command of program.commands) command.exitOverride();
  return program;
}

interface StormFlags {
  readonly seeds?: number;
  readonly seed?: number;
  readonly minutes?: number;
  readonly cores: number;
  readonly faults?: readonly FaultKind[];
  readonly without?: readonly FaultKind[];
  readonly keepGoing: boolean;
  readonly shrink: boolean;
  readonly out?: string;
  readonly json: boolean;
}

function addStorm(program: Command, surroundings: Surroundings): void {
  program
    .command('storm')
    .description('whole clusters with real clients in storms of faults; every checker on')
    .option(
      '--seeds <N>',
      `how many (default ${SEEDS_DEFAULT})`,
      wholeNumber('--seeds', upTo(SEEDS_MAX)),
    )
    .option('--seed <SEED>', 'the first one (default: from the commit, or RAFTD_SEED)', parseSeed)
    .option(
      '--minutes <M>',
      'as many seeds as there is time for',
      decimal('--minutes', {
        min: 0,
        max: MINUTES_MAX,
      }),
    )
    .option(
      '--cores <N>',
      'threads',
      wholeNumber('--cores', upTo(CORES_MAX)),
      availableParallelism(),
    )
    .option('--faults <LIST>', 'only these kinds of fault', faultList('--faults'))
    .option('--without <LIST>', 'none of these kinds', faultList('--without'))
    .option('--keep-going', 'run all seeds, whatever fails', false)
    .option('--no-shrink', 'show failures as they are')
    .option('--out <DIR>', 'where failing plans are written (default: a temporary directory)')
    .option('--json', 'one JSON document as the last line', false)
    .action(async (flags: StormFlags) => {
      const { engine, terminal } = surroundings;
      surroundings.finish(await runStorms(stormRequest(flags, surroundings), engine, terminal));
    });
}

function stormRequest(flags: StormFlags, { environment }: Surroundings) {
  const plan: PlanOptions = {
    ...(flags.faults === undefined ? {} : { faults: flags.faults }),
    ...(flags.without === undefined ? {} : { without: flags.without }),
  };
  const first =
    flags.seed === undefined ? defaultSeed(environment) : { seed: flags.seed, origin: '--seed' };
  return {
    first,
    seeds: flags.seeds ?? defaultSeeds(flags),
    minutes: flags.minutes,
    cores: flags.cores,
    json: flags.json,
    keepGoing: flags.keepGoing,
    shrink: flags.shrink,
    out: flags.out,
    plan,
  };
}

/** A seed alone means that one; minutes alone, as many as there are. */
function defaultSeeds({ seed, minutes }: StormFlags): number {
  if (minutes !== undefined) return SEEDS_MAX;
  return seed === undefined ? SEEDS_DEFAULT : 1;
}

function addReplay(program: Command, surroundings: Surroundings): void {
  program
    .command('replay')
    .description('one storm again, to the letter: by its seed, or from a file that a failure wrote')
    .argument('<SEED|FILE>')
    .option('--trace', 'the whole story, one line an event', false)
    .option('--html <FILE>', 'draw it as a sequence diagram')
    .option(
      '--events <N>',
      'how many of the last events to draw',
      wholeNumber('--events', upTo(100_000)),
      3_000,
    )
    .option('--heartbeats', 'draw these too', false)
    .option(
      '--times <N>',
      'run it so often, and demand the same',
      wholeNumber('--times', upTo(100)),
      1,
    )
    .action(
      async (source: string, flags: Omit<ReplayRequest, 'source' | 'html'> & { html?: string }) => {
        const request = { ...flags, source, html: flags.html };
        surroundings.finish(await runReplay(request, surroundings.engine, surroundings.terminal));
      },
    );
}

function addDeterminism(program: Command, surroundings: Surroundings): void {
  program
    .command('determinism')
    .description('runs each seed twice and names the first event that differs')
    .option('--seeds <N>', 'how many', wholeNumber('--seeds', upTo(SEEDS_MAX)), 200)
    .option('--seed <SEED>', 'the first one (default: from the commit, or RAFTD_SEED)', parseSeed)
    .action(async ({ seeds, seed }: { seeds: number; seed?: number }) => {
      const first =
        seed === undefined ? defaultSeed(surroundings.environment) : { seed, origin: '--seed' };
      const { engine, terminal } = surroundings;
      surroundings.finish(await runDeterminism({ first, seeds }, engine, terminal));
    });
}

function upTo(max: number): { readonly min: number; readonly max: number } {
  return { min: 1, max };
}

function faultList(name: string): (text: string) => readonly FaultKind[] {
  const kind = oneOf(name, FAULT_KINDS);
  return (text) => text.split(',').map(kind);
}
