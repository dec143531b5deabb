import { electionBounds, type ScopeSize } from './elections.js';
import { explore } from './explore.js';
import { LEASE_VARIANTS, LEASE_VARIANTS_LARGE } from './lease/lease-config.js';
import { leaseScope } from './lease/lease-scope.js';
import { preVoteBounds } from './prevote.js';
import { raftScope } from './raft-scope.js';
import { replicationBounds } from './replication.js';
import type { Exploration, ExploreLimits } from './scope.js';

export const SCOPE_NAMES = ['elections', 'prevote', 'replication', 'lease'] as const;

export type ScopeName = (typeof SCOPE_NAMES)[number];

/** Searches one scope by its name: `ci` within a minute or two, `large` as long as it takes. */
export function exploreScope(
  name: ScopeName,
  size: Exclude<ScopeSize, 'small'> = 'ci',
  limits: Partial<ExploreLimits> = {},
): Exploration {
  switch (name) {
    case 'elections':
      return explore(raftScope(name, electionBounds(size)), limits);
    case 'prevote':
      return explore(raftScope(name, preVoteBounds(size)), limits);
    case 'replication':
      return explore(raftScope(name, replicationBounds(size)), limits);
    case 'lease':
      return explore(leaseScope(size === 'ci' ? LEASE_VARIANTS : LEASE_VARIANTS_LARGE), limits);
  }
}
