import { readFileSync, writeSync } from 'node:fs';
import { relative } from 'node:path';
import { destination, type Logger, pino } from 'pino';
import { EXIT } from '../exit-codes.js';
import { describeExit, exitReason } from './exit-reason.js';
import { HelpShown, parseFlags } from './flags.js';
import { type RunningNode, startNode } from './node.js';
import { checkSettings, type RaftdSettings, settingsWarnings } from './settings.js';
import { collectSettings, readConfigFile } from './settings-sources.js';

const STDERR = 2;

/** A stop that takes longer than this is a fault; below the ten seconds supervisors wait. */
const STOP_MAX_MS = 8_000;

try {
  const version = readVersion();
  await run(readSettings(version), version);
} catch (error) {
  if (!(error instanceof HelpShown)) end(error);
}

function readSettings(version: string): RaftdSettings {
  const flags = parseFlags(process.argv.slice(2), version);
  const path = flags.config ?? process.env['RAFTD_CONFIG'];
  const file = path === undefined ? undefined : { path, values: readConfigFile(path) };
  return checkSettings(collectSettings(flags.values, process.env, file));
}

async function run(settings: RaftdSettings, version: string): Promise<void> {
  const log = makeLogger(settings);
  process.on('uncaughtException', (error) => endLogged(log, error));
  process.on('unhandledRejection', (error) => endLogged(log, error));
  for (const warning of settingsWarnings(settings)) log.warn({}, warning);
  const fatal = (error: Error): void => endLogged(log, error);
  const node = await startNode(settings, { log, version, fatal });
  stopOnSignal(node, log);
  // Whoever wanted to read it may have left: that must not end a node.
  process.stdout.on('error', (error) => log.warn({ error }, 'nobody reads stdout'));
  process.stdout.write(readyLine(settings));
}

function readyLine({ id, listen, advertise, dataDirectory }: RaftdSettings): string {
  const bound = `${listen.host}:${listen.port}`;
  const address = advertise === bound ? bound : `${bound} (as ${advertise})`;
  const path = relative(process.cwd(), dataDirectory);
  const directory = path.startsWith('..') ? dataDirectory : `./${path}`;
  return `raftd ${id} ready on ${address}, data in ${directory}\n`;
}

/** The first signal stops in order; a second one, or a stop that hangs, ends at once with 1. */
function stopOnSignal(node: RunningNode, log: Logger): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(EXIT.internal);
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(EXIT.internal), STOP_MAX_MS).unref();
    node.stop().then(
      () => process.exit(EXIT.ok),
      (error: unknown) => endLogged(log, error),
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** Written synchronously: what a process says last must not be lost with it. */
function makeLogger({ id, logLevel }: RaftdSettings): Logger {
  const stream = destination({ fd: STDERR, sync: true });
  return pino({ level: logLevel, base: { node: id } }, stream);
}

function endLogged(log: Logger, error: unknown): never {
  const { exitCode } = exitReason(error);
  if (exitCode === EXIT.internal) log.fatal({ err: error }, 'internal fault');
  return end(error);
}

function end(error: unknown): never {
  const reason = exitReason(error);
  try {
    writeSync(STDERR, describeExit(reason));
  } catch {
    // Nobody reads it any more: the exit code still says it.
  }
  process.exit(reason.exitCode);
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  return version;
}
