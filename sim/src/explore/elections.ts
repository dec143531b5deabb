import type { Message } from '@raftd/raft';
import type { ClusterBounds } from './cluster/bounds.js';

/** How much of a scope is searched: `ci` on each change, `large` on request, `small` in tests. */
export type ScopeSize = 'small' | 'ci' | 'large';

const CRASHES: ClusterBounds = {
  name: 'three nodes, of which one crashes',
  nodeCount: 3,
  termsMax: 3,
  campaignsMax: 3,
  crashesMax: 1,
  crashesOfOneMax: 1,
  slowWritesMax: 1,
  valuesMax: 0,
  entriesMax: 9,
  pipelineMax: 1,
  beatsMax: 0,
  contact: 'free',
  silencesMax: 0,
  votes: 'messages',
  network: 'everything',
  carries: carriesGrants,
  symmetric: true,
  fault: undefined,
};

/** Four, as with three the own vote and a repeated one are a quorum anyway. */
const FOUR: ClusterBounds = {
  ...CRASHES,
  name: 'four nodes in one term',
  nodeCount: 4,
  termsMax: 1,
  campaignsMax: 3,
  crashesMax: 0,
  slowWritesMax: 0,
  carries: (message) => carriesGrants(message) || message.type === 'vote-response',
};

/** The log with the later last entry may be the shorter one, given enough terms. */
const LOGS: ClusterBounds = {
  ...CRASHES,
  name: 'three nodes with logs that differ',
  termsMax: 4,
  campaignsMax: 4,
  crashesMax: 0,
  slowWritesMax: 0,
  valuesMax: 1,
};

/**
 * Elections alone: votes that are durable before or after a crash, late and repeated votes, and
 * leaders that are heard of. Logs differ by the entries that leaders append and never send.
 */
export function electionBounds(size: ScopeSize): readonly ClusterBounds[] {
  switch (size) {
    case 'small':
      return [
        { ...CRASHES, termsMax: 2, campaignsMax: 2, slowWritesMax: 1 },
        { ...FOUR, campaignsMax: 2 },
      ];
    case 'ci':
      return [CRASHES, FOUR, LOGS];
    case 'large':
      return [{ ...CRASHES, crashesMax: 3, slowWritesMax: 3 }, { ...FOUR, campaignsMax: 4 }, LOGS];
  }
}

/** Refusals only make a candidate give up sooner. */
function carriesGrants(message: Message): boolean {
  if (message.type === 'vote-response') return message.granted;
  return message.type === 'vote-request' || message.type === 'heartbeat';
}
