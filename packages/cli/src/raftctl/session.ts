import { type Client, connect } from '@raftd/client';

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
  readonly timeoutMs: number;
  /** Aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/** Connects, runs one command and closes, whatever happens. */
export async function withSession<Result>(
  options: GlobalOptions,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const interrupt = new AbortController();
  const abort = (): void => interrupt.abort(new Interrupted());
  process.once('SIGINT', abort).once('SIGTERM', abort);
  const client = await connect(options.endpoints, {
    timeoutMs: options.timeoutMs,
    signal: interrupt.signal,
  });
  try {
    return await use({
      client,
      output: outputTo((text) => process.stdout.write(text), options.output),
      timeoutMs: options.timeoutMs,
      signal: interrupt.signal,
    });
  } finally {
    await client.close();
    process.off('SIGINT', abort).off('SIGTERM', abort);
  }
}

/** The user ended a stream or a wait: not a failure. */
export class Interrupted extends Error {
  override readonly name: string = 'Interrupted';
}
