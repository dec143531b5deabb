import type { Command } from 'commander';
import { bugOption, countOption } from './flags.js';
import type { ReplayRequest } from './replay-command.js';
import { runReplay } from './replay-command.js';
import type { Surroundings } from './surroundings.js';
import { plantedBug } from './surroundings.js';
import { runWithBug, withoutBug } from './with-bug.js';

const EVENTS_DEFAULT = 3_000;
const EVENTS_MAX = 100_000;
const TIMES_MAX = 100;

interface ReplayFlags extends Omit<ReplayRequest, 'source' | 'html' | 'bug'> {
  readonly html?: string;
  readonly bug?: string;
}

export function addReplay(program: Command, surroundings: Surroundings): void {
  const events = countOption('--events', 'N', 'how many of the last events to draw', EVENTS_MAX);
  const times = countOption('--times', 'N', 'run it so often, and demand the same', TIMES_MAX);
  program
    .command('replay')
    .description('one storm again, to the letter: by its seed, or from a file that a failure wrote')
    .argument('<SEED|FILE>')
    .option('--trace', 'the whole story, one line an event', false)
    .option('--html <FILE>', 'draw it as a sequence diagram')
    .addOption(events.default(EVENTS_DEFAULT))
    .option('--heartbeats', 'draw these too', false)
    .addOption(times.default(1))
    .addOption(bugOption())
    .action(async (source: string, flags: ReplayFlags) => {
      const { engine, terminal, args, finish } = surroundings;
      const request: ReplayRequest = {
        ...flags,
        source,
        html: flags.html,
        bug: plantedBug(surroundings),
      };
      if (flags.bug !== undefined) finish(await runWithBug(flags.bug, withoutBug(args)));
      else finish(await runReplay(request, engine, terminal));
    });
}
