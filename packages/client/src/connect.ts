import { randomBytes } from 'node:crypto';
import { DEFAULT_WIRE_LIMITS } from '@raftd/protocol';
import { DEFAULT_TRANSPORT_SETTINGS, dialClient } from '@raftd/transport';
import { Client } from './client.js';
import { ClientCore, type CoreOptions, DEFAULT_CORE_OPTIONS } from './core.js';
import { Endpoints, parseEndpoints } from './endpoints.js';
import {
  type ClientPorts,
  type Dial,
  type Logger,
  SILENT,
  TIMER_MAX_MS,
  type Timers,
} from './ports.js';

export interface ConnectOptions {
  /** Gives up connecting. Once connected it has done its work: `close()` ends the client. */
  readonly signal?: AbortSignal | undefined;
  /** To reach a first node, ms; default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** pino's shape; silent by default. */
  readonly logger?: Logger | undefined;
  /** Deadline of every call that names none, ms; default 10,000. */
  readonly callTimeoutMs?: number | undefined;
  /** To connect to one node, ms; default 2,000. */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * A connection with calls on it that answers nothing for this long is left for another node,
   * ms; default 1,500. Shorter finds a frozen leader sooner and mistakes a slow one for it.
   */
  readonly silenceMs?: number | undefined;
  /** A connection that carries only watches is asked for a sign of life this often; 5,000. */
  readonly probeMs?: number | undefined;
  /** Own deadline of resigning, withdrawing, revoking and of `close()`, ms; default 3,000. */
  readonly releaseTimeoutMs?: number | undefined;
  /** Calls that may wait for a connection or the window; default 10,000: TOO_MANY_REQUESTS. */
  readonly waitingMax?: number | undefined;
  /** Keys and values of all calls not settled, bytes; default 128 MiB: TOO_MANY_REQUESTS. */
  readonly pendingBytesMax?: number | undefined;
}

/** `ws://n1:7401,n2:7402`, a list of such or of HOST:PORT, or an object with that list. */
export type ConnectTarget =
  | string
  | readonly string[]
  | { readonly endpoints: string | readonly string[] };

const CONNECT_TIMEOUT_MS = 10_000;

/** Connects to a cluster; resolves once some node of it has answered. */
export async function connect(
  target: ConnectTarget,
  options: ConnectOptions = {},
): Promise<Client> {
  return connectWith(realPorts(options.logger ?? SILENT), target, options);
}

/** As `connect`, with everything of the outside world handed in: simulators and tests. */
export async function connectWith(
  ports: ClientPorts,
  target: ConnectTarget,
  options: ConnectOptions = {},
): Promise<Client> {
  const { signal } = options;
  signal?.throwIfAborted();
  const listed = typeof target === 'object' && 'endpoints' in target ? target.endpoints : target;
  const endpoints = new Endpoints(parseEndpoints(listed), ports.random);
  const core = new ClientCore(ports, endpoints, coreOptions(options));
  const client = new Client(core);
  try {
    await core.connected(options.timeoutMs ?? CONNECT_TIMEOUT_MS, signal);
  } catch (error) {
    await client.close();
    throw error;
  }
  return client;
}

function coreOptions(options: ConnectOptions): CoreOptions {
  const defaults = DEFAULT_CORE_OPTIONS;
  return {
    timeoutMs: options.callTimeoutMs ?? defaults.timeoutMs,
    connectTimeoutMs: options.connectTimeoutMs ?? defaults.connectTimeoutMs,
    silenceMs: options.silenceMs ?? defaults.silenceMs,
    probeMs: options.probeMs ?? defaults.probeMs,
    releaseTimeoutMs: options.releaseTimeoutMs ?? defaults.releaseTimeoutMs,
    waitingMax: options.waitingMax ?? defaults.waitingMax,
    pendingBytesMax: options.pendingBytesMax ?? defaults.pendingBytesMax,
  };
}

function realPorts(log: Logger): ClientPorts {
  return {
    clock: { monotonicMs: () => performance.now(), wallMs: () => Date.now() },
    timers: TIMERS,
    random: Math.random,
    randomId: () => randomBytes(16).toString('hex'),
    dial,
    log,
  };
}

const TIMERS: Timers = {
  after(delayMs, callback, { ref }) {
    if (!(delayMs <= TIMER_MAX_MS)) throw new RangeError(`a timer of ${delayMs} ms is too long`);
    const timer = setTimeout(callback, delayMs);
    if (!ref) timer.unref();
    return () => clearTimeout(timer);
  },
  defer(callback) {
    setImmediate(callback);
  },
};

/** The transport's own timers never keep the process alive: its sockets do. */
const dial: Dial = (options) =>
  dialClient({
    ...options,
    limits: DEFAULT_WIRE_LIMITS,
    settings: DEFAULT_TRANSPORT_SETTINGS,
    timers: {
      after: (delayMs, callback) => TIMERS.after(delayMs, callback, { ref: false }),
      defer: (callback) => TIMERS.defer(callback),
    },
  });
