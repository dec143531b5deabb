import { type ErrorBody, errorBody } from '@raftd/protocol';
import type { Clock } from './ports.js';
import type { TransportSettings } from './settings.js';

/**
 * Who may come in at all, decided before the upgrade, when a refusal costs least. Peers are
 * exempt from the clients' budgets: a storm of clients must not keep the cluster apart.
 */
export class Admission {
  readonly #settings: TransportSettings;
  readonly #clock: Clock;
  #pending = 0;
  #clients = 0;
  #windowStartMs = 0;
  #windowBegun = 0;

  constructor(settings: TransportSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Why a client is not let in now; undefined: it is, and counts until `leave`. */
  enterClient(): ErrorBody | undefined {
    const { clientConnectionsMax, handshakesPerWindowMax, handshakeWindowMs } = this.#settings;
    if (this.#clients >= clientConnectionsMax) return tooMany('connections', clientConnectionsMax);
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#windowStartMs >= handshakeWindowMs) {
      this.#windowStartMs = nowMs;
      this.#windowBegun = 0;
    }
    if (this.#windowBegun >= handshakesPerWindowMax) {
      return tooMany(`handshakes within ${handshakeWindowMs} ms`, handshakesPerWindowMax);
    }
    const refusal = this.#beginHandshake(this.#settings.pendingHandshakesMax);
    if (refusal !== undefined) return refusal;
    this.#windowBegun += 1;
    this.#clients += 1;
    return undefined;
  }

  /** As `enterClient`; peers have as many places again, so that clients cannot take them all. */
  enterPeer(): ErrorBody | undefined {
    return this.#beginHandshake(2 * this.#settings.pendingHandshakesMax);
  }

  handshakeDone(): void {
    this.#pending -= 1;
  }

  leaveClient(): void {
    this.#clients -= 1;
  }

  #beginHandshake(max: number): ErrorBody | undefined {
    if (this.#pending >= max) return tooMany('handshakes pending', max);
    this.#pending += 1;
    return undefined;
  }
}

function tooMany(what: string, limit: number): ErrorBody {
  return errorBody('TOO_MANY_CONNECTIONS', `this node takes no more than ${limit} ${what}`, {
    limit,
  });
}
