import type { Exploration } from '../explore/scope.js';
import { ClusterScope } from '../explore/cluster/cluster-scope.js';
import { electionBounds } from '../explore/elections.js';
import { explore } from '../explore/explore.js';
import { leaseScope } from '../explore/lease/lease-scope.js';
import { preVoteBounds } from '../explore/prevote.js';
import { replicationBounds } from '../explore/replication.js';

export const SCOPES = ['elections', 'prevote', 'replication', 'lease'] as const;

export type ScopeName = (typeof SCOPES)[number];

export interface ExploreJob {
  readonly scope: ScopeName;
  readonly size: 'ci' | 'large';
}

export interface Explored {
  readonly exploration: Exploration;
  readonly wallMs: number;
}

export function exploreJob({ scope, size }: ExploreJob): Explored {
  const startedMs = performance.now();
  const exploration = search(scope, size);
  return { exploration, wallMs: performance.now() - startedMs };
}

function search(scope: ScopeName, size: 'ci' | 'large'): Exploration {
  switch (scope) {
    case 'elections':
      return explore(new ClusterScope(electionBounds(size)));
    case 'prevote':
      return explore(new ClusterScope(preVoteBounds(size)));
    case 'replication':
      return explore(new ClusterScope(replicationBounds(size)));
    case 'lease':
      return explore(leaseScope());
  }
}
