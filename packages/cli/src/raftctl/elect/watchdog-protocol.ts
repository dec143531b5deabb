/**
 * When the child must be gone. Both clocks count, whichever comes first: the monotonic one may
 * stop in a suspend. CLOCK_MONOTONIC is one for all processes of a host.
 */
export interface ChildDeadline {
  /** SIGTERM from here on: the grant is no longer held. */
  readonly termAtMonotonicMs: number;
  readonly termAtWallMs: number;
  /** SIGKILL this long after the SIGTERM, still before the lease can pass on. */
  readonly killAfterMs: number;
}

export type ToWatchdog =
  | {
      readonly type: 'run';
      readonly command: string;
      readonly args: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
      readonly deadline: ChildDeadline;
    }
  | { readonly type: 'deadline'; readonly deadline: ChildDeadline }
  /** End the child now: SIGTERM, then SIGKILL after `graceMs` or at the deadline. */
  | { readonly type: 'end'; readonly graceMs: number };

export type FromWatchdog =
  | { readonly type: 'started'; readonly processGroup: number }
  | { readonly type: 'failed'; readonly message: string }
  /** The group cannot be signalled any more: it has taken on other rights. */
  | { readonly type: 'unreachable'; readonly processGroup: number }
  /** The whole process group is gone. */
  | {
      readonly type: 'ended';
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      /** True: the deadline passed before anybody told the watchdog to end the child. */
      readonly overdue: boolean;
    };

export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
