import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { NodeExited, NodeProcess } from './node-process.js';
import { allocatePorts } from './ports.js';

const EXIT_ADDRESS_IN_USE = 10;
const PORT_TRIES = 5;

export interface ClusterOptions {
  readonly nodes: number;
  /** Further `raftd` flags for every node. */
  readonly flags?: readonly string[];
  /** Where the data directories go; a temporary directory, removed at the end, otherwise. */
  readonly directory?: string;
  /** Fixed ports of 127.0.0.1; allocated otherwise, and again when one turns out to be taken. */
  readonly ports?: readonly number[];
  /** Put before each node's command line. */
  readonly wrapper?: (id: string) => readonly string[];
}

/** Starts `n1` … `nN` and resolves when every one of them has printed its ready line. */
export async function startCluster(options: ClusterOptions): Promise<LocalCluster> {
  const temporary = options.directory === undefined;
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'raftd-')));
  for (let attempt = 1; ; attempt += 1) {
    const ports = options.ports ?? (await allocatePorts(options.nodes));
    const cluster = new LocalCluster(options, ports, { directory, temporary });
    try {
      await cluster.start();
      return cluster;
    } catch (error) {
      await cluster.killAll();
      const taken = error instanceof NodeExited && error.exit.code === EXIT_ADDRESS_IN_USE;
      if (options.ports === undefined && taken && attempt < PORT_TRIES) continue;
      await cluster.stop();
      throw error;
    }
  }
}

export class LocalCluster {
  readonly directory: string;
  readonly #temporary: boolean;
  readonly #options: ClusterOptions;
  readonly #addresses = new Map<string, string>();
  readonly #nodes = new Map<string, NodeProcess>();

  constructor(
    options: ClusterOptions,
    ports: readonly number[],
    place: { readonly directory: string; readonly temporary: boolean },
  ) {
    this.#options = options;
    this.directory = place.directory;
    this.#temporary = place.temporary;
    ports.forEach((port, position) => {
      this.#addresses.set(`n${position + 1}`, `127.0.0.1:${port}`);
    });
  }

  get ids(): readonly string[] {
    return [...this.#addresses.keys()];
  }

  /** `ws://HOST:PORT,HOST:PORT,…` of every node. */
  get endpoints(): string {
    return `ws://${[...this.#addresses.values()].join(',')}`;
  }

  address(id: string): string {
    const address = this.#addresses.get(id);
    if (address === undefined) throw new Error(`no node ${id} in this cluster`);
    return address;
  }

  node(id: string): NodeProcess {
    const node = this.#nodes.get(id);
    if (node === undefined) throw new Error(`node ${id} was not started`);
    return node;
  }

  dataDirectory(id: string): string {
    return join(this.directory, `${id}.raftd`);
  }

  /** The flags every node of this cluster is started with. */
  flags(): readonly string[] {
    const peers = [...this.#addresses].map(([id, address]) => `${id}=${address}`).join(',');
    return ['--peers', peers, '--log-level', 'warn', ...(this.#options.flags ?? [])];
  }

  async start(): Promise<void> {
    await Promise.all(this.ids.map((id) => this.startNode(id)));
  }

  /** Starts a node that is not running on its own data directory. */
  async startNode(id: string): Promise<NodeProcess> {
    const running = this.#nodes.get(id);
    if (running?.running === true) throw new Error(`${id} is running already`);
    const node = new NodeProcess({
      id,
      address: this.address(id),
      directory: this.dataDirectory(id),
      flags: this.flags(),
      wrapper: this.#options.wrapper?.(id) ?? [],
    });
    this.#nodes.set(id, node);
    await node.ready();
    return node;
  }

  async kill(id: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const node = this.node(id);
    node.kill(signal);
    await node.exited;
  }

  async killAll(): Promise<void> {
    for (const node of this.#nodes.values()) node.kill('SIGKILL');
    await Promise.all([...this.#nodes.values()].map((node) => node.exited));
  }

  /** Ends every node (also a frozen one) and removes a temporary directory. */
  async stop(): Promise<void> {
    for (const node of this.#nodes.values()) {
      node.kill('SIGCONT');
      node.kill('SIGTERM');
    }
    await Promise.all([...this.#nodes.values()].map((node) => node.exited));
    if (this.#temporary) await rm(this.directory, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
