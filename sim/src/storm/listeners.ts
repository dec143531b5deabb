import type { NodeId } from '@raftd/raft';
import type { ClientConnection, ClientHandlers } from '@raftd/server';
import type { SimProcess } from '../world/process.js';

/** One life of a node, as a client's connection finds it behind an address. */
export interface NodeListener {
  readonly node: NodeId;
  /** Whatever reaches the node goes through `process.deliver`: a frozen one answers later. */
  readonly process: SimProcess;
  /** A connection came up. Called, like the handlers it gives back, inside the process. */
  accept(connection: ClientConnection): ClientHandlers;
  /** Calls back once this life is over: the kernel resets its connections. Returns a cancel. */
  onDown(callback: () => void): () => void;
}

/** What a dial finds: undefined where nobody listens. */
export interface Listeners {
  listenerAt(address: string): NodeListener | undefined;
}
