import type { Message } from '@raftd/raft';
import type { Agenda } from '../../world/agenda.js';
import { freezeMessage } from '../../world/freeze-message.js';
import type { Lost } from '../../world/events.js';
import type { StormEvent } from '../events.js';
import type { LinkWeather } from './link-weather.js';
import type { Links } from './links.js';
import { messagesAcross } from './peer-codec.js';
import type { PeerEnd } from './peer-end.js';

/** What every wire of a storm shares. */
export interface WireSurroundings {
  readonly agenda: Agenda;
  readonly links: Links;
  /** Frames cross the codec as bytes. */
  readonly encoded: boolean;
  observe(event: StormEvent): void;
}

/** Appends may be large and must not hold up the rest: they have a lane of their own. */
type Lane = 0 | 1;

/** All messages of one turn for one peer and lane: they leave together. */
interface Frame {
  /** The turn they left in: what is sent later opens another frame. */
  readonly turn: number;
  readonly messages: Message[];
  /** The life of the receiver that the connection was made with. */
  readonly peerLife: number;
  readonly onReset: (peerLife: number) => void;
}

type Copy = 'original' | 'duplicate';

/** One direction between two nodes. It outlives the processes at both ends. */
export class Wire {
  readonly to: PeerEnd;
  readonly #from: PeerEnd;
  readonly #around: WireSurroundings;
  readonly #weather: LinkWeather;
  readonly #onReorder: () => void;
  /** By lane: the frame of this turn, and when the latest one arrives. */
  readonly #frames: [Frame | undefined, Frame | undefined] = [undefined, undefined];
  readonly #latestMs: [number, number] = [0, 0];

  constructor(
    from: PeerEnd,
    to: PeerEnd,
    around: WireSurroundings,
    weather: LinkWeather,
    onReorder: () => void,
  ) {
    this.#from = from;
    this.to = to;
    this.#around = around;
    this.#weather = weather;
    this.#onReorder = onReorder;
  }

  /** What left in the storm may still be late, but holds up nothing that leaves from now on. */
  becomeCalm(): void {
    this.#weather.becomeCalm();
    this.#latestMs.fill(0);
  }

  /** A packet of a handshake: the kernel repeats what is lost, only a cut link swallows it. */
  carry(arrive: () => void): void {
    const { agenda } = this.#around;
    agenda.at(agenda.nowMs + this.#weather.latencyMs(), () => {
      if (!this.#isCut()) arrive();
    });
  }

  /**
   * Sends one message over the connection that was made with that life of the receiver.
   * `onReset`: the other side knows nothing of the connection any more.
   */
  send(message: Message, peerLife: number, onReset: (peerLife: number) => void): void {
    const body = freezeMessage(message);
    const lane: Lane = body.type === 'append-request' ? 1 : 0;
    const turn = this.#around.agenda.happened;
    const open = this.#frames[lane];
    if (open?.turn === turn && open.peerLife === peerLife) {
      open.messages.push(body);
      return;
    }
    const frame: Frame = { turn, messages: [body], peerLife, onReset };
    this.#frames[lane] = frame;
    this.#depart(frame, lane);
  }

  /** A message for which there is no connection. */
  lose(message: Message, reason: Lost['reason']): void {
    this.#around.observe({ type: 'lost', message, reason });
  }

  #depart(frame: Frame, lane: Lane): void {
    const { agenda } = this.#around;
    const { isLost, delayMs, copyDelayMs } = this.#weather.next();
    let arrivesMs = agenda.nowMs + delayMs;
    const latestMs = this.#latestMs[lane];
    if (arrivesMs < latestMs) {
      if (this.#weather.reorders) this.#onReorder();
      else arrivesMs = latestMs;
    } else {
      this.#latestMs[lane] = arrivesMs;
    }
    if (isLost) {
      agenda.at(arrivesMs, () => {
        this.#loseAll(frame, 'chance');
      });
      return;
    }
    agenda.at(arrivesMs, () => {
      this.#arrive(frame, 'original');
    });
    if (copyDelayMs === undefined) return;
    agenda.at(arrivesMs + copyDelayMs, () => {
      this.#arrive(frame, 'duplicate');
    });
  }

  #arrive(frame: Frame, copy: Copy): void {
    const { process } = this.to;
    const handlers = this.to.peerHandlers;
    if (this.#isCut()) {
      this.#loseAll(frame, 'cut');
      return;
    }
    if (handlers === undefined || process.life !== frame.peerLife) {
      this.#loseAll(frame, handlers === undefined ? 'node-down' : 'stale-connection');
      frame.onReset(frame.peerLife);
      return;
    }
    const { observe, encoded } = this.#around;
    const messages = encoded ? messagesAcross(frame.messages) : frame.messages;
    for (const message of messages) observe({ type: 'delivered', message, copy });
    process.deliver(() => {
      handlers.onMessages(this.#from.id, messages);
    });
  }

  #loseAll(frame: Frame, reason: Lost['reason']): void {
    for (const message of frame.messages) this.lose(message, reason);
  }

  #isCut(): boolean {
    return this.#around.links.isCut(this.#from.position, this.to.position);
  }
}
