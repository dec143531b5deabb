import type {
  ClientHello,
  ClientRequest,
  ErrorBody,
  PeerHello,
  PeerMessagesFrame,
  ServerToClientFrame,
} from '@raftd/protocol';

export type Message = PeerMessagesFrame['messages'][number];
export type NodeId = PeerHello['to'];

export interface Clock {
  /** Never goes back, unaffected by wall-clock steps. */
  monotonicMs(): number;
}

export interface Timers {
  /** One shot; returns its cancel. */
  after(delayMs: number, callback: () => void): () => void;
  /** Runs once all input that is already here has been taken: where batches form. */
  defer(callback: () => void): void;
}

/** pino's shape. */
export interface Logger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** What the transport calls for peers. */
export interface PeerHandlers {
  /** This node's own hello for a connection to `to`. */
  hello(to: NodeId, lane: PeerHello['lane']): PeerHello;
  /** A peer introduced itself (either side). An error refuses and closes the connection. */
  onHello(hello: PeerHello): ErrorBody | undefined;
  onMessages(from: NodeId, messages: readonly Message[]): void;
}

/** One client's connection as the server sees it. */
export interface ClientConnection {
  send(frame: ServerToClientFrame): void;
  /** Bytes handed over and not yet taken by the network. */
  bufferedBytes(): number;
  /** Says why in a goodbye frame, then closes. `onClose` still follows. */
  close(error: ErrorBody): void;
}

/** What the transport calls for one client's connection; `onClose` once, last. */
export interface ClientHandlers {
  onHello(hello: ClientHello): void;
  onRequests(requests: readonly ClientRequest[]): void;
  onClose(): void;
}
