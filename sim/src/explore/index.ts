export type { ClusterBounds, PlantedDriverFault } from './cluster/bounds.js';
export { ClusterScope } from './cluster/cluster-scope.js';
export type { ScopeSize } from './elections.js';
export { electionBounds } from './elections.js';
export { explore } from './explore.js';
export type { Golden } from './golden.js';
export { goldenOf, unlikeGolden } from './golden.js';
export type { LeaseScope } from './lease/lease-scope.js';
export { leaseScope } from './lease/lease-scope.js';
export type { Chosen } from './one-of.js';
export { oneOf } from './one-of.js';
export { preVoteBounds } from './prevote.js';
export { raftScope } from './raft-scope.js';
export { replicationBounds } from './replication.js';
export type {
  Exploration,
  ExploreLimits,
  FoundViolation,
  Scope,
  Violation,
  Visit,
} from './scope.js';
export type { ScopeName } from './scopes.js';
export { exploreScope, SCOPE_NAMES } from './scopes.js';
export { StateWriter } from './state-writer.js';
