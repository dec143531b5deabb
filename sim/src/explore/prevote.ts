import type { Message } from '@raftd/raft';
import type { ClusterBounds } from './cluster/bounds.js';
import type { ScopeSize } from './elections.js';

/** The link that never works, in one direction. */
const DEAF = { from: 'n1', to: 'n3' };

const BOUNDS: ClusterBounds = {
  name: 'contact is lost once',
  nodeCount: 3,
  termsMax: 2,
  campaignsMax: 2,
  crashesMax: 0,
  crashesOfOneMax: 0,
  slowWritesMax: 0,
  valuesMax: 0,
  entriesMax: 9,
  pipelineMax: 1,
  beatsMax: 1,
  contact: 'kept',
  silencesMax: 1,
  votes: 'messages',
  network: 'everything',
  carries,
  symmetric: false,
  fault: undefined,
};

/** Long enough for a leader to notice that no quorum answers it. */
const BEATS: ClusterBounds = {
  ...BOUNDS,
  name: 'a leader that looks for its quorum',
  campaignsMax: 1,
  beatsMax: 3,
};

/**
 * Elections with all that keeps a good leader in office: pre-votes that travel, followers that hear
 * their leader and withhold their votes, a leader that looks for its quorum; and a link that works
 * one way only, so that one node may hear nothing of the leader that all others follow.
 */
export function preVoteBounds(size: ScopeSize): readonly ClusterBounds[] {
  switch (size) {
    case 'small':
      return [{ ...BOUNDS, beatsMax: 0, silencesMax: 0 }];
    case 'ci':
      return [BOUNDS, BEATS];
    case 'large':
      return [
        { ...BOUNDS, campaignsMax: 3, silencesMax: 2 },
        { ...BEATS, beatsMax: 4 },
      ];
  }
}

function carries(message: Message): boolean {
  if (message.from === DEAF.from && message.to === DEAF.to) return false;
  switch (message.type) {
    case 'append-request':
    case 'append-accepted':
    case 'append-rejected':
      return false;
    case 'vote-response':
      return message.granted;
    default:
      return true;
  }
}
