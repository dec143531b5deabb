/**
 * What must happen now and then, or a green run has proved nothing about it (verification by
 * "sometimes" properties, as Antithesis names them). One list, so that a zero can be shown.
 */
export const SOMETIMES = [
  // elections
  'split vote',
  'candidate meets a leader of its own term',
  'leader meets a term two above its own',
  'two leaders of different terms at once',
  'vote refused for the log',
  'vote reply lost after it was durable',
  'crash between persist and send',
  'pre-vote granted',
  'pre-vote refused',
  'leader steps down without a quorum',
  'leader cut off one way',
  // replication
  'follower truncates three or more',
  'old-term entry on a majority, not committed',
  'commit by the smallest quorum',
  'duplicate append arrives',
  'message of an older term discarded',
  'append refused with a hint',
  // disk
  'unsynced write lost',
  'torn tail cut at start',
  'damaged record refused at start',
  'wiped node refused by its peers',
  'full disk ends a node',
  'failed write ends a node',
  // reads and clients
  'read waits for a quorum round',
  'read ends with its leader',
  'lease read served',
  'lease read refused',
  'retry answered from the kept reply',
  'unknown outcome, effect there',
  'unknown outcome, effect not there',
  'watch ends because the window moved on',
  // leases and fencing
  'lease expires while its holder is frozen',
  'two clients believe to lead',
  'stale token refused by the resource',
  'guarded write fenced',
  'renewal too late',
  'leader change within a TTL',
  'grant ended by a stranger',
  'clock jumps forward',
  'clock jumps back',
  // cluster
  'no majority, no progress',
  'all nodes down at once',
  'cluster of one',
  'cluster of even size',
] as const;

export type Sometimes = (typeof SOMETIMES)[number];

/** How often each happened. */
export class SometimesTally {
  readonly #counts: Record<Sometimes, number>;

  constructor() {
    const counts: Partial<Record<Sometimes, number>> = {};
    for (const name of SOMETIMES) counts[name] = 0;
    this.#counts = counts as Record<Sometimes, number>;
  }

  count(name: Sometimes): void {
    this.#counts[name] += 1;
  }

  get counts(): Readonly<Record<Sometimes, number>> {
    return this.#counts;
  }
}
