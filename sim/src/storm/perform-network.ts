import { assertNever } from '../assert-never.js';
import type { StormCluster } from './cluster.js';
import type { StormCommand } from './command.js';
import type { FaultKind } from './fault-kind.js';
import type { StormNode } from './node/storm-node.js';

type NetworkCommandType = 'split' | 'isolate' | 'cut-one-way' | 'mute' | 'deafen' | 'mend' | 'heal';

export type NetworkCommand = Extract<StormCommand, { readonly type: NetworkCommandType }>;

type Cut = readonly [from: StormNode, to: StormNode];

/** Cuts links between nodes, or makes them whole. */
export function performOnNetwork(cluster: StormCluster, command: NetworkCommand): void {
  switch (command.type) {
    case 'split':
      cut(cluster, 'partition', splitBy(cluster, command.mask));
      return;
    case 'isolate':
      cut(cluster, 'partition', aroundOf(cluster, cluster.resolve(command.node), 'both'));
      return;
    case 'mute':
      cut(cluster, 'one-way-cut', aroundOf(cluster, cluster.resolve(command.node), 'out'));
      return;
    case 'deafen':
      cut(cluster, 'one-way-cut', aroundOf(cluster, cluster.resolve(command.node), 'in'));
      return;
    case 'cut-one-way': {
      const from = cluster.resolve(command.from);
      const to = cluster.resolve(command.to);
      if (from !== undefined && to !== undefined) cut(cluster, 'one-way-cut', [[from, to]]);
      return;
    }
    case 'mend': {
      const from = cluster.resolve(command.from);
      const to = cluster.resolve(command.to);
      if (from !== undefined && to !== undefined) mend(cluster, from, to);
      return;
    }
    case 'heal':
      cluster.network.links.heal();
      cluster.observe({ type: 'rewired', cuts: [] });
      return;
    default:
      assertNever(command);
  }
}

/** Every link of a node to others, in one direction or both. */
export function aroundOf(
  cluster: StormCluster,
  node: StormNode | undefined,
  direction: 'in' | 'out' | 'both',
): readonly Cut[] {
  if (node === undefined) return [];
  const cuts: Cut[] = [];
  for (const other of cluster.nodes) {
    if (other === node) continue;
    if (direction !== 'in') cuts.push([node, other]);
    if (direction !== 'out') cuts.push([other, node]);
  }
  return cuts;
}

/** Cuts what is whole among these; false if nothing of it was. */
export function cutLinks(cluster: StormCluster, links: readonly Cut[]): boolean {
  const cuts: string[] = [];
  for (const [from, to] of links) {
    if (cluster.network.links.cut(from.position, to.position)) cuts.push(`${from.id}>${to.id}`);
  }
  if (cuts.length === 0) return false;
  cluster.observe({ type: 'rewired', cuts });
  return true;
}

function cut(cluster: StormCluster, kind: FaultKind, links: readonly Cut[]): void {
  if (cutLinks(cluster, links)) cluster.onFault(kind);
}

/** What is mended while other links stay cut was cut in another order: a swizzle. */
function mend(cluster: StormCluster, from: StormNode, to: StormNode): void {
  const { links } = cluster.network;
  if (!links.mend(from.position, to.position)) return;
  if (links.cutCount > 0) cluster.onFault('swizzle');
}

function splitBy(cluster: StormCluster, mask: number): readonly Cut[] {
  const isSet = ({ position }: StormNode): boolean => ((mask >> position) & 1) === 1;
  const cuts: Cut[] = [];
  for (const from of cluster.nodes) {
    for (const to of cluster.nodes) if (isSet(from) !== isSet(to)) cuts.push([from, to]);
  }
  return cuts;
}
