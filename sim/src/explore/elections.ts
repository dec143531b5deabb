import type { Message } from '@raftd/raft';
import type { ClusterBounds } from './cluster/bounds.js';

/** How much of a scope is searched: `ci` on each change, `large` on request, `small` in tests. */
export type ScopeSize = 'small' | 'ci' | 'large';

const BOUNDS: ClusterBounds = {
  name: 'elections',
  nodeCount: 3,
  termsMax: 3,
  campaignsMax: 3,
  crashesMax: 1,
  crashesOfOneMax: 1,
  slowWritesMax: 2,
  valuesMax: 0,
  entriesMax: 9,
  pipelineMax: 1,
  beatsMax: 0,
  contact: 'free',
  silencesMax: 0,
  votes: 'messages',
  network: 'everything',
  carries,
  symmetric: true,
  fault: undefined,
};

/**
 * Elections alone: votes that are durable before or after a crash, late and repeated votes, and
 * leaders that are heard of. Logs differ by the entries that leaders append and never send.
 */
export function electionBounds(size: ScopeSize): ClusterBounds {
  switch (size) {
    case 'small':
      return { ...BOUNDS, termsMax: 2, campaignsMax: 2 };
    case 'ci':
      return BOUNDS;
    case 'large':
      return { ...BOUNDS, crashesMax: 3 };
  }
}

function carries(message: Message): boolean {
  if (message.type === 'vote-response') return message.granted;
  return message.type === 'vote-request' || message.type === 'heartbeat';
}
