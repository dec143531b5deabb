import { Command, CommanderError, Option } from 'commander';

import { addElectCommand } from './elect/elect-command.js';
import { addElectionCommands } from './election-commands.js';
import { addFenceCommand } from './fence-command.js';
import { addKvCommands } from './kv-commands.js';
import { addLeaseCommands } from './lease-commands.js';
import type { OutputFormat } from './output.js';
import type { GlobalOptions } from './session.js';
import { addStatusCommand } from './status-command.js';
import { addWatchCommand } from './watch-command.js';
import { EXIT } from '../exit-codes.js';
import { durationMs, ExitError, exitCodeOf, Interrupted } from './exit.js';

const DEFAULT_ENDPOINTS = 'ws://127.0.0.1:7400';

function program(): Command {
  const command = new Command('raftctl')
    .description('ask and steer a raftd cluster')
    .addOption(
      new Option('--endpoints <LIST>', 'nodes of the cluster: ws://HOST:PORT,HOST:PORT…')
        .env('RAFTD_ENDPOINTS')
        .default(DEFAULT_ENDPOINTS),
    )
    .addOption(
      new Option('-o, --output <FORMAT>', 'for people or for scripts')
        .choices(['table', 'json'])
        .default('table'),
    )
    .option('--timeout <DURATION>', 'for one call', durationMs, 10_000)
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride();
  const globals = (): GlobalOptions => {
    const options = command.opts<{ endpoints: string; output: OutputFormat; timeout: number }>();
    return { endpoints: options.endpoints, output: options.output, timeoutMs: options.timeout };
  };
  addStatusCommand(command, globals);
  addKvCommands(command, globals);
  addWatchCommand(command, globals);
  addLeaseCommands(command, globals);
  addElectionCommands(command, globals);
  addElectCommand(command, globals);
  addFenceCommand(command, globals);
  for (const child of descendants(command)) child.exitOverride();
  return command;
}

function descendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}

/** Runs one command line; every failure is one line on stderr and a documented exit code. */
async function main(): Promise<void> {
  try {
    await program().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      return;
    }
    process.stderr.write(`raftctl: ${describe(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

function describe(error: unknown): string {
  if (error instanceof ExitError || error instanceof Interrupted) return error.message;
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${error.message} (${String(error.code)})` : String(error.stack);
}

await main();
