import type { Message } from '@raftd/raft';

/**
 * What the driver does wrong on purpose: a search that does not notice proves nothing.
 * `messages-before-write`: grants and acknowledgements leave beside the write;
 * `vote-forgotten`, `tail-forgotten`: a restart finds no vote, or one entry less.
 */
export type PlantedDriverFault = 'messages-before-write' | 'vote-forgotten' | 'tail-forgotten';

/** The bounds of a world of real cores. They live here and never in the core. */
export interface ClusterBounds {
  readonly name: string;
  readonly nodeCount: number;
  /** No election is begun beyond this term. */
  readonly termsMax: number;
  /** Elections begun in all. */
  readonly campaignsMax: number;
  /** Restarts in all, and of one node. */
  readonly crashesMax: number;
  readonly crashesOfOneMax: number;
  /** Writes that other inputs and crashes may come before; the others land at once. */
  readonly slowWritesMax: number;
  /** Client values proposed in all, one entry each. */
  readonly valuesMax: number;
  /** Entries a log may have: with so many nobody leads or proposes any more. */
  readonly entriesMax: number;
  /** Appends that run ahead of their acknowledgement, to one peer; each holds one entry. */
  readonly pipelineMax: number;
  /** Rounds of heartbeats that a leader starts after its first, in all. */
  readonly beatsMax: number;
  /**
   * `free`: any timer may fire at any moment and a leader is never heard when a vote is asked
   * for, and a pre-vote is won at once: all that asynchrony allows.
   * `kept`: contact is lost in a step of its own, and pre-votes travel.
   */
  readonly contact: 'free' | 'kept';
  /** Times that a follower's contact is lost, where it is kept. */
  readonly silencesMax: number;
  /**
   * `messages`: votes travel like everything else. `at-once`: a candidate asks one voter, and
   * asking, both writes and the answer are one step; for scopes that look at what leaders do.
   */
  readonly votes: 'messages' | 'at-once';
  /**
   * `everything`: each message ever sent may arrive at any time and any number of times: loss,
   * repetition, any order. `latest`: of the requests, and of the answers, that one node sent to
   * another in one term, only the latest still arrives, and none that the receiver's term has
   * passed.
   */
  readonly network: 'everything' | 'latest';
  /** What the network may ever deliver; the rest is lost. */
  readonly carries: (message: Message) => boolean;
  /** Whether nodes may be told apart only by what happened to them. */
  readonly symmetric: boolean;
  readonly fault: PlantedDriverFault | undefined;
}
