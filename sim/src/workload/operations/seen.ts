import type { KeyValue } from '@raftd/client';
import type { SeenRecord } from '../../storm/events.js';
import type { Worker } from '../worker.js';

export function seenRecord(record: KeyValue): SeenRecord {
  return {
    key: record.keyText,
    value: record.valueText,
    version: record.version,
    createRevision: record.createRevision,
    modRevision: record.modRevision,
    lease: record.lease,
  };
}

/** Later watches of this life may begin there. */
export function sawRevision(worker: Worker, revision: number): void {
  if (revision > worker.revisionSeen) worker.revisionSeen = revision;
}
