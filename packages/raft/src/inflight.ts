import type { LogIndex } from './types.js';

/**
 * Appends sent and not yet acknowledged, oldest first, counted in messages and bytes. A plain
 * queue with a moving head, so that an acknowledgement costs no copy.
 */
export interface Inflight {
  /** Last index of each message. */
  readonly lastIndexes: LogIndex[];
  readonly sizes: number[];
  /** Position of the oldest; those before it are spent. */
  head: number;
  bytes: number;
}

/** Spent positions that are worth one copy to reclaim. */
const COMPACT_AT = 256;

export function makeInflight(): Inflight {
  return { lastIndexes: [], sizes: [], head: 0, bytes: 0 };
}

export function forkInflight(inflight: Inflight): Inflight {
  return {
    lastIndexes: inflight.lastIndexes.slice(inflight.head),
    sizes: inflight.sizes.slice(inflight.head),
    head: 0,
    bytes: inflight.bytes,
  };
}

export function inflightCount(inflight: Inflight): number {
  return inflight.lastIndexes.length - inflight.head;
}

export function addInflight(inflight: Inflight, lastIndex: LogIndex, bytes: number): void {
  inflight.lastIndexes.push(lastIndex);
  inflight.sizes.push(bytes);
  inflight.bytes += bytes;
}

/** Forgets every message that ends at or before `matchIndex`. */
export function freeInflight(inflight: Inflight, matchIndex: LogIndex): void {
  while (inflight.head < inflight.lastIndexes.length) {
    if ((inflight.lastIndexes[inflight.head] as LogIndex) > matchIndex) break;
    inflight.bytes -= inflight.sizes[inflight.head] as number;
    inflight.head += 1;
  }
  if (inflight.head === inflight.lastIndexes.length) emptySpent(inflight, inflight.head);
  else if (inflight.head >= COMPACT_AT) emptySpent(inflight, inflight.head);
}

function emptySpent(inflight: Inflight, count: number): void {
  inflight.lastIndexes.splice(0, count);
  inflight.sizes.splice(0, count);
  inflight.head = 0;
}
