import {
  decodePeerFrame,
  describeError,
  type ErrorBody,
  encodePeerFrame,
  errorBody,
  type MemberAddress,
  type PeerHello,
  type PeerLane,
  type WireLimits,
} from '@raftd/protocol';
import { BackOff } from './back-off.js';
import { endError, FrameSocket, type SocketEnd } from './frame-socket.js';
import { KeepAlive } from './keep-alive.js';
import { PeerQueue } from './peer-queue.js';
import type { Logger, Message, PeerHandlers, Timers } from './ports.js';
import type { TransportSettings } from './settings.js';
import { dial, socketLimits, zeroMask } from './web-socket.js';

export interface PeerLinkOptions {
  readonly peer: MemberAddress;
  readonly lane: PeerLane;
  readonly handlers: PeerHandlers;
  readonly timers: Timers;
  readonly random: () => number;
  readonly limits: WireLimits;
  readonly settings: TransportSettings;
  readonly log: Logger;
  /** The other side answers no pings: whatever else leads to it is as dead as this. */
  readonly onSilent: () => void;
}

/**
 * `waiting`: until the next dial. `dialling`: until the other side's hello. Messages leave only
 * while `open`.
 */
type LinkState =
  | { readonly type: 'idle' }
  | { readonly type: 'waiting'; readonly cancel: () => void }
  | { readonly type: 'dialling'; readonly frames: FrameSocket; readonly cancel: () => void }
  | { readonly type: 'open'; readonly frames: FrameSocket; readonly keepAlive: KeepAlive }
  | { readonly type: 'closed' };

/** One lane to one peer: dialled by us, redialled for ever, written only by us. */
export class PeerLink {
  readonly #options: PeerLinkOptions;
  readonly #backOff: BackOff;
  readonly #queue: PeerQueue;
  readonly #bytesMax: number;
  #state: LinkState = { type: 'idle' };
  #socketsOpen = 0;
  #onAllClosed: (() => void) | undefined;
  #lastComplaint: string | undefined;
  #dropped = 0;

  constructor(options: PeerLinkOptions) {
    this.#options = options;
    const { settings, lane } = options;
    this.#backOff = new BackOff(settings.redialFloorMs, settings.redialCapMs, options.random);
    this.#bytesMax = lane === 'bulk' ? settings.bulkBytesMax : settings.controlBytesMax;
    this.#queue = new PeerQueue(settings.laneMessagesMax, this.#bytesMax);
  }

  get isOpen(): boolean {
    return this.#state.type === 'open';
  }

  /** Messages dropped for want of room or connection. */
  get dropped(): number {
    return this.#dropped;
  }

