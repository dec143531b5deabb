import { constants } from 'node:os';

import { RaftdError } from '@raftd/client';
import { InvalidArgumentError } from 'commander';

import { parseDurationMs } from '../duration.js';
import { EXIT } from '../exit-codes.js';

/** Ends the command with a documented exit code and one line on stderr. */
export class ExitError extends Error {
  override readonly name: string = 'ExitError';
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The documented code of any failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ExitError) return error.exitCode;
  if (error instanceof Interrupted) return codeOfSignal(error.signal);
  if (!(error instanceof RaftdError)) return EXIT.internal;
  if (error.class === 'indeterminate') return EXIT.outcomeUnknown;
  switch (error.code) {
    case 'UNAVAILABLE':
    case 'TIMEOUT':
    case 'NOT_LEADER':
    case 'OVERLOADED':
    case 'SHUTTING_DOWN':
    case 'TOO_MANY_CONNECTIONS':
    case 'TOO_MANY_REQUESTS':
      return EXIT.unavailable;
    case 'LEASE_NOT_FOUND':
      return EXIT.notFound;
    case 'INVALID_ARGUMENT':
    case 'LIMIT_EXCEEDED':
    case 'FRAME_TOO_LARGE':
      return EXIT.usage;
    default:
      return EXIT.refused;
  }
}

/** As shells say it. */
export function codeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** The user interrupted a call: its outcome is not known here. */
export class Interrupted extends Error {
  override readonly name: string = 'Interrupted';
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal} before the answer came`);
    this.signal = signal;
  }
}

/** For commander: a duration with its unit; a bare number is refused. */
export function durationMs(text: string): number {
  const value = parseDurationMs(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError(
    'It takes a duration with a unit, such as 500ms or 2s, up to 596h.',
  );
}

/** For commander: a whole number above 0. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It takes a whole number above 0.');
}
