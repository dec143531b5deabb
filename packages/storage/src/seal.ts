import { crc32 } from 'node:zlib';
import type { HardState, NodeId, Term } from '@raftd/raft';
import { assert } from './assert.js';
import { readWide, writeWide } from './wide-integer.js';

/**
 * What every batch ends with: the whole state it leaves behind, in one record. Because each seal
 * stands for itself, no batch in the middle of LevelDB's log can vanish unseen: the entries must
 * add up to the chain of the last seal, and the hard state is the last seal's own.
 */
export interface Seal {
  /** Number of the batch, from 1; 0 is the state before the first. */
  readonly sequence: number;
  readonly hardState: HardState;
  readonly lastIndex: number;
  readonly lastTerm: number;
  /** Of the last entry; of the incarnation while the log is empty. */
  readonly chain: number;
  /** CRC-32 of the stored cluster identity; 0: none stored yet. */
  readonly identity: number;
}

/*
 * crc u32 (of all that follows) · sequence u64 · term u64 · promise f64 · last index u64 ·
 * last term u64 · chain u32 · identity u32 · length of the vote u8 · vote, UTF-8
 */
const VOTE_LENGTH_AT = 52;
const VOTE_AT = 53;
export const SEAL_BYTES_MAX: number = VOTE_AT + 255;

export function encodeSeal(seal: Seal): Buffer {
  const vote = Buffer.from(seal.hardState.votedFor ?? '', 'utf8');
  assert(vote.length <= 255, `node id of ${vote.length} bytes, at most 255`);
  assert(seal.hardState.votedFor === undefined || vote.length > 0, 'a vote for an empty id');
  const bytes = Buffer.allocUnsafe(VOTE_AT + vote.length);
  writeWide(bytes, seal.sequence, 4);
  writeWide(bytes, seal.hardState.term, 12);
  bytes.writeDoubleBE(seal.hardState.promiseMs, 20);
  writeWide(bytes, seal.lastIndex, 28);
  writeWide(bytes, seal.lastTerm, 36);
  bytes.writeUInt32BE(seal.chain, 44);
  bytes.writeUInt32BE(seal.identity, 48);
  bytes[VOTE_LENGTH_AT] = vote.length;
  bytes.set(vote, VOTE_AT);
  bytes.writeUInt32BE(crc32(bytes.subarray(4)), 0);
  return bytes;
}

/** The seal at the start of `bytes` (more may follow), or undefined if it is not whole. */
export function decodeSeal(bytes: Uint8Array): Seal | undefined {
  if (bytes.length < VOTE_AT) return undefined;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = VOTE_AT + source.readUInt8(VOTE_LENGTH_AT);
  if (end > source.length) return undefined;
  if (crc32(source.subarray(4, end)) !== source.readUInt32BE(0)) return undefined;
  const vote = source.toString('utf8', VOTE_AT, end);
  return {
    sequence: readWide(source, 4),
    hardState: {
      term: readWide(source, 12) as Term,
      votedFor: vote === '' ? undefined : (vote as NodeId),
      promiseMs: source.readDoubleBE(20),
    },
    lastIndex: readWide(source, 28),
    lastTerm: readWide(source, 36),
    chain: source.readUInt32BE(44),
    identity: source.readUInt32BE(48),
  };
}

export function describeSeal(seal: Seal): string {
  const { term, votedFor } = seal.hardState;
  const log = `log ends at ${seal.lastIndex}/${seal.lastTerm}`;
  return `batch ${seal.sequence} (term ${term}, vote ${votedFor ?? 'none'}, ${log})`;
}
