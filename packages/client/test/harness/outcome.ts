import { RaftdError } from '../../src/errors.js';

export type Outcome<T> =
  | { readonly state: 'pending' }
  | { readonly state: 'resolved'; readonly value: T }
  | { readonly state: 'rejected'; readonly error: unknown };

/** Follows a promise so that a test can look at it without waiting, and nothing goes unhandled. */
export function watchOutcome<T>(promise: Promise<T>): { readonly now: Outcome<T> } {
  const seen: { now: Outcome<T> } = { now: { state: 'pending' } };
  promise.then(
    (value) => {
      seen.now = { state: 'resolved', value };
    },
    (error: unknown) => {
      seen.now = { state: 'rejected', error };
    },
  );
  return seen;
}

export function valueOf<T>({ now }: { readonly now: Outcome<T> }): T {
  if (now.state !== 'resolved') throw new Error(`not resolved: ${describe(now)}`);
  return now.value;
}

export function errorOf<T>({ now }: { readonly now: Outcome<T> }): RaftdError {
  if (now.state !== 'rejected') throw new Error(`not rejected: ${now.state}`);
  if (!(now.error instanceof RaftdError)) throw now.error;
  return now.error;
}

function describe(outcome: Outcome<unknown>): string {
  return outcome.state === 'rejected' ? String(outcome.error) : outcome.state;
}
