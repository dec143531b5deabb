import type { ClusterBounds } from './cluster/bounds.js';
import { ClusterScope } from './cluster/cluster-scope.js';
import type { ClusterState } from './cluster/cluster-state.js';
import { type Chosen, oneOf } from './one-of.js';
import type { Scope } from './scope.js';

/** Worlds of real cores, as one scope. */
export function raftScope(
  name: string,
  worlds: readonly ClusterBounds[],
): Scope<Chosen<ClusterState>> {
  return oneOf(
    name,
    worlds.map((bounds) => ({ what: bounds.name, scope: new ClusterScope(bounds) })),
  );
}
