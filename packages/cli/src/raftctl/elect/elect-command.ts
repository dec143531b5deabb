import { type Client, connect, type Leadership, RaftdError } from '@raftd/client';
import type { Command } from 'commander';

import type { GlobalOptions } from '../session.js';
import { candidateName } from './candidate.js';
import { type ChildEnd, Watchdog } from './watchdog.js';
import { type ChildDeadline, monotonicMs } from './watchdog-protocol.js';
import { EXIT } from '../../exit-codes.js';
import { durationMs, ExitError, codeOfSignal } from '../exit.js';

/** After an interrupt the command has this long before SIGKILL (and never past its lease). */
const STOP_GRACE_MS = 10_000;
/** How late a healthy watchdog may be before raftctl ends the command itself. */
const WATCHDOG_SLACK_MS = 50;

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
  try {
    const { endpoints, timeoutMs } = globals;
    await using client = await connect(endpoints, { timeoutMs, signal: stop.signal });
    const leadership = await lead(client, name, options, stop.signal);
    return await runWhileLeading(leadership, command, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return codeOfSignal(stop.signal.reason as NodeJS.Signals);
    if (error instanceof RaftdError && OUT_OF_REACH.has(error.code)) {
      throw new ExitError(EXIT.unreachable, error.message);
    }
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

/** What a campaign ends with when the cluster is out of reach for longer than its lease. */
const OUT_OF_REACH: ReadonlySet<string> = new Set([
  'UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'TIMEOUT',
  'LEASE_LOST',
]);

/**
 * Campaigns until granted, told to stop, or `--wait` has passed. The signal ends with the wait:
 * once it leads, the lease is renewed for as long as the command takes to stop.
 */
async function lead(
  client: Client,
  name: string,
  options: ElectOptions,
  stop: AbortSignal,
): Promise<Leadership> {
  const { wait } = options;
  const waiting = new AbortController();
  const giveUp = (): void => waiting.abort();
  const alarm = wait === undefined ? undefined : setTimeout(giveUp, wait);
  stop.addEventListener('abort', giveUp, { once: true });
  try {
    return await client.election(name).campaign({
      candidate: candidateName(options.id),
      ttlMs: options.ttl,
      signal: waiting.signal,
    });
  } catch (error) {
    if (!waiting.signal.aborted || stop.aborted) throw error;
    throw new ExitError(EXIT.waitLimitPassed, `'${name}' was not won within ${wait} ms`);
  } finally {
    clearTimeout(alarm);
    stop.removeEventListener('abort', giveUp);
  }
}

async function runWhileLeading(
  leadership: Leadership,
  words: readonly string[],
  stop: AbortSignal,
): Promise<number> {
  const [command = '', ...args] = words;
  const environment = {
    RAFTD_TOKEN: leadership.token.toString(),
    RAFTD_ELECTION: leadership.election,
    RAFTD_HOLDER: leadership.holder,
  };
  const watchdog = new Watchdog({ command, args, environment }, deadlineOf(leadership));
  // The watchdog holds the last deadline it was told: if this process stands still, that stays.
  const unwatch = leadership.onChange(() => {
    if (leadership.held) watchdog.moveDeadline(deadlineOf(leadership));
  });
  let takeOver: NodeJS.Timeout | undefined;
  const onLost = (): void => {
    const graceMs = leadership.stopBudgetMs / 2;
    watchdog.end(graceMs);
    takeOver = setTimeout(() => watchdog.takeOver(), graceMs + WATCHDOG_SLACK_MS);
  };
  const onStop = (): void => watchdog.end(STOP_GRACE_MS);
  leadership.signal.addEventListener('abort', onLost);
  stop.addEventListener('abort', onStop);
  if (stop.aborted) onStop();
  let end: ChildEnd;
  try {
    end = await watchdog.ended;
  } catch (error) {
    // Nothing ran: the next candidate need not wait for the lease.
    await leadership.resign().catch(() => undefined);
    throw new ExitError(EXIT.usage, `cannot run '${command}': ${(error as Error).message}`);
  } finally {
    unwatch();
    leadership.signal.removeEventListener('abort', onLost);
    stop.removeEventListener('abort', onStop);
    clearTimeout(takeOver);
  }
  const lost = end.overdue || !leadership.held;
  // Only now, with the whole process group gone, may the leadership pass on.
  await leadership.resign().catch(() => undefined);
  if (lost) {
    const message = `leadership of '${leadership.election}' was lost; CMD ended`;
    throw new ExitError(EXIT.grantLost, message);
  }
  return end.code ?? codeOfSignal(end.signal ?? 'SIGKILL');
}

/** Clocks first: a stop between the readings then only shortens what the child is given. */
function deadlineOf(leadership: Leadership): ChildDeadline {
  const monotonicNowMs = monotonicMs();
  const wallNowMs = Date.now();
  const { remainingMs } = leadership;
  return {
    termAtMonotonicMs: monotonicNowMs + remainingMs,
    termAtWallMs: wallNowMs + remainingMs,
    killAfterMs: leadership.stopBudgetMs / 2,
  };
}
