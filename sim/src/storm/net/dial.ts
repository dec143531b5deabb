import type { PeerHello } from '@raftd/protocol';
import type { Message } from '@raftd/raft';
import type { PeerHandlers } from '@raftd/server';
import type { RandomStream } from '../../world/random.js';
import { helloAcross } from './peer-codec.js';
import type { PeerEnd } from './peer-end.js';
import type { Wire } from './wire.js';

/** A dial that nobody answers is given up: the kernel's second attempt would come about then. */
const HANDSHAKE_MS = 1_000;
/** As the transport redials: full jitter over a bound that doubles up to the cap. */
const REDIAL_FLOOR_MS = 50;
const REDIAL_CAP_MS = 1_000;

type DialState =
  | { readonly type: 'closed' }
  | { readonly type: 'dialling'; readonly giveUp: () => void }
  | { readonly type: 'open'; readonly peerLife: number };

/**
 * What one life of a node dialled to one peer: hellos both ways, then messages one way, and anew
 * for ever. Both lanes of the transport share it: their hellos say the same.
 */
export class Dial {
  readonly #from: PeerEnd;
  readonly #handlers: PeerHandlers;
  readonly #there: Wire;
  readonly #back: Wire;
  readonly #draws: RandomStream;
  readonly #encoded: boolean;
  #state: DialState = { type: 'closed' };
  #attempt = 0;
  #boundMs = REDIAL_FLOOR_MS;

  constructor(parts: {
    readonly from: PeerEnd;
    readonly handlers: PeerHandlers;
    readonly there: Wire;
    readonly back: Wire;
    readonly draws: RandomStream;
    readonly encoded: boolean;
  }) {
    this.#from = parts.from;
    this.#handlers = parts.handlers;
    this.#there = parts.there;
    this.#back = parts.back;
    this.#draws = parts.draws;
    this.#encoded = parts.encoded;
  }

  /** Runs inside the dialling process. */
  dial(): void {
    this.#attempt += 1;
    const attempt = this.#attempt;
    const giveUp = this.#from.process.after(HANDSHAKE_MS, () => {
      this.#redialLater();
    });
    this.#state = { type: 'dialling', giveUp };
    const hello = this.#cross(this.#handlers.hello(this.#there.to.id, 'control'));
    this.#there.carry(() => {
      this.#reach(hello, attempt);
    });
  }

  send(message: Message): void {
    if (this.#state.type === 'open') {
      this.#there.send(message, this.#state.peerLife, this.#onReset);
    } else {
      this.#there.lose(message, 'not-connected');
    }
  }

  /** At the other side: a door that is closed, or a process that answers when it comes to it. */
  #reach(hello: PeerHello, attempt: number): void {
    const { process, peerHandlers } = this.#there.to;
    const { life } = process;
    if (peerHandlers === undefined) {
      this.#answer(attempt, () => {
        this.#redialLater();
      });
      return;
    }
    process.deliver(() => {
      const refusal = peerHandlers.onHello(hello);
      // A node that must end at what it heard says nothing more.
      if (!process.isUp || process.life !== life) return;
      const reply =
        refusal === undefined ? this.#cross(peerHandlers.hello(hello.from.id, 'control')) : refusal;
      this.#answer(attempt, () => {
        if ('code' in reply) this.#redialLater();
        else this.#onHello(reply, life);
      });
    });
  }

  #answer(attempt: number, handle: () => void): void {
    const { life } = this.#from.process;
    this.#back.carry(() => {
      const { process } = this.#from;
      if (process.life !== life) return;
      process.deliver(() => {
        if (this.#state.type === 'dialling' && this.#attempt === attempt) handle();
      });
    });
  }

  #onHello(hello: PeerHello, peerLife: number): void {
    if (this.#handlers.onHello(hello) !== undefined) {
      this.#redialLater();
      return;
    }
    if (this.#state.type === 'dialling') this.#state.giveUp();
    this.#state = { type: 'open', peerLife };
    this.#boundMs = REDIAL_FLOOR_MS;
  }

  /** What was sent met a process that knows nothing of this connection. */
  readonly #onReset = (peerLife: number): void => {
    const { life } = this.#from.process;
    this.#back.carry(() => {
      const { process } = this.#from;
      if (process.life !== life) return;
      process.deliver(() => {
        const state = this.#state;
        if (state.type === 'open' && state.peerLife === peerLife) this.#redialLater();
      });
    });
  };

  #redialLater(): void {
    if (this.#state.type === 'dialling') this.#state.giveUp();
    this.#state = { type: 'closed' };
    const waitMs = Math.max(REDIAL_FLOOR_MS, this.#draws.between(0, this.#boundMs));
    this.#boundMs = Math.min(REDIAL_CAP_MS, 2 * this.#boundMs);
    this.#from.process.after(waitMs, () => {
      this.dial();
    });
  }

  #cross(hello: PeerHello): PeerHello {
    return this.#encoded ? helloAcross(hello) : hello;
  }
}
