import type { Message } from './messages.js';
import type { HardState, LogIndex, Term } from './types.js';

/**
 * What the disk holds, and what it will hold once the write in flight is done.
 * `durableIndex ≤ writtenIndex ≤ last index of the log`.
 */
export interface Persistence {
  /** The log up to here is on disk as it is in memory. */
  durableIndex: LogIndex;
  durableHardState: HardState;
  /** The log up to here is on disk, or in the write in flight, as it is in memory. */
  writtenIndex: LogIndex;
  /**
   * Where the log on disk will end after the write in flight. Above `writtenIndex`: entries that
   * memory has dropped meanwhile, so the next write must truncate.
   */
  diskLastIndex: LogIndex;
  /** The hard state on disk after the write in flight. */
  submittedHardState: HardState;
  inFlight: WriteInFlight | undefined;
  /** Messages that may leave once the write in flight is durable. */
  afterWriteInFlight: Message[];
  /** Messages that need a hard state which is in no write yet. */
  afterNextWrite: Message[];
}

/** The one write in flight. */
export interface WriteInFlight {
  readonly lastIndex: LogIndex;
  readonly lastTerm: Term;
  /**
   * How far its completion makes the log durable: its last index, clipped by every truncation
   * since, as the disk then holds what memory no longer does.
   */
  claimIndex: LogIndex;
  readonly hardState: HardState;
}

export function makePersistence(hardState: HardState, lastIndex: LogIndex): Persistence {
  return {
    durableIndex: lastIndex,
    durableHardState: hardState,
    writtenIndex: lastIndex,
    diskLastIndex: lastIndex,
    submittedHardState: hardState,
    inFlight: undefined,
    afterWriteInFlight: [],
    afterNextWrite: [],
  };
}

export function forkPersistence(persistence: Persistence): Persistence {
  return {
    ...persistence,
    inFlight: persistence.inFlight && { ...persistence.inFlight },
    afterWriteInFlight: persistence.afterWriteInFlight.slice(),
    afterNextWrite: persistence.afterNextWrite.slice(),
  };
}
