import type { Timers } from './ports.js';

/** Until the delay is over or one of the signals aborts; which of them, the caller looks. */
export function pause(
  timers: Timers,
  delayMs: number,
  signals: readonly (AbortSignal | undefined)[],
): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      for (const signal of signals) signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = timers.after(delayMs, finish, { ref: true });
    for (const signal of signals) signal?.addEventListener('abort', finish, { once: true });
    if (signals.some((signal) => signal?.aborted)) finish();
  });
}
