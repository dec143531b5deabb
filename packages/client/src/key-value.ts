import type { ByteString, KeyRecord, LeaseId, Revision } from '@raftd/protocol';
import { keyBytes, textOf } from './keys.js';

/** One key as it stood at some revision. */
export class KeyValue {
  readonly #key: ByteString;
  readonly value: Uint8Array;
  readonly createRevision: Revision;
  readonly modRevision: Revision;
  /** 1 at creation, +1 at each put. */
  readonly version: number;
  /** The key goes when this lease ends. */
  readonly lease: LeaseId | undefined;

  constructor(record: KeyRecord) {
    this.#key = record.key;
    this.value = record.value;
    this.createRevision = record.createRevision;
    this.modRevision = record.modRevision;
    this.version = record.version;
    this.lease = record.lease;
  }

  get key(): Uint8Array {
    return keyBytes(this.#key);
  }

  /** The key read as UTF-8. */
  get keyText(): string {
    return textOf(this.key);
  }

  /** The value read as UTF-8. */
  get valueText(): string {
    return textOf(this.value);
  }
}
