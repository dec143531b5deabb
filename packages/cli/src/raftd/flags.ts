import { Command, CommanderError, Option } from 'commander';
import { KEYS, type RawSettings } from './settings-sources.js';
import { UsageError } from './usage-error.js';

export interface Flags {
  readonly values: RawSettings;
  readonly config: string | undefined;
}

/** What a `--help` or `--version` asked for was printed; there is nothing to run. */
export class HelpShown extends Error {}

function makeCommand(version: string): Command {
  return new Command('raftd')
    .description('one node of a raftd cluster')
    .version(version)
    .option('--id <id>', 'name of this node; one of --peers')
    .option('--peers <list>', 'every node of the cluster, n1=HOST:PORT,n2=…; none: a single node')
    .option('--listen <host:port>', 'address to bind (default: own entry in --peers)')
    .option('--advertise <host:port>', 'address told to clients (default: own entry in --peers)')
    .option('--data-dir <dir>', 'where this node keeps its log (default: ./ID.raftd)')
    .option('--cluster <name>', 'cluster name, a guard against crossed configurations')
    .addOption(new Option('--reads <how>', 'quorum (default) or lease'))
    .option('--heartbeat <duration>', 'time between heartbeats (default: 50ms)')
    .option('--election-timeout <duration>', 'base election time-out (default: 300ms)')
    .option('--config <file>', 'JSON object with these names as keys')
    .option('--log-level <level>', 'trace, debug, info (default), warn, error, fatal, silent')
    .addHelpText('after', '\nFlags win over RAFTD_* environment over the --config file.')
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
}

/** @throws {UsageError} unknown flag, missing value, stray argument; {HelpShown} after --help. */
export function parseFlags(args: readonly string[], version: string): Flags {
  const command = makeCommand(version);
  try {
    command.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) throw new HelpShown();
    const text = error.message.replace(/^error: /, '').replace(/\n/g, ' ');
    throw new UsageError('UNKNOWN_FLAG', `${text}; see raftd --help`);
  }
  const options: Readonly<Record<string, string | undefined>> = command.opts();
  const values: Record<string, string> = {};
  for (const key of KEYS) {
    const value = options[camelCase(key)];
    if (value !== undefined) values[key] = value;
  }
  return { values, config: options['config'] };
}

function camelCase(key: string): string {
  return key.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
