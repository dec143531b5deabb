import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { allocatePorts } from '@raftd/scripts';
import { Etcd3, type IStatusResponse } from 'etcd3';

import type { System, SystemOptions } from './system.js';

interface Node {
  readonly name: string;
  readonly client: string;
  readonly peer: string;
  process: ChildProcess | undefined;
}

/** Why etcd cannot be measured here, with the way to get it; undefined when it can. */
export function etcdMissing(): string | undefined {
  const found = spawnSync('etcd', ['--version']);
  if (found.error === undefined) return undefined;
  return 'etcd is not installed; on Debian: apt-get install etcd-server';
}

export async function startEtcd(options: SystemOptions = {}): Promise<System> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-etcd-'));
  const ports = await allocatePorts(6);
  const nodes: Node[] = [0, 1, 2].map((number) => ({
    name: `e${number + 1}`,
    client: `127.0.0.1:${ports[2 * number]}`,
    peer: `127.0.0.1:${ports[2 * number + 1]}`,
    process: undefined,
  }));
  const initial = nodes.map(({ name, peer }) => `${name}=http://${peer}`).join(',');
  const start = (node: Node, state: 'new' | 'existing'): void => {
    node.process = spawnNode(node, { directory, initial, state, ...options });
  };
  for (const node of nodes) start(node, 'new');
  await leaderOf(nodes);
  return {
    name: 'etcd',
    addresses: async () => {
      const leader = await leaderOf(nodes);
      return [leader, ...nodes.filter((node) => node !== leader)].map((node) => node.client);
    },
    killLeader: async () => {
      const leader = await leaderOf(nodes);
      await end(leader, 'SIGKILL');
      return leader.name;
    },
    restart: async (name) => {
      const node = nodes.find((candidate) => candidate.name === name);
      if (node === undefined) throw new Error(`no etcd node ${name}`);
      start(node, 'existing');
      await caughtUp(nodes);
    },
    stop: async () => {
      await Promise.all(nodes.map((node) => end(node, 'SIGTERM')));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function spawnNode(
  node: Node,
  place: { directory: string; initial: string; state: string } & SystemOptions,
): ChildProcess {
  const wrapper = place.wrapper?.(node.name) ?? [];
  const [command, ...before] = [...wrapper, 'etcd'];
  if (command === undefined) throw new Error('no command to run');
  const flags = {
    name: node.name,
    'data-dir': join(place.directory, node.name),
    'listen-client-urls': `http://${node.client}`,
    'advertise-client-urls': `http://${node.client}`,
    'listen-peer-urls': `http://${node.peer}`,
    'initial-advertise-peer-urls': `http://${node.peer}`,
    'initial-cluster': place.initial,
    'initial-cluster-state': place.state,
    'log-level': 'error',
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const options = { stdio: 'ignore', detached: wrapper.length > 0 } as const;
  return spawn(command, [...before, '--logger=zap', ...args], options);
}

async function end(node: Node, signal: NodeJS.Signals): Promise<void> {
  const { process: child } = node;
  node.process = undefined;
  if (child?.pid === undefined || child.exitCode !== null) return;
  const ended = once(child, 'close');
  if (child.spawnfile === 'etcd') child.kill(signal);
  else process.kill(-child.pid, signal);
  await ended;
}

async function leaderOf(nodes: readonly Node[]): Promise<Node> {
  for (let tries = 0; tries < 600; tries += 1) {
    for (const node of nodes.filter((candidate) => candidate.process !== undefined)) {
      if (await isLeader(node)) return node;
    }
    await sleep(100);
  }
  throw new Error('etcd elected no leader within a minute');
}

async function isLeader(node: Node): Promise<boolean> {
  const status = await statusOf(node);
  return status !== undefined && status.leader !== '0' && status.leader === status.header.member_id;
}

/** As far behind as a few frames in flight. */
const LAG_MAX = 2_000;

async function caughtUp(nodes: readonly Node[]): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const all = await Promise.all(nodes.map(statusOf));
    const indexes = all.map((status) => Number(status?.raftIndex ?? Number.NaN));
    if (Math.max(...indexes) - Math.min(...indexes) <= LAG_MAX) return;
    await sleep(100);
  }
  throw new Error('an etcd node did not catch up within a minute');
}

async function statusOf(node: Node): Promise<IStatusResponse | undefined> {
  const client = new Etcd3({ hosts: `http://${node.client}`, dialTimeout: 500 });
  try {
    return await client.maintenance.status();
  } catch {
    return undefined;
  } finally {
    client.close();
  }
}
