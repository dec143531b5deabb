import type { Entry, HardState, LogWrite, Message } from '@raftd/raft';
import { NO_TERM } from '@raftd/raft';
import type { PlantedDriverFault } from './bounds.js';

/** What a crash leaves. Never changed in place: nodes that are forked share it. */
export interface DurableDisk {
  readonly hardState: HardState;
  readonly entries: readonly Entry[];
}

/** A write under way, and the messages that wait for it. */
export interface PendingWrite {
  readonly write: LogWrite;
  readonly held: readonly Message[];
}

export const EMPTY_DISK: DurableDisk = {
  hardState: { term: NO_TERM, votedFor: undefined, promiseMs: 0 },
  entries: [],
};

/** The disk once all of the write has landed: it lands whole or not at all. */
export function landed(disk: DurableDisk, write: LogWrite): DurableDisk {
  const { hardState, truncateFrom, entries } = write;
  const kept = truncateFrom === undefined ? disk.entries : disk.entries.slice(0, truncateFrom - 1);
  const [first] = entries;
  if (first !== undefined && first.index !== kept.length + 1) {
    throw new Error(`a write leaves a gap: ${first.index} after ${kept.length}`);
  }
  return { hardState: hardState ?? disk.hardState, entries: [...kept, ...entries] };
}

/** What a restart finds: what is there, but for the faults that are planted. */
export function found(disk: DurableDisk, fault: PlantedDriverFault | undefined): DurableDisk {
  if (fault === 'vote-forgotten') {
    return { ...disk, hardState: { ...disk.hardState, votedFor: undefined } };
  }
  return fault === 'tail-forgotten' ? { ...disk, entries: disk.entries.slice(0, -1) } : disk;
}
