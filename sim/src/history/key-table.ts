import {
  byteString,
  type ByteString,
  type Changes,
  type EndReason,
  type KeyRecord,
  type LeaseId,
} from '@raftd/protocol';
import type { CanonicalEntry } from './canonical-log.js';

/** A key from one revision on, until its next version. */
export interface KeyVersion {
  readonly key: ByteString;
  readonly revision: number;
  /** Undefined: deleted. */
  readonly record: KeyRecord | undefined;
  /** The record's value as a text of one character a byte; '' where there is none. */
  readonly value: string;
  /** Of a delete. */
  readonly reason: EndReason | undefined;
  /** Index and true time (first apply) of the entry that made it. */
  readonly index: number;
  readonly appliedAtMs: number;
}

/** Every version that any key ever had, and the changes by revision. */
export class KeyTable {
  readonly #versions = new Map<ByteString, KeyVersion[]>();
  readonly #written = new Map<ByteString, Map<string, KeyVersion>>();
  readonly #changes: Changes[] = [];
  readonly #keys: ByteString[] = [];

  /** 0: nothing was changed yet. */
  get lastRevision(): number {
    return this.#changes.at(-1)?.revision ?? 0;
  }

  changesAt(revision: number): Changes | undefined {
    return this.#changes[revision - 1];
  }

  /** All versions of a key, oldest first. */
  versions(key: ByteString): readonly KeyVersion[] {
    return this.#versions.get(key) ?? NO_VERSIONS;
  }

  current(key: ByteString): KeyVersion | undefined {
    return this.#versions.get(key)?.at(-1);
  }

  /** The version in which a value was written to a key first. */
  written(key: ByteString, value: string): KeyVersion | undefined {
    return this.#written.get(key)?.get(value);
  }

  /** The version that holds at a revision; undefined: the key was never there. */
  versionAt(key: ByteString, revision: number): KeyVersion | undefined {
    const versions = this.versions(key);
    for (let position = versions.length - 1; position >= 0; position -= 1) {
      const version = versions[position];
      if (version !== undefined && version.revision <= revision) return version;
    }
    return undefined;
  }

  /** Every key that ever was in [start, end), in byte order. */
  keysIn(start: string, end: string | undefined): readonly ByteString[] {
    return this.#keys.filter((key) => key >= start && (end === undefined || key < end));
  }

  /** How many keys go with a lease now. */
  countOn(lease: LeaseId): number {
    let count = 0;
    for (const versions of this.#versions.values()) {
      if (versions.at(-1)?.record?.lease === lease) count += 1;
    }
    return count;
  }

  follow(entry: CanonicalEntry): void {
    const { changes } = entry;
    if (changes === undefined) return;
    this.#changes[changes.revision - 1] = changes;
    for (const event of changes.events) {
      if (event.type === 'put') {
        const { record } = event;
        this.#add(entry, record.key, record, undefined, changes.revision);
      } else if (event.type === 'delete') {
        this.#add(entry, event.key, undefined, event.reason, changes.revision);
      }
    }
  }

  #add(
    { index, appliedAtMs }: CanonicalEntry,
    key: ByteString,
    record: KeyRecord | undefined,
    reason: EndReason | undefined,
    revision: number,
  ): void {
    const value = record === undefined ? '' : byteString(record.value);
    const version: KeyVersion = { key, revision, record, value, reason, index, appliedAtMs };
    if (record !== undefined) this.#noteWritten(version);
    const versions = this.#versions.get(key);
    if (versions !== undefined) {
      versions.push(version);
      return;
    }
    this.#versions.set(key, [version]);
    const place = this.#keys.findIndex((other) => other > key);
    this.#keys.splice(place < 0 ? this.#keys.length : place, 0, key);
  }

  #noteWritten(version: KeyVersion): void {
    const { key, value } = version;
    let values = this.#written.get(key);
    if (values === undefined) {
      values = new Map();
      this.#written.set(key, values);
    }
    if (!values.has(value)) values.set(value, version);
  }
}

const NO_VERSIONS: readonly KeyVersion[] = [];
