import { Coordinator, DEFAULT_SETTINGS, FEATURE_LEVEL } from '@raftd/coordinator';
import type { LogWrite, NodeId, Raft } from '@raftd/raft';
import {
  type ClientConnection,
  type ClientHandlers,
  createServer,
  DEFAULT_SERVER_LIMITS,
  type PeerHandlers,
  type Ports,
  type Server,
  type ServerOptions,
  type Storage,
} from '@raftd/server';
import type { CoreView } from '../../world/core-view.js';
import { CoreWatch } from '../../world/core-watch.js';
import type { DiskWrite } from '../../world/disk.js';
import type { LogMirror } from '../../world/log-mirror.js';
import type { SimProcess } from '../../world/process.js';
import { RandomStream } from '../../world/random.js';
import type { DiskFault } from '../disk/disk-fault.js';
import type { DiskContent } from '../disk/recover.js';
import type { StormDisk } from '../disk/storm-disk.js';
import type { NodeListener } from '../listeners.js';
import type { PeerEnd } from '../net/peer-end.js';
import type { PeerDials } from '../net/peer-network.js';
import { clusterHash } from './cluster-hash.js';
import { addressOf, type NodeSurroundings } from './node-surroundings.js';
import { observeCore } from './observe-core.js';
import { ObservedMachine } from './observed-machine.js';
import { SILENT } from './silent-log.js';

/** The machine that a life runs on. */
export interface LifeHost extends PeerEnd {
  readonly disk: StormDisk;
  /** Kept over all lives. */
  readonly log: LogMirror;
  /** The server says that it must end. Called from within it. */
  onFatal(error: Error): void;
}

/** One process of the real server, from its start to its end: the composition root of a storm. */
export class NodeLife implements NodeListener {
  readonly node: NodeId;
  readonly process: SimProcess;
  readonly observed: ObservedMachine;
  readonly #host: LifeHost;
  readonly #around: NodeSurroundings;
  readonly #server: Server;
  readonly #dials: PeerDials;
  readonly #turns: RandomStream;
  readonly #onDown: Set<() => void> = new Set();
  #view: CoreView | undefined;
  #leaseHeld: () => boolean = () => false;

  constructor(host: LifeHost, content: DiskContent, around: NodeSurroundings) {
    this.node = host.id;
    this.process = host.process;
    this.#host = host;
    this.#around = around;
    const { observe, seed, profile, codec } = around;
    const settings = { ...DEFAULT_SETTINGS, ...profile.tight?.settings };
    const machine = new Coordinator({ codec, settings });
    this.observed = new ObservedMachine(host.id, machine, () => this.#view, observe);
    this.#turns = new RandomStream(seed, `turn/${host.id}/${host.process.life}`);
    const options = optionsOf(host.id, content, around);
    const changed = around.nodeOptions?.(options, host.process.life) ?? options;
    this.#server = createServer(changed, this.#ports());
    this.#dials = around.network().connect(host, this.#server.peerHandlers);
  }

  get peerHandlers(): PeerHandlers {
    return this.#server.peerHandlers;
  }

  /** Undefined until the node belongs to a cluster. */
  get view(): CoreView | undefined {
    return this.#view;
  }

  leaseHeld(): boolean {
    return this.#leaseHeld();
  }

  /** The first turn of the process. */
  start(): void {
    this.#server.start();
    this.#dials.start();
  }

  /** The process is gone: the kernel tells whoever was connected. */
  end(): void {
    for (const callback of this.#onDown) callback();
    this.#onDown.clear();
  }

  accept(connection: ClientConnection): ClientHandlers {
    return this.#server.acceptClient(connection);
  }

  onDown(callback: () => void): () => void {
    this.#onDown.add(callback);
    return () => void this.#onDown.delete(callback);
  }

  #ports(): Ports {
    const { process } = this;
    const { clock } = process;
    const { turnMs } = this.#around.profile;
    const random = new RandomStream(this.#around.seed, this.#randomName());
    return {
      clock: { monotonicMs: () => clock.monotonicMs(), wallMs: () => clock.wallMs() },
      timers: {
        after: (delayMs, callback) => process.after(delayMs, callback),
        defer: (callback) => {
          process.defer(callback, this.#turns.between(turnMs[0], turnMs[1]));
        },
      },
      random: () => random.next(),
      storage: this.#storage(),
      peers: {
        send: (message) => {
          this.#around.observe({ type: 'sent', message });
          this.#dials.send(message);
        },
      },
      machine: this.observed,
      log: SILENT,
      fatal: (error) => {
        this.#host.onFatal(error);
      },
      createRaft: (options, loaded, nowMs) =>
        this.#watched(this.#around.createCore(options, loaded, nowMs)),
    };
  }

  /** BUGGIFY: every node draws the same time-outs. */
  #randomName(): string {
    const { life } = this.process;
    return this.#around.profile.equalTimeouts ? `node/all/${life}` : `node/${this.node}/${life}`;
  }

  #watched(core: Raft): Raft {
    const { observe } = this.#around;
    const { clock } = this.process;
    const leaseReadIndex = core.leaseReadIndex.bind(core);
    const watch = new CoreWatch(this.node, core, this.#host.log, observe);
    this.#leaseHeld = () => leaseReadIndex(clock.monotonicMs()) !== undefined;
    this.#view = watch.view;
    observeCore(core, watch, {
      node: this.node,
      highestCommit: () => this.#around.highestCommit(),
      observe,
    });
    return core;
  }

  #storage(): Storage {
    const { node } = this;
    const { observe } = this.#around;
    return {
      append: (write, done) => {
        observe({ type: 'write-started', node, write });
        this.#write({ type: 'log', write }, write, done);
      },
      saveIdentity: (identity, done) => {
        this.#write({ type: 'identity', identity }, undefined, done);
      },
    };
  }

  #write(
    content: DiskWrite,
    write: LogWrite | undefined,
    done: (error: DiskFault | undefined) => void,
  ): void {
    const { process } = this;
    const { life } = process;
    this.#host.disk.write(content, (error) => {
      if (error === undefined && write !== undefined) {
        this.#around.observe({ type: 'write-done', node: this.node, write });
      }
      if (process.life !== life) return;
      // Of a frozen process's inputs the kernel may drop some, but never this one.
      if (process.isFrozen) process.defer(() => done(error));
      else process.deliver(() => done(error));
    });
  }
}

function optionsOf(
  id: NodeId,
  content: DiskContent,
  { profile, ids }: NodeSurroundings,
): ServerOptions {
  const { hardState, entries, incarnation, cluster } = content;
  const { windowEventsMax, pipelinedRequestsMax } = profile;
  return {
    id,
    clusterName: 'storm',
    members: ids.map((member) => ({ id: member, address: addressOf(member) })),
    incarnation,
    identity: cluster,
    loaded: { hardState, entries },
    reads: profile.reads,
    heartbeatMs: profile.heartbeatMs,
    electionTimeoutMs: profile.electionTimeoutMs,
    featureLevel: FEATURE_LEVEL,
    version: 'storm',
    hash: clusterHash,
    limits: { ...DEFAULT_SERVER_LIMITS, windowEventsMax, pipelinedRequestsMax },
  };
}
