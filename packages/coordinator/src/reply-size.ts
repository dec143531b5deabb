import type { CommandResult, OperationResult } from './results.js';
import type { KeyRecord, LeaderRecord } from './types.js';

/** What any kept reply costs beside its strings and bytes: a rough figure, the same everywhere. */
const REPLY_OVERHEAD_BYTES = 64;

/** Bytes charged to a session for a kept reply. Deterministic: part of apply. */
export function replyBytes(result: CommandResult): number {
  if (result.type === 'txn') {
    return result.results.reduce((sum, part) => sum + operationBytes(part), REPLY_OVERHEAD_BYTES);
  }
  if (result.type === 'campaign' && result.state.state === 'granted') {
    return REPLY_OVERHEAD_BYTES + leaderBytes(result.state.leader);
  }
  return REPLY_OVERHEAD_BYTES;
}

function operationBytes(result: OperationResult): number {
  if (result.type !== 'get' || result.record === undefined) return REPLY_OVERHEAD_BYTES;
  return REPLY_OVERHEAD_BYTES + recordBytes(result.record);
}

export function recordBytes(record: Pick<KeyRecord, 'key' | 'value'>): number {
  return REPLY_OVERHEAD_BYTES + record.key.length + record.value.byteLength;
}

export function leaderBytes(leader: LeaderRecord): number {
  return (
    REPLY_OVERHEAD_BYTES +
    leader.election.length +
    leader.candidate.length +
    leader.holder.length +
    leader.lease.length +
    leader.metadata.byteLength
  );
}
