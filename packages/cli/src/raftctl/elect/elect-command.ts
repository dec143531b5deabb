import { type Client, connect, type Leadership, RaftdError } from '@raftd/client';
import type { Command } from 'commander';

import type { GlobalOptions } from '../session.js';
import { candidateName } from './candidate.js';
import { type ChildEnd, Watchdog } from './watchdog.js';
import { type ChildDeadline, monotonicMs } from './watchdog-protocol.js';
import { EXIT } from '../../exit-codes.js';
import { durationMs, ExitError } from '../exit.js';

/** After an interrupt the command has this long before SIGKILL (and never past its lease). */
const STOP_GRACE_MS = 10_000;

interface ElectOptions {
  readonly ttl: number;
  readonly id?: string;
  readonly wait?: number;
}

export function addElectCommand(program: Command, globals: () => GlobalOptions): void {
  program
    .command('elect <NAME> <CMD...>')
    .description('run CMD while leading NAME; ends it before the leadership can pass on')
    .usage('NAME [--ttl 10s] [--id ID] [--wait D] -- CMD…')
    .option('--ttl <DURATION>', 'lease of the candidate', durationMs, 10_000)
    .option('--id <ID>', 'name of the candidate; host, process and chance otherwise')
    .option('--wait <DURATION>', 'give up after waiting this long', durationMs)
    .addHelpText('after', HELP)
    .action(async (name: string, command: string[], options: ElectOptions) => {
      process.exitCode = await elect(name, command, options, globals());
    });
}

const HELP = `
CMD finds RAFTD_TOKEN, RAFTD_ELECTION and RAFTD_HOLDER in its environment. Its exit code is
passed on; 120: the grant was lost and CMD ended, 121: --wait passed, 122: cluster unreachable.
A process that leaves CMD's process group (setsid) is out of reach: let it check its token.`;

/** The exit code: the command's own, or why there is none. */
async function elect(
  name: string,
  command: readonly string[],
  options: ElectOptions,
  globals: GlobalOptions,
): Promise<number> {
  const stop = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = (signal: NodeJS.Signals): void => stop.abort(signal);
  for (const signal of signals) process.on(signal, onSignal);
  let client: Client | undefined;
  try {
    client = await connect(globals.endpoints, {
      timeoutMs: globals.timeoutMs,
      signal: stop.signal,
    });
    const leadership = await lead(client, name, options, stop.signal);
    return await runWhileLeading(leadership, { name, command, ttlMs: options.ttl, stop });
  } catch (error) {
    if (stop.signal.aborted) return 128 + signalNumber(stop.signal.reason);
    if (error instanceof RaftdError && error.code === 'UNAVAILABLE') {
      throw new ExitError(EXIT.unreachable, error.message);
    }
    throw error;
  } finally {
    await client?.close();
    for (const signal of signals) process.off(signal, onSignal);
  }
}

async function lead(
  client: Client,
  name: string,
  options: ElectOptions,
  stop: AbortSignal,
): Promise<Leadership> {
  const { wait } = options;
  const patience = new AbortController();
  const alarm = wait === undefined ? undefined : setTimeout(() => patience.abort(), wait);
  try {
    return await client.election(name).campaign({
      candidate: candidateName(options.id),
      ttlMs: options.ttl,
      signal: AbortSignal.any([stop, patience.signal]),
    });
  } catch (error) {
    if (!patience.signal.aborted || stop.aborted) throw error;
    throw new ExitError(EXIT.waitLimitPassed, `'${name}' was not won within ${wait} ms`);
  } finally {
    clearTimeout(alarm);
  }
}

interface Run {
  readonly name: string;
  readonly command: readonly string[];
  readonly ttlMs: number;
  readonly stop: AbortController;
}

async function runWhileLeading(leadership: Leadership, run: Run): Promise<number> {
  const [command = '', ...args] = run.command;
  const environment = {
    RAFTD_TOKEN: leadership.token.toString(),
    RAFTD_ELECTION: run.name,
    RAFTD_HOLDER: leadership.holder,
  };
  const deadline = (): ChildDeadline => deadlineOf(leadership, run.ttlMs);
  const watchdog = new Watchdog({ command, args, environment }, deadline());
  // The watchdog holds the last deadline it was told: if this process stands still, that stays.
  const move = setInterval(
    () => {
      if (leadership.held) watchdog.moveDeadline(deadline());
    },
    Math.max(20, run.ttlMs / 50),
  );
  leadership.signal.addEventListener('abort', () => watchdog.end(0), { once: true });
  run.stop.signal.addEventListener('abort', () => watchdog.end(STOP_GRACE_MS), { once: true });
  if (run.stop.signal.aborted) watchdog.end(STOP_GRACE_MS);
  let end: ChildEnd;
  try {
    end = await watchdog.ended;
  } catch (error) {
    throw new ExitError(EXIT.internal, `cannot run '${command}': ${(error as Error).message}`);
  } finally {
    clearInterval(move);
  }
  const lost = end.overdue || (!leadership.held && !run.stop.signal.aborted);
  // Only now, with the whole process group gone, may the leadership pass on.
  await leadership.resign().catch(() => undefined);
  if (lost) throw new ExitError(EXIT.grantLost, `leadership of '${run.name}' was lost; CMD ended`);
  return end.code ?? 128 + signalNumber(end.signal);
}

/** Clocks first: a stop between the readings then only shortens what the child is given. */
function deadlineOf(leadership: Leadership, ttlMs: number): ChildDeadline {
  const monotonicNowMs = monotonicMs();
  const wallNowMs = Date.now();
  const { remainingMs } = leadership;
  const stopBudgetMs = Math.max(20, ttlMs / 10);
  return {
    termAtMonotonicMs: monotonicNowMs + remainingMs,
    termAtWallMs: wallNowMs + remainingMs,
    killAfterMs: stopBudgetMs / 2,
  };
}

function signalNumber(signal: unknown): number {
  const numbers: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9 };
  return numbers[String(signal)] ?? 15;
}
