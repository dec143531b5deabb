import type { ClusterIdentity, Entry, HardState } from '@raftd/raft';
import type { DiskWrite } from '../../world/disk.js';

/** What a data directory holds when it is opened, as the real storage would find it. */
export interface DiskImage {
  readonly incarnation: string;
  readonly cluster: ClusterIdentity | undefined;
  readonly hardState: HardState;
  readonly entries: readonly Entry[];
  /** Number of the last batch in the log, by the seal that ends it. */
  readonly sealedBatch: number;
  /** Number of the last batch that somebody was told of, by the mark file. */
  readonly markedBatch: number;
  /** A batch of which only the beginning reached the log. It has no part that opening takes. */
  readonly torn: DiskWrite | undefined;
  /** The first record whose checksum is wrong; 0 is the record of the owner. */
  readonly damagedIndex: number | undefined;
}

export interface DiskContent {
  readonly incarnation: string;
  readonly cluster: ClusterIdentity | undefined;
  readonly hardState: HardState;
  readonly entries: readonly Entry[];
}

export type Recovered =
  | { readonly type: 'opened'; readonly content: DiskContent }
  | { readonly type: 'refused'; readonly code: 'DATA_DAMAGED'; readonly fact: string };

/**
 * What `openLevelStorage` decides, over a simulated image. A torn batch was never acknowledged and
 * is lost whole, as if nothing of it had landed, though its entries have checksums each: it is one
 * record of LevelDB's write-ahead log, which has checksums of its own, and LevelDB drops the record
 * whole, seal included. A log ahead of the mark is a batch that nobody was told of, and is kept;
 * one behind it, or a record that does not add up, is acknowledged data lost: this node must not
 * vote (I13).
 */
export function recover(image: DiskImage): Recovered {
  const { damagedIndex, sealedBatch, markedBatch } = image;
  if (sealedBatch < markedBatch) {
    return damaged(`the log ends with batch ${sealedBatch}, the mark knows ${markedBatch}`);
  }
  if (damagedIndex !== undefined) return damaged(`record ${damagedIndex} does not add up`);
  const { incarnation, cluster, hardState, entries } = image;
  return { type: 'opened', content: { incarnation, cluster, hardState, entries } };
}

function damaged(fact: string): Recovered {
  return { type: 'refused', code: 'DATA_DAMAGED', fact };
}
