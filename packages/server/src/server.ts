import {
  type ClientHello,
  type ErrorBody,
  errorBody,
  type NodeStatus,
  PROTOCOL_VERSION,
} from '@raftd/protocol';
import { type ClusterIdentity, NO_TERM } from '@raftd/raft';
import { BootstrapPhase } from './bootstrap-phase.js';
import { ClusterNode } from './cluster-node.js';
import { type Connection, Connections } from './connections.js';
import { limitReached, SHUTTING_DOWN } from './error-bodies.js';
import type { ServerOptions } from './options.js';
import { PeerLevels } from './peer-levels.js';
import type { ClientConnection, ClientHandlers, PeerHandlers, Ports } from './ports.js';

/** One node: first the bootstrap (once in the life of its data directory), then the replica. */
export class Server {
  /** For the peer transport. */
  readonly peerHandlers: PeerHandlers;
  readonly #options: ServerOptions;
  readonly #ports: Ports;
  readonly #bootstrap: BootstrapPhase;
  readonly #peerLevels: PeerLevels;
  readonly #connections = new Connections(() => this.#node?.wake());
  #node: ClusterNode | undefined;
  #stopping = false;

  constructor(options: ServerOptions, ports: Ports) {
    this.#options = options;
    this.#ports = ports;
    const members = options.members.map((member) => member.id);
    this.#peerLevels = new PeerLevels(members, options.id, options.featureLevel);
    this.#bootstrap = new BootstrapPhase(options, ports, (identity) => this.#join(identity));
    this.peerHandlers = {
      hello: (to, lane) => this.#bootstrap.hello(to, lane),
      onHello: (hello) => {
        const refusal = this.#bootstrap.onHello(hello);
        if (refusal === undefined) this.#peerLevels.heard(hello.from.id, hello.featureLevel);
        return refusal;
      },
      onMessages: (_from, messages) => this.#node?.onMessages(messages),
    };
  }

  /** Starts the replica, or the bootstrap where this data directory has none yet. */
  start(): void {
    this.#bootstrap.start();
  }

  /** Refuses new work, settles what waits, closes the clients; `done` when the disk is quiet. */
  stop(done: () => void): void {
    this.#stopping = true;
    this.#bootstrap.stop();
    const node = this.#node;
    const finish = (): void => {
      this.#connections.closeAll(SHUTTING_DOWN);
      done();
    };
    if (node === undefined) finish();
    else node.stop(finish);
  }

  /** A client connected; its frames go to the handlers given back. */
  acceptClient(client: ClientConnection): ClientHandlers {
    const connection = this.#connections.open(client, this.#options.limits);
    return {
      onHello: (hello) => this.#onClientHello(connection, hello),
      onRequests: (requests) => {
        if (!connection.open) return;
        if (connection.welcomed) this.#node?.onRequests(connection, requests);
        else connection.close(errorBody('MALFORMED_FRAME', 'requests before the hello'));
      },
      onClose: () => {
        this.#connections.remove(connection);
        this.#node?.forget(connection);
      },
    };
  }

  status(): NodeStatus {
    if (this.#node !== undefined) return this.#node.status();
    const { id, members, version } = this.#options;
    return {
      clusterId: '',
      id,
      address: members.find((member) => member.id === id)?.address ?? '',
      role: 'follower',
      term: NO_TERM,
      leader: undefined,
      commitIndex: 0,
      appliedIndex: 0,
      revision: 0 as NodeStatus['revision'],
      version,
      members,
    };
  }

  #join(identity: ClusterIdentity): void {
    if (this.#stopping) return;
    this.#ports.log.info({ clusterId: identity.clusterId }, 'member of a cluster');
    this.#node = new ClusterNode(
      this.#options,
      this.#ports,
      identity,
      this.#connections,
      this.#peerLevels,
    );
    this.#node.start();
  }

  #onClientHello(connection: Connection, hello: ClientHello): void {
    const refusal = this.#refuseClient(hello);
    const node = this.#node;
    if (refusal !== undefined) connection.close(refusal);
    else if (node === undefined) connection.close(errorBody('UNAVAILABLE', BOOTSTRAPPING));
    else {
      const { id, members } = this.#options;
      connection.sendWelcome({
        type: 'welcome',
        protocolVersion: PROTOCOL_VERSION,
        clusterId: node.identity.clusterId,
        nodeId: id,
        leader: node.leaderHint(),
        members,
        clusterTimeMs: node.clusterTimeMs(),
        featureLevel: this.#ports.machine.featureLevel,
      });
    }
  }

  #refuseClient(hello: ClientHello): ErrorBody | undefined {
    if (this.#stopping) return SHUTTING_DOWN;
    const { connectionsMax } = this.#options.limits;
    if (this.#connections.count > connectionsMax) {
      return limitReached('TOO_MANY_CONNECTIONS', 'connections', connectionsMax);
    }
    if (hello.protocolVersion !== PROTOCOL_VERSION) {
      const message = `protocol ${hello.protocolVersion} is not spoken here`;
      return errorBody('UNSUPPORTED_VERSION', message, { supported: PROTOCOL_VERSION });
    }
    const clusterId = this.#node?.identity.clusterId;
    if (clusterId === undefined || hello.clusterId === undefined) return undefined;
    if (hello.clusterId === clusterId) return undefined;
    const message = `this is cluster ${clusterId}, not ${hello.clusterId}`;
    return errorBody('WRONG_CLUSTER', message, { clusterId });
  }
}

const BOOTSTRAPPING = 'this node waits for its peers to form the cluster';

export function createServer(options: ServerOptions, ports: Ports): Server {
  return new Server(options, ports);
}
