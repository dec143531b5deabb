import { CommanderError } from 'commander';
import { STORM_ENGINE } from '../replay/storm-engine.js';
import { EXIT } from './exit-codes.js';
import { simProgram } from './program.js';
import { processTerminal } from './terminal.js';
import { UsageError } from './usage-error.js';

/** Runs one command line; what is wrong with it is one line on stderr. */
async function main(): Promise<void> {
  const program = simProgram({
    engine: STORM_ENGINE,
    terminal: processTerminal(),
    environment: process.env,
    args: process.argv.slice(2),
    finish: (code) => {
      process.exitCode = code;
    },
  });
  try {
    if (process.argv.length <= 2) program.help();
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      return;
    }
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`sim: ${error.code}: ${error.message}\n`);
    process.exitCode = EXIT.usage;
  }
}

await main();
