import { Option } from 'commander';
import type { Command } from 'commander';
import type { PlanOptions } from '../replay/engine.js';
import type { FaultKind } from '../storm/fault-kind.js';
import { FAULT_KINDS } from '../storm/fault-kind.js';
import { decimal } from './arguments.js';
import { bugOption, coresOption, countOption, faultsOption, jsonOption } from './flags.js';
import { seedOption, SEEDS_MAX } from './flags.js';
import type { StormRequest } from './storm-command.js';
import { runStorms } from './storm-command.js';
import type { Surroundings } from './surroundings.js';
import { firstSeed, plantedBug } from './surroundings.js';
import { UsageError } from './usage-error.js';
import { runWithBug, withoutBug } from './with-bug.js';

const SEEDS_DEFAULT = 200;
const MINUTES_MIN = 0.01;
const MINUTES_MAX = 10_080;
const STORM_MAX_MS = 86_400_000;
const NODES_MAX = 7;
const CLIENTS_MAX = 8;

interface StormFlags {
  readonly seeds?: number;
  readonly seed?: number;
  readonly minutes?: number;
  readonly stormMs?: number;
  readonly nodes?: number;
  readonly clients?: number;
  readonly cores: number;
  readonly faults?: readonly FaultKind[];
  readonly without?: readonly FaultKind[];
  readonly keepGoing: boolean;
  readonly shrink: boolean;
  readonly out?: string;
  readonly bug?: string;
  readonly json: boolean;
}

export function addStorm(program: Command, surroundings: Surroundings): void {
  program
    .command('storm')
    .description('whole clusters with real clients in storms of faults; every checker on')
    .addOption(countOption('--seeds', 'N', `how many (default ${SEEDS_DEFAULT})`, SEEDS_MAX))
    .addOption(seedOption())
    .addOption(minutesOption())
    .addOption(coresOption())
    .addOption(countOption('--storm-ms', 'N', 'length of each (default: drawn)', STORM_MAX_MS))
    .addOption(countOption('--nodes', 'N', 'in each cluster (default: drawn)', NODES_MAX))
    .addOption(countOption('--clients', 'N', 'of each cluster (default: drawn)', CLIENTS_MAX))
    .addOption(faultsOption('--faults', `none, or only these kinds: ${FAULT_KINDS.join(', ')}`))
    .addOption(faultsOption('--without', 'none of these kinds'))
    .option('--keep-going', 'run all seeds, whatever fails', false)
    .option('--no-shrink', 'show failures as they are')
    .option('--out <DIR>', 'where failing plans are written (default: a temporary directory)')
    .addOption(bugOption())
    .addOption(jsonOption())
    .action(async (flags: StormFlags) => {
      const { engine, terminal, args, finish } = surroundings;
      if (flags.bug !== undefined) finish(await runWithBug(flags.bug, withoutBug(args)));
      else finish(await runStorms(requestOf(flags, surroundings), engine, terminal));
    });
}

function minutesOption(): Option {
  const parse = decimal('--minutes', { min: MINUTES_MIN, max: MINUTES_MAX });
  return new Option('--minutes <M>', 'as many seeds as there is time for').argParser(parse);
}

function requestOf(flags: StormFlags, surroundings: Surroundings): StormRequest {
  if (flags.seeds !== undefined && flags.minutes !== undefined) {
    throw new UsageError('TOO_MANY_CHOSEN', '--seeds and --minutes: only one of them');
  }
  const plan: PlanOptions = {
    ...(flags.faults === undefined ? {} : { faults: flags.faults }),
    ...(flags.without === undefined ? {} : { without: flags.without }),
    ...(flags.stormMs === undefined ? {} : { stormMs: flags.stormMs }),
    ...(flags.nodes === undefined ? {} : { nodeCount: flags.nodes }),
    ...(flags.clients === undefined ? {} : { clientCount: flags.clients }),
  };
  return {
    first: firstSeed(flags.seed, surroundings),
    seeds: flags.seeds ?? defaultSeeds(flags),
    minutes: flags.minutes,
    cores: flags.cores,
    json: flags.json,
    keepGoing: flags.keepGoing,
    shrink: flags.shrink,
    out: flags.out,
    bug: plantedBug(surroundings),
    plan,
  };
}

/** A seed alone means that one; minutes alone, as many as there are. */
function defaultSeeds({ seed, minutes }: StormFlags): number {
  if (minutes !== undefined) return SEEDS_MAX;
  return seed === undefined ? SEEDS_DEFAULT : 1;
}
