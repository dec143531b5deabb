import type { Option } from 'commander';
import { Command, Help } from 'commander';
import { addCalm, addCheckHistory, addDeterminism, addExplore, addPlanted } from './add-checks.js';
import { addReplay } from './add-replay.js';
import { addStorm } from './add-storm.js';
import { EXAMPLES } from './help.js';
import type { Surroundings } from './surroundings.js';

export function simProgram(surroundings: Surroundings): Command {
  const program = new Command('npm run sim --')
    .description('Runs the code of production in worlds where everything goes wrong.')
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError()
    .configureHelp({ optionDescription })
    .exitOverride();
  addStorm(program, surroundings);
  addReplay(program, surroundings);
  addExplore(program, surroundings);
  addPlanted(program, surroundings);
  addCheckHistory(program, surroundings);
  addDeterminism(program, surroundings);
  addCalm(program, surroundings);
  for (const command of program.commands) command.exitOverride();
  return program;
}

/** That a switch is off by default goes without saying. */
function optionDescription(option: Option): string {
  return new Help().optionDescription(option).replace(/ ?\(default: false\)/, '');
}
