import { type Client, connect } from '@raftd/client';

import { Interrupted } from './exit.js';
import { type Output, type OutputFormat, outputTo } from './output.js';

/** What every command is given: where to ask, how long, how to print. */
export interface GlobalOptions {
  readonly endpoints: string;
  readonly output: OutputFormat;
  /** For one call, not for a stream or a wait in a queue. */
  readonly timeoutMs: number;
}

export interface Session {
  readonly client: Client;
  readonly output: Output;
}

export interface StreamSession extends Session {
  /** Aborts on SIGINT and SIGTERM: how a stream ends. */
  readonly signal: AbortSignal;
}

/** Connects, runs one command and closes, whatever happens; an interrupt ends it at once. */
export function withSession(
  options: GlobalOptions,
  use: (session: Session) => Promise<void>,
): Promise<void> {
  return connected(options, async (session) => {
    const { signal } = session;
    const interrupted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    await Promise.race([use(session), interrupted]);
  });
}

/** As `withSession` for what goes on until interrupted: that is its good end. */
export function withStream(
  options: GlobalOptions,
  use: (session: StreamSession) => Promise<void>,
): Promise<void> {
  return connected(options, async (session) => {
    try {
      await use(session);
    } catch (error) {
      if (!session.signal.aborted || error !== session.signal.reason) throw error;
    }
  });
}

async function connected(
  options: GlobalOptions,
  use: (session: StreamSession) => Promise<void>,
): Promise<void> {
  const interrupt = new AbortController();
  const abort = (signal: NodeJS.Signals): void => interrupt.abort(new Interrupted(signal));
  process.once('SIGINT', abort).once('SIGTERM', abort);
  // Whoever reads has left, as `head` does: nobody is there to print for.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    interrupt.abort(error.code === 'EPIPE' ? new Interrupted('SIGPIPE') : error);
  });
  try {
    await using client = await connect(options.endpoints, {
      timeoutMs: options.timeoutMs,
      callTimeoutMs: options.timeoutMs,
      signal: interrupt.signal,
    });
    const output = outputTo((text) => process.stdout.write(text), options.output);
    await use({ client, output, signal: interrupt.signal });
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
  }
}
