import { Coordinator, FEATURE_LEVEL } from '@raftd/coordinator';
import { commandCodec, DEFAULT_WIRE_LIMITS, type MemberAddress } from '@raftd/protocol';
import { createServer, DEFAULT_SERVER_LIMITS, type Logger, type Server } from '@raftd/server';
import { type OpenStorage, openLevelStorage } from '@raftd/storage';
import {
  createListener,
  createPeerNetwork,
  DEFAULT_TRANSPORT_SETTINGS,
  type Listener,
  type PeerNetwork,
} from '@raftd/transport';
import { checkIdentity } from './identity-check.js';
import { ListenFailure } from './listen-failure.js';
import type { RaftdSettings } from './settings.js';
import {
  clusterHash,
  drawIncarnation,
  systemClock,
  systemRandom,
  systemTimers,
} from './surroundings.js';

export interface NodeContext {
  readonly log: Logger;
  readonly version: string;
  /** A fault no node survives: ends the process. */
  readonly fatal: (error: Error) => void;
}

/** A node that listens. */
export interface RunningNode {
  /** Settles what waits, closes connections and the data directory. */
  stop(): Promise<void>;
}

/**
 * The composition root: the only place where real storage, sockets, clocks and randomness meet
 * the replica. Resolves once the node listens; it may still wait for its peers then.
 */
export async function startNode(
  settings: RaftdSettings,
  context: NodeContext,
): Promise<RunningNode> {
  const storage = await openLevelStorage({
    directory: settings.dataDirectory,
    nodeId: settings.id,
    incarnation: drawIncarnation,
  });
  try {
    checkIdentity(settings, storage.loaded.cluster);
    return await assemble(settings, context, storage);
  } catch (error) {
    await closed((done) => storage.store.close(done));
    throw error;
  }
}

async function assemble(
  settings: RaftdSettings,
  context: NodeContext,
  storage: OpenStorage,
): Promise<RunningNode> {
  // Each needs the other; nothing is sent before both have started.
  const server = makeServer(settings, context, storage, (message) => network.send(message));
  const network = makeNetwork(settings, context, server);
  const listener = makeListener(settings, context, server);
  await listening(listener);
  server.start();
  network.start();
  return {
    stop: async () => {
      await closed((done) => server.stop(done));
      await Promise.all([
        closed((done) => listener.close(done)),
        closed((done) => network.close(done)),
      ]);
      await closed((done) => storage.store.close(done));
    },
  };
}

function makeServer(
  settings: RaftdSettings,
  context: NodeContext,
  storage: OpenStorage,
  send: PeerNetwork['send'],
): Server {
  const { store, loaded } = storage;
  return createServer(
    {
      id: settings.id,
      clusterName: settings.clusterName,
      members: advertised(settings),
      incarnation: loaded.incarnation,
      identity: loaded.cluster,
      loaded: {
        hardState: loaded.hardState,
        entries: loaded.entries,
      },
      reads: settings.reads,
      heartbeatMs: settings.heartbeatMs,
      electionTimeoutMs: settings.electionTimeoutMs,
      featureLevel: FEATURE_LEVEL,
      version: context.version,
      hash: clusterHash,
      limits: DEFAULT_SERVER_LIMITS,
    },
    {
      clock: systemClock,
      timers: systemTimers,
      random: systemRandom,
      storage: store,
      peers: { send },
      machine: new Coordinator({ codec: commandCodec }),
      log: context.log,
      fatal: context.fatal,
    },
  );
}

/** Peers are dialled by --peers; clients are told --advertise for this node. */
function advertised(settings: RaftdSettings): readonly MemberAddress[] {
  return settings.peers.map((peer) =>
    peer.id === settings.id ? { id: peer.id, address: settings.advertise } : peer,
  );
}

function makeNetwork(settings: RaftdSettings, context: NodeContext, server: Server): PeerNetwork {
  return createPeerNetwork({
    self: settings.id,
    peers: settings.peers,
    handlers: server.peerHandlers,
    timers: systemTimers,
    random: systemRandom,
    limits: DEFAULT_WIRE_LIMITS,
    settings: DEFAULT_TRANSPORT_SETTINGS,
    log: context.log,
  });
}

function makeListener(settings: RaftdSettings, context: NodeContext, server: Server): Listener {
  return createListener({
    host: settings.listen.host,
    port: settings.listen.port,
    limits: DEFAULT_WIRE_LIMITS,
    settings: DEFAULT_TRANSPORT_SETTINGS,
    peer: server.peerHandlers,
    client: (connection) => server.acceptClient(connection),
    timers: systemTimers,
    clock: systemClock,
    log: context.log,
  });
}

function listening(listener: Listener): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.listen((error) => {
      if (error === undefined) resolve();
      else reject(new ListenFailure(error));
    });
  });
}

/** One callback-style close as a promise. */
function closed(close: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => close(resolve));
}
