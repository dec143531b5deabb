import type { Message } from '@raftd/raft';
import type { ClusterBounds } from './cluster/bounds.js';
import type { ScopeSize } from './elections.js';

/** Three elections, three values: Figure 3.7 and what leaders of old terms leave behind. */
const LEADERS: ClusterBounds = {
  name: 'three elections, three values, a crash',
  nodeCount: 3,
  termsMax: 3,
  campaignsMax: 3,
  crashesMax: 1,
  crashesOfOneMax: 1,
  slowWritesMax: 0,
  valuesMax: 3,
  entriesMax: 4,
  pipelineMax: 1,
  beatsMax: 0,
  contact: 'free',
  silencesMax: 0,
  votes: 'at-once',
  network: 'latest',
  carries: carriesAppends,
  symmetric: true,
  fault: undefined,
};

/** A crash before, within and after a write that takes long. */
const CRASH: ClusterBounds = {
  ...LEADERS,
  name: 'a crash and a slow write',
  termsMax: 2,
  campaignsMax: 2,
  slowWritesMax: 1,
  valuesMax: 1,
};

/** Everything that was ever sent may come again, at any time and in any order. */
const ORDER: ClusterBounds = {
  ...LEADERS,
  name: 'any order of messages',
  termsMax: 2,
  campaignsMax: 2,
  crashesMax: 0,
  valuesMax: 1,
  pipelineMax: 2,
  network: 'everything',
  carries: (message) =>
    carriesAppends(message) || (message.type === 'heartbeat' && message.round === 0),
};

/**
 * Logs: several leaders, client values, a crash; entries travel one by one, so that an entry of an
 * old term can reach a majority alone (Figure 3.7).
 */
export function replicationBounds(size: ScopeSize): readonly ClusterBounds[] {
  switch (size) {
    case 'small':
      return [{ ...CRASH, slowWritesMax: 0 }];
    case 'ci':
      return [LEADERS, CRASH, ORDER];
    case 'large':
      return [
        { ...LEADERS, crashesMax: 2 },
        { ...CRASH, valuesMax: 2 },
        { ...ORDER, valuesMax: 2 },
      ];
  }
}

function carriesAppends({ type }: Message): boolean {
  return type === 'append-request' || type === 'append-accepted' || type === 'append-rejected';
}
