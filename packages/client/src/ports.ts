import type {
  ClientHello,
  ClientRequest,
  ErrorBody,
  EventsFrame,
  Reply,
  WatchEndedFrame,
  Welcome,
} from '@raftd/protocol';

/** Everything the client cannot do by itself is handed in; `connect()` wires the real ones. */
export interface ClientPorts {
  readonly clock: Clock;
  readonly timers: Timers;
  /** [0, 1): jitter only. */
  readonly random: () => number;
  /** 128 random bits as text: leases, campaigns and sessions are named by it (K-078). */
  readonly randomId: () => string;
  readonly dial: Dial;
  readonly log: Logger;
}

export interface Clock {
  /** Never goes back, unaffected by wall-clock steps. */
  monotonicMs(): number;
  /** Milliseconds since 1970. It can only shorten what is held, never lengthen it. */
  wallMs(): number;
}

export type Cancel = () => void;

/** What a run time's timers count to; a longer delay fires at once. */
export const TIMER_MAX_MS: number = 2 ** 31 - 1;

/**
 * The delay of a timer that looks again when it fires: whole milliseconds, so that clocks which
 * disagree by a fraction cannot make it spin, and within what a run time counts (K-066).
 */
export function timerDelayMs(delayMs: number): number {
  return Math.min(Math.max(Math.ceil(delayMs), 1), TIMER_MAX_MS);
}

export interface Timers {
  /** One shot. `ref`: the process stays alive for it; false where nothing is held or pending. */
  after(delayMs: number, callback: () => void, options: { readonly ref: boolean }): Cancel;
  /** Runs once the present turn is over: where batches form. */
  defer(callback: () => void): void;
}

/** What the transport calls for one connection. `onClose` comes exactly once, last. */
export interface DialHandlers {
  onWelcome(welcome: Welcome): void;
  onReplies(replies: readonly Reply[]): void;
  onEvents(frame: EventsFrame): void;
  onWatchEnded(frame: WatchEndedFrame): void;
  onClose(error: ErrorBody): void;
}

export interface DialOptions {
  /** HOST:PORT */
  readonly address: string;
  readonly hello: ClientHello;
  readonly handlers: DialHandlers;
}

/** One connection as the transport hands it over. Nothing here blocks or throws. */
export interface Wire {
  send(requests: readonly ClientRequest[]): void;
  close(): void;
}

/** Starts to connect and returns at once; a failure to connect is an `onClose`. */
export type Dial = (options: DialOptions) => Wire;

/** pino's shape. */
export interface Logger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

const ignore = (): void => undefined;

export const SILENT: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
