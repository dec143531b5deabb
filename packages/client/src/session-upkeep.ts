import type { ClientCommand } from '@raftd/protocol';
import type { Lane } from './call.js';
import type { Cancel, Timers } from './ports.js';
import { SESSION_TOUCH_MS } from './session.js';
import type { Sessions } from './sessions.js';

/** Sends one command in a lane; settles when it is answered or given up. */
export type SendInLane = (
  lane: Lane,
  command: ClientCommand,
  timeoutMs: number | undefined,
) => Promise<void>;

/** Keeps idle sessions alive, and ends them with the client. */
export class SessionUpkeep {
  readonly #timers: Timers;
  readonly #sessions: Sessions;
  readonly #send: SendInLane;
  #cancelTouch: Cancel | undefined;
  #ended = false;

  constructor(timers: Timers, sessions: Sessions, send: SendInLane) {
    this.#timers = timers;
    this.#sessions = sessions;
    this.#send = send;
  }

  /** Once there is a session to keep; it is never a reason for the process to stay. */
  arm(): void {
    if (this.#cancelTouch !== undefined || this.#ended) return;
    const touch = (): void => this.#touch();
    this.#cancelTouch = this.#timers.after(SESSION_TOUCH_MS, touch, { ref: false });
  }

  end(): void {
    this.#ended = true;
    this.#cancelTouch?.();
    this.#cancelTouch = undefined;
  }

  async closeAll(timeoutMs: number): Promise<void> {
    this.end();
    const lanes = this.#sessions.opened.map(([lane]) => lane);
    await Promise.all(lanes.map((lane) => this.#send(lane, { type: 'session-close' }, timeoutMs)));
  }

  #touch(): void {
    this.#cancelTouch = undefined;
    if (this.#sessions.opened.length === 0) return;
    for (const lane of this.#sessions.idle) {
      void this.#send(lane, { type: 'session-touch' }, undefined);
    }
    this.arm();
  }
}
