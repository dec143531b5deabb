import { crc32 } from 'node:zlib';
import type { Entry, EntryKind, LogIndex, Term } from '@raftd/raft';
import { readWide, writeWide } from './wide-integer.js';

/*
 * chain u32 · kind u8 · term u64 · cluster time f64 · payload length u32 · payload
 *
 * `chain` is the CRC-32 of the record, computed while the field holds the chain of the entry
 * before: so it vouches for this entry and for all before it, and one look at the last one tells
 * whether two logs are the same (a log spliced from two histories never adds up).
 */
const KIND_AT = 4;
const TERM_AT = 5;
const CLUSTER_TIME_AT = 13;
const LENGTH_AT = 21;
const PAYLOAD_AT = 25;

/** A kind that has no code here does not compile. */
const KIND_CODES: Readonly<Record<EntryKind, number>> = { 'no-op': 0, command: 1 };
const KINDS: readonly EntryKind[] = ['no-op', 'command'];

export interface EntryRecord {
  readonly entry: Entry;
  readonly chain: number;
  /** Where the next record starts. */
  readonly endsAt: number;
}

export function entryRecordBytes(entry: Entry): number {
  return PAYLOAD_AT + entry.payload.length;
}

/** Writes the record of `entry` at `at`; `chain` is that of the entry before. Returns its own. */
export function writeEntryRecord(target: Buffer, at: number, entry: Entry, chain: number): number {
  target.writeUInt32BE(chain, at);
  target[at + KIND_AT] = KIND_CODES[entry.kind];
  writeWide(target, entry.term, at + TERM_AT);
  target.writeDoubleBE(entry.clusterTimeMs, at + CLUSTER_TIME_AT);
  target.writeUInt32BE(entry.payload.length, at + LENGTH_AT);
  target.set(entry.payload, at + PAYLOAD_AT);
  const own = crc32(target.subarray(at, at + entryRecordBytes(entry)));
  target.writeUInt32BE(own, at);
  return own;
}

/** The record at `at`, or undefined if it does not follow the entry whose chain is `chain`. */
export function readEntryRecord(
  source: Buffer,
  at: number,
  index: number,
  chain: number,
): EntryRecord | undefined {
  if (at + PAYLOAD_AT > source.length) return undefined;
  const endsAt = at + PAYLOAD_AT + source.readUInt32BE(at + LENGTH_AT);
  if (endsAt > source.length) return undefined;
  const stored = source.readUInt32BE(at);
  source.writeUInt32BE(chain, at);
  const own = crc32(source.subarray(at, endsAt));
  source.writeUInt32BE(stored, at);
  const kind = KINDS[source.readUInt8(at + KIND_AT)];
  if (own !== stored || kind === undefined) return undefined;
  const entry: Entry = {
    index: index as LogIndex,
    term: readWide(source, at + TERM_AT) as Term,
    kind,
    clusterTimeMs: source.readDoubleBE(at + CLUSTER_TIME_AT),
    // A view of the run, which the log in memory keeps as a whole anyway: a copy of each payload
    // would take longer than reading it and cost an allocation of several times a small one.
    payload: new Uint8Array(
      source.buffer,
      source.byteOffset + at + PAYLOAD_AT,
      endsAt - at - PAYLOAD_AT,
    ),
  };
  return { entry, chain: own, endsAt };
}
