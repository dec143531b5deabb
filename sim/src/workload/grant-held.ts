import { type Leadership, RaftdError } from '@raftd/client';
import type { ClientHost } from './client-host.js';
import type { Holding } from './worker.js';

/** Whether the process is still the one that won. */
interface Life {
  readonly isOver: boolean;
}

/** One leadership that a client has won: what it tells of it, and what it writes in its name. */
export class GrantHeld implements Holding {
  readonly leadership: Leadership;
  readonly #host: ClientHost;
  readonly #life: Life;
  readonly #onEnded: () => void;
  #isFenced = false;

  constructor(host: ClientHost, life: Life, leadership: Leadership, onEnded: () => void) {
    this.#host = host;
    this.#life = life;
    this.leadership = leadership;
    this.#onEnded = onEnded;
  }

  get isFenced(): boolean {
    return this.#isFenced;
  }

  /** Now that it is won, and once it is over as far as this process knows. */
  tell(): void {
    const { election, token, holder, lease, ttlMs, signal } = this.leadership;
    const client = this.#host.name;
    this.#host.observe({
      type: 'leadership-won',
      client,
      election,
      token,
      holder,
      lease,
      ttlMs,
      isHeld: () => this.#isHeld(),
    });
    const onAbort = (): void => {
      if (this.#life.isOver) return;
      this.#onEnded();
      const reason = this.leadership.loss?.reason ?? 'unknown';
      this.#host.observe({ type: 'leadership-ended', client, election, token, reason });
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  }

  /** It travels: whoever freezes now cannot call it back. */
  write(asked: boolean): void {
    const { election, token, holder } = this.leadership;
    const host = this.#host;
    host.afterTravel(() => {
      const accepted = host.resources.write(election, token, holder);
      const client = host.name;
      host.observe({ type: 'resource-write', client, election, token, accepted, asked });
      if (accepted) return;
      host.afterTravel(() => {
        this.#isFenced = true;
      });
    });
  }

  /** What the process would be told if it asked now; one that is dead believes nothing. */
  #isHeld(): boolean {
    if (this.#life.isOver) return false;
    // Asking may end it, as it does in the process itself.
    this.#host.touched();
    try {
      this.leadership.assertHeld();
      return true;
    } catch (error) {
      if (error instanceof RaftdError) return false;
      throw error;
    }
  }
}
