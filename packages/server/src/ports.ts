import type {
  ClusterIdentity,
  LoadedState,
  LogWrite,
  Message,
  NodeId,
  Raft,
  RaftOptions,
} from '@raftd/raft';
import type {
  ErrorBody,
  PeerHello,
  ServerToClientFrame,
  ClientHello,
  ClientRequest,
  CommandResult,
  Changes,
  Query,
  QueryResult,
} from '@raftd/protocol';

/** Everything the replica cannot do by itself is handed in here; all of it is plain callbacks. */
export interface Ports {
  readonly clock: Clock;
  readonly timers: Timers;
  /** [0, 1), an independent stream for each node. */
  readonly random: () => number;
  readonly storage: Storage;
  readonly peers: PeerTransport;
  readonly machine: StateMachine;
  readonly log: Logger;
  /** A fault no node survives (failed disk, unknown command): ends the process. */
  readonly fatal: (error: Error) => void;
  /**
   * Makes the core; default: `new Raft(…)`. Whoever watches or checks the core hands in one whose
   * inputs he sees; it must behave as the real one.
   */
  readonly createRaft?: (options: RaftOptions, loaded: LoadedState, nowMs: number) => Raft;
}

export interface Clock {
  /** Never goes back, unaffected by wall-clock steps. */
  monotonicMs(): number;
  /** Milliseconds since 1970; for people and the token base only. */
  wallMs(): number;
}

export interface Timers {
  /** One shot; returns its cancel. */
  after(delayMs: number, callback: () => void): () => void;
  /** Runs once all input that is already here has been taken: where batches form. */
  defer(callback: () => void): void;
}

/** As `LogStore` of `storage`. One write in flight at a time; `done` exactly once, later. */
export interface Storage {
  append(write: LogWrite, done: (error: Error | undefined) => void): void;
  saveIdentity(identity: ClusterIdentity, done: (error: Error | undefined) => void): void;
}

export interface PeerTransport {
  /** Never blocks, never throws; a message that finds no room or no connection is dropped. */
  send(message: Message): void;
}

/** What the transport calls for peers. */
export interface PeerHandlers {
  /** This node's own hello for a connection to `to`. */
  hello(to: NodeId, lane: PeerHello['lane']): PeerHello;
  /** A peer introduced itself (either side). An error refuses and closes the connection. */
  onHello(hello: PeerHello): ErrorBody | undefined;
  onMessages(from: NodeId, messages: readonly Message[]): void;
}

/** One client's connection, as the transport hands it over after decoding and limits. */
export interface ClientConnection {
  send(frame: ServerToClientFrame): void;
  /** Bytes handed over and not yet taken by the network. */
  bufferedBytes(): number;
  close(error: ErrorBody): void;
}

/** What the transport calls for one client's connection. */
export interface ClientHandlers {
  onHello(hello: ClientHello): void;
  onRequests(requests: readonly ClientRequest[]): void;
  onClose(): void;
}

/** Any deterministic machine; `coordinator` is the one that ships. DESIGN §3. */
export interface StateMachine {
  /** An empty payload carries time only. Throws where the node must stop. */
  apply(
    index: number,
    clusterTimeMs: number,
    payload: Uint8Array,
  ): { readonly result: CommandResult; readonly changes: Changes | undefined };
  query(query: Query): QueryResult;
  /** Commands the leader should propose now; an empty one is a time entry. Level-triggered. */
  due(clusterTimeMs: number, wallTimeMs: number): readonly Uint8Array[];
  /** The command that raises the feature level to what every member supports, if any. */
  raiseFeatureLevel(level: number): Uint8Array | undefined;
  /** Something lives that needs cluster time to pass the next leader on. */
  needsTime(): boolean;
  readonly revision: number;
  readonly clusterTimeMs: number;
  readonly featureLevel: number;
  readonly initialized: boolean;
}

/** pino's shape. */
export interface Logger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
