import { assertNever } from '../assert-never.js';
import type { ClientCommand, ClientCrew } from './client-crew.js';
import type { StormCluster } from './cluster.js';
import type { Landed, StormCommand } from './command.js';
import { type NetworkCommand, performOnNetwork } from './perform-network.js';

type NodeCommand = Exclude<StormCommand, ClientCommand | NetworkCommand>;

/** Does one thing to the world. What finds nothing to break is no fault and does nothing. */
export function perform(cluster: StormCluster, crew: ClientCrew, command: StormCommand): void {
  cluster.observe({ type: 'commanded', command });
  switch (command.type) {
    case 'operate':
    case 'cut-client':
    case 'mend-client':
    case 'reset-client':
    case 'freeze-client':
    case 'thaw-client':
    case 'kill-client':
    case 'start-client':
    case 'jump-client-clock':
      crew.perform(command);
      return;
    case 'split':
    case 'isolate':
    case 'cut-one-way':
    case 'mute':
    case 'deafen':
    case 'mend':
    case 'heal':
      performOnNetwork(cluster, command);
      return;
    default:
      performOnNode(cluster, command);
  }
}

function performOnNode(cluster: StormCluster, command: NodeCommand): void {
  switch (command.type) {
    case 'crash-all':
      crashAll(cluster, command.landed);
      return;
    case 'restart-all':
      for (const node of cluster.nodes) node.start();
      return;
    case 'crash':
      if (cluster.resolve(command.node)?.crash(command.landed) === true) cluster.onFault('crash');
      return;
    case 'restart':
      cluster.resolve(command.node)?.start();
      return;
    case 'freeze':
      if (cluster.resolve(command.node)?.freeze() === true) cluster.onFault('freeze-node');
      return;
    case 'thaw':
      cluster.resolve(command.node)?.thaw(command);
      return;
    case 'jump-node-clock':
      jumpClock(cluster, command);
      return;
    default:
      performOnDisk(cluster, command);
  }
}

type DiskCommandType = 'fail-write' | 'stall-disk' | 'fill-disk' | 'free-disk' | 'corrupt' | 'wipe';
type DiskCommand = Extract<StormCommand, { readonly type: DiskCommandType }>;

/** Failed, slow and full writes are counted when they happen: the disk tells. */
function performOnDisk(cluster: StormCluster, command: DiskCommand): void {
  const node = cluster.resolve(command.node);
  if (node === undefined) return;
  switch (command.type) {
    case 'fail-write':
      node.disk.failWrite();
      return;
    case 'stall-disk':
      node.disk.stall(command.extraMs);
      return;
    case 'fill-disk':
      node.disk.fill();
      return;
    case 'free-disk':
      node.disk.free();
      return;
    case 'corrupt':
      if (hasFormed(cluster) && node.corrupt(command.fraction)) cluster.onFault('corrupt-record');
      return;
    case 'wipe':
      if (!hasFormed(cluster)) return;
      node.wipe();
      cluster.onFault('wipe');
      return;
    default:
      assertNever(command);
  }
}

function crashAll(cluster: StormCluster, landed: Landed): void {
  let crashed = 0;
  for (const node of cluster.nodes) if (node.crash(landed)) crashed += 1;
  if (crashed > 0) cluster.onFault('crash-all');
}

type ClockCommand = Extract<StormCommand, { readonly type: 'jump-node-clock' }>;

function jumpClock(cluster: StormCluster, { node, byMs }: ClockCommand): void {
  const target = cluster.resolve(node);
  if (target === undefined) return;
  target.process.clock.jumpWall(byMs);
  cluster.onFault('clock-jump');
}

/**
 * Before every node stored the identity of the cluster, a node that is lost for good keeps the
 * others from ever forming it: that is documented, and no storm.
 */
function hasFormed(cluster: StormCluster): boolean {
  return cluster.nodes.every(({ disk, isDoomed }) => disk.hasIdentity || isDoomed);
}