  start(): void {
    if (this.#state.type === 'idle') this.#dial();
  }

  /** Leaves at the end of this turn, with all others of the turn in one frame; or is dropped. */
  send(message: Message): void {
    const state = this.#state;
    const wasEmpty = this.#queue.isEmpty;
    if (state.type !== 'open' || !this.#queue.push(message, state.frames.bufferedBytes())) {
      this.#dropped += 1;
      return;
    }
    if (wasEmpty) this.#options.timers.defer(() => this.#flush());
  }

  /** Lets go of an open connection that is known to be dead; the redial follows. */
  giveUp(error: ErrorBody): void {
    if (this.#state.type === 'open') this.#state.frames.terminate(error);
  }

  close(done: () => void): void {
    const state = this.#state;
    this.#state = { type: 'closed' };
    this.#queue.clear();
    const error = errorBody('SHUTTING_DOWN', 'this node is going down');
    if (state.type === 'waiting') state.cancel();
    if (state.type === 'dialling') {
      state.cancel();
      state.frames.terminate(error);
    }
    if (state.type === 'open') {
      state.keepAlive.stop();
      state.frames.refuse(error);
    }
    if (this.#socketsOpen === 0) done();
    else this.#onAllClosed = done;
  }

  #flush(): void {
    const state = this.#state;
    if (state.type !== 'open') {
      this.#queue.clear();
      return;
    }
    const { limits, log, peer } = this.#options;
    for (const messages of this.#queue.drain(limits.frameBytesMax)) {
      const bytes = encodePeerFrame({ type: 'peer-messages', messages });
      if (bytes.length > limits.frameBytesMax) {
        this.#dropped += messages.length;
        log.error({ peer: peer.id, bytes: bytes.length }, 'a message is larger than a frame');
      } else if (state.frames.bufferedBytes() + bytes.length > this.#bytesMax) {
        this.#dropped += messages.length;
      } else {
        state.frames.send(bytes);
      }
    }
  }

  /** Names are looked up anew each time: a peer may have moved. */
  #dial(): void {
    const { peer, limits, settings, timers, handlers, lane } = this.#options;
    const socket = dial(peer.address, '/peer', {
      ...socketLimits(limits.frameBytesMax, settings.closeTimeoutMs),
      generateMask: zeroMask,
    });
    if (socket === undefined) {
      this.#redialLater(errorBody('INVALID_ARGUMENT', `${peer.address} is not HOST:PORT`));
      return;
    }
    this.#socketsOpen += 1;
    const frames: FrameSocket = new FrameSocket({
      socket,
      timers,
      closeTimeoutMs: settings.closeTimeoutMs,
      goodbye: (error) => encodePeerFrame({ type: 'goodbye', error }),
      onOpen: () => frames.send(encodePeerFrame(handlers.hello(peer.id, lane))),
      onBytes: (bytes) => this.#onBytes(frames, bytes),
      onBeat: () => this.#onBeat(frames),
      onClosed: (end) => this.#onClosed(frames, end),
    });
    const cancel = timers.after(settings.handshakeTimeoutMs, () => {
      const message = `${peer.id} did not answer within ${settings.handshakeTimeoutMs} ms`;
      frames.terminate(errorBody('UNAVAILABLE', message));
    });
    this.#state = { type: 'dialling', frames, cancel };
  }

  #onBytes(frames: FrameSocket, bytes: Uint8Array): void {
    const decoded = decodePeerFrame(bytes, this.#options.limits);
    if (!decoded.ok) {
      frames.refuse(decoded.error);
      return;
    }
    const frame = decoded.value;
    switch (frame.type) {
      case 'peer-hello':
        this.#onHello(frames, frame);
        break;
      case 'goodbye':
        // Kept as the reason of the close that follows.
        frames.terminate(frame.error);
        break;
      case 'peer-messages':
        frames.refuse(errorBody('MALFORMED_FRAME', 'messages travel on what their sender dialled'));
        break;
    }
  }

  #onHello(frames: FrameSocket, hello: PeerHello): void {
    const { peer, handlers, settings, timers, log, lane } = this.#options;
    if (this.#state.type !== 'dialling') {
      frames.refuse(errorBody('MALFORMED_FRAME', 'a connection has one hello'));
      return;
    }
    const error = hello.from.id === peer.id ? handlers.onHello(hello) : wrongNode(peer, hello);
    if (error !== undefined) {
      frames.refuse(error);
      return;
    }
    this.#state.cancel();
    this.#backOff.reset();
    this.#lastComplaint = undefined;
    const keepAlive = new KeepAlive({
      everyMs: settings.peerPingMs,
      missesMax: lane === 'bulk' ? settings.bulkMissesMax : settings.controlMissesMax,
      timers,
      ping: () => frames.ping(),
      dead: () => this.#onSilence(frames),
    });
    this.#state = { type: 'open', frames, keepAlive };
    log.info({ peer: peer.id, lane }, 'connected to a peer');
  }

  #onSilence(frames: FrameSocket): void {
    frames.terminate(errorBody('UNAVAILABLE', `${this.#options.peer.id} is silent`));
    this.#options.onSilent();
  }

  #onBeat(frames: FrameSocket): void {
    if (this.#state.type === 'open' && this.#state.frames === frames) this.#state.keepAlive.heard();
  }

  #onClosed(_frames: FrameSocket, end: SocketEnd): void {
    this.#socketsOpen -= 1;
    const state = this.#state;
    if (state.type === 'closed') {
      if (this.#socketsOpen === 0) this.#onAllClosed?.();
      return;
    }
    if (state.type === 'dialling') state.cancel();
    if (state.type === 'open') state.keepAlive.stop();
    this.#queue.clear();
    this.#redialLater(endError(end, this.#options.peer.address));
  }

  #redialLater(error: ErrorBody): void {
    const { peer, lane, timers, log } = this.#options;
    const cancel = timers.after(this.#backOff.nextMs(), () => this.#dial());
    this.#state = { type: 'waiting', cancel };
    const complaint = describeError(error);
    const details = { peer: peer.id, lane, error: complaint };
    // A peer that stays away is told once, not at every dial.
    if (complaint === this.#lastComplaint) log.debug(details, 'still no connection to a peer');
    else log.warn(details, 'no connection to a peer');
    this.#lastComplaint = complaint;
  }
}

function wrongNode(peer: MemberAddress, hello: PeerHello): ErrorBody {
  const message = `${peer.address} is ${hello.from.id}, not ${peer.id}`;
  return errorBody('WRONG_NODE', message, { expected: peer.id, actual: hello.from.id });
}
