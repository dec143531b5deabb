import { InvalidOption } from '@raftd/raft';
import { NodeFault } from '@raftd/server';
import { StorageError, type StorageErrorCode } from '@raftd/storage';
import { EXIT } from '../exit-codes.js';
import { ListenFailure } from './listen-failure.js';
import { UsageError } from './usage-error.js';

/** How a process ends: the documented code, and one line that names the error. */
export interface ExitReason {
  readonly exitCode: number;
  readonly name: string;
  readonly message: string;
}

const STORAGE_EXITS: Readonly<Record<StorageErrorCode, number>> = {
  DATA_LOCKED: EXIT.inUse,
  DATA_UNWRITABLE: EXIT.diskFailed,
  DATA_OF_OTHER_NODE: EXIT.wrongIdentity,
  DATA_FORMAT_UNKNOWN: EXIT.damaged,
  DATA_DAMAGED: EXIT.damaged,
  DISK_FULL: EXIT.diskFailed,
  DISK_FAILED: EXIT.diskFailed,
};

const LISTEN_EXITS: Readonly<Record<ListenFailure['code'], number>> = {
  ADDRESS_IN_USE: EXIT.inUse,
  ADDRESS_NOT_AVAILABLE: EXIT.usage,
  NOT_PERMITTED: EXIT.usage,
  LISTEN_FAILED: EXIT.internal,
};

export function exitReason(error: unknown): ExitReason {
  if (error instanceof UsageError) return reason(EXIT.usage, error.code, error);
  if (error instanceof InvalidOption) return reason(EXIT.usage, error.code, error);
  if (error instanceof StorageError) return reason(STORAGE_EXITS[error.code], error.code, error);
  if (error instanceof NodeFault) return faultReason(error);
  if (error instanceof ListenFailure) return reason(LISTEN_EXITS[error.code], error.code, error);
  if (error instanceof Error) return reason(EXIT.internal, 'INTERNAL', error);
  return { exitCode: EXIT.internal, name: 'INTERNAL', message: String(error) };
}

/** One line, whatever the message holds. */
export function describeExit({ name, message }: ExitReason): string {
  return `raftd: ${name}: ${message.replace(/\s*\n\s*/g, ' ')}\n`;
}

function faultReason(fault: NodeFault): ExitReason {
  switch (fault.code) {
    case 'WRONG_IDENTITY':
      return reason(EXIT.wrongIdentity, fault.code, fault);
    case 'APPLY_FAILED':
      return reason(EXIT.internal, fault.code, fault);
    case 'STORAGE_FAILED':
      return fault.cause instanceof StorageError
        ? exitReason(fault.cause)
        : reason(EXIT.diskFailed, fault.code, fault);
  }
}

function reason(exitCode: number, name: string, error: Error): ExitReason {
  return { exitCode, name, message: error.message };
}
