import type { Message } from '@raftd/raft';
import type { ClusterBounds } from './cluster/bounds.js';
import type { ScopeSize } from './elections.js';

const BOUNDS: ClusterBounds = {
  name: 'replication',
  nodeCount: 3,
  termsMax: 3,
  campaignsMax: 3,
  crashesMax: 1,
  crashesOfOneMax: 1,
  slowWritesMax: 1,
  valuesMax: 3,
  entriesMax: 4,
  pipelineMax: 1,
  beatsMax: 0,
  contact: 'free',
  silencesMax: 0,
  votes: 'at-once',
  network: 'latest',
  carries,
  symmetric: true,
  fault: undefined,
};

/**
 * Logs: up to three leaders, three client values, a crash; entries travel one by one, so that an
 * entry of an old term can reach a majority alone (Figure 3.7).
 */
export function replicationBounds(size: ScopeSize): ClusterBounds {
  switch (size) {
    case 'small':
      return { ...BOUNDS, termsMax: 2, campaignsMax: 2, valuesMax: 1 };
    case 'ci':
      return BOUNDS;
    case 'large':
      return { ...BOUNDS, crashesMax: 2 };
  }
}

function carries(message: Message): boolean {
  switch (message.type) {
    case 'append-request':
    case 'append-accepted':
    case 'append-rejected':
      return true;
    case 'heartbeat':
      return message.round === 0;
    default:
      return false;
  }
}
