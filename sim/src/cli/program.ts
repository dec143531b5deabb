import type { Option } from 'commander';
import { Command, Help } from 'commander';
import { addCalm, addCheckHistory, addDeterminism, addExplore, addPlanted } from './add-checks.js';
import { addReplay } from './add-replay.js';
import { addStorm } from './add-storm.js';
import { EXIT } from './exit-codes.js';
import { EXAMPLES } from './help.js';
import type { Surroundings } from './surroundings.js';
import { UsageError } from './usage-error.js';

export function simProgram(surroundings: Surroundings): Command {
  const program = new Command('npm run sim --')
    .description('Runs the code of production in worlds where everything goes wrong.')
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError()
    .configureHelp({ optionDescription })
    .helpCommand(false)
    .exitOverride();
  addStorm(program, surroundings);
  addReplay(program, surroundings);
  addExplore(program, surroundings);
  addPlanted(program, surroundings);
  addCheckHistory(program, surroundings);
  addDeterminism(program, surroundings);
  addCalm(program, surroundings);
  addHelp(program, surroundings);
  for (const command of program.commands) command.exitOverride();
  return program;
}

/** Commander's own shows the whole help for a name that it does not know. */
function addHelp(program: Command, { finish }: Surroundings): void {
  program
    .command('help')
    .description('display help for command')
    .argument('[COMMAND]')
    .action((name: string | undefined) => {
      const asked = program.commands.find((command) => command.name() === name);
      if (name !== undefined && asked === undefined) {
        const names = program.commands.map((command) => command.name()).join(', ');
        throw new UsageError('UNKNOWN_NAME', `help ${name}: there are ${names}`);
      }
      (asked ?? program).outputHelp();
      finish(EXIT.ok);
    });
}

/** That a switch is off by default goes without saying. */
function optionDescription(option: Option): string {
  return new Help().optionDescription(option).replace(/ ?\(default: false\)/, '');
}
