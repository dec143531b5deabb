import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ClusterIdentity, NodeId } from '@raftd/raft';
import { LevelDatabase } from './database.js';
import { makeDirectory, syncDirectory } from './directory.js';
import { diskError } from './disk-error.js';
import { IDENTITY_KEY, META_KEY, SEAL_KEY } from './keys.js';
import { LevelStore } from './level-store.js';
import type { MarkContent } from './mark.js';
import { MarkFile } from './mark.js';
import type { Meta } from './meta.js';
import {
  decodeIdentity,
  decodeMeta,
  encodeDocument,
  FORMAT_VERSION,
  identityChecksum,
} from './meta.js';
import { scanLog } from './scan.js';
import type { Seal } from './seal.js';
import { decodeSeal, describeSeal, encodeSeal } from './seal.js';
import { damaged, StorageError } from './storage-error.js';
import type { LoadedStore, LogStore } from './store.js';
import { EMPTY_HARD_STATE } from './store.js';

export interface LevelStorageOptions {
  /** Made if it is missing. Holds `log/` (LevelDB) and `mark`. */
  readonly directory: string;
  readonly nodeId: NodeId;
  /** Draws the id of a new directory's life; not called for one that exists. */
  readonly incarnation: () => string;
  /**
   * LevelDB's memory table, bytes; up to two are held. Default 64 MiB. Smaller ones turn into
   * table files more often, and writes wait whenever that falls behind.
   */
  readonly writeBufferBytes?: number;
}

export interface OpenStorage {
  readonly store: LogStore;
  readonly loaded: LoadedStore;
}

const WRITE_BUFFER_BYTES = 64 * 1024 * 1024;

interface Paths {
  readonly directory: string;
  readonly log: string;
  readonly mark: string;
}

/**
 * Opens the data directory of one node, new or not, and hands over all it holds. Rejects with a
 * `StorageError` if it cannot, or if what is there is less than what this node had acknowledged.
 */
export async function openLevelStorage(options: LevelStorageOptions): Promise<OpenStorage> {
  const paths: Paths = {
    directory: options.directory,
    log: join(options.directory, 'log'),
    mark: join(options.directory, 'mark'),
  };
  try {
    makeDirectory(paths.log);
    const database = new LevelDatabase({
      path: paths.log,
      // With a mark there was a log: LevelDB must not put an empty one where it is gone.
      create: !existsSync(paths.mark),
      writeBufferBytes: options.writeBufferBytes ?? WRITE_BUFFER_BYTES,
    });
    await database.open();
    try {
      return await openLocked(database, paths, options);
    } catch (cause) {
      await database.close();
      throw cause;
    }
  } catch (cause) {
    throw diskError(cause, `opening data directory ${paths.directory}`);
  }
}

/** From here on no other process can be in the directory. */
async function openLocked(
  database: LevelDatabase,
  paths: Paths,
  options: LevelStorageOptions,
): Promise<OpenStorage> {
  if (await isUnmade(database, paths)) await make(database, paths, options);
  const meta = readMeta(database, paths, options.nodeId);
  const content = readMark(paths);
  const seal = readSeal(database);
  assertNothingLost(seal, content);
  const { entries, runs } = await scanLog(database, seal, crc32(meta.incarnation));
  const cluster = readIdentity(database, seal);
  const mark = MarkFile.open(paths.mark, content);
  if (seal.sequence > content.seal.sequence) catchUp(mark, seal);
  return {
    store: new LevelStore({ database, mark, runs, seal }),
    loaded: { incarnation: meta.incarnation, cluster, hardState: seal.hardState, entries },
  };
}

/** A batch that was durable before its mark: from now on the mark vouches for it, too. */
function catchUp(mark: MarkFile, seal: Seal): void {
  try {
    mark.write(encodeSeal(seal));
    mark.syncNow();
  } catch (cause) {
    mark.close();
    throw cause;
  }
}

/**
 * The order of creation is LevelDB, mark, first batch. So a directory without a mark is new only
 * while its database is empty, and one with a mark whose first batch is missing was interrupted
 * only if the mark says that no batch was ever acknowledged.
 */
async function isUnmade(database: LevelDatabase, paths: Paths): Promise<boolean> {
  const isEmpty = await database.isEmpty();
  if (!existsSync(paths.mark)) {
    if (isEmpty) return true;
    throw damaged(`the mark file ${paths.mark} is missing`);
  }
  return isEmpty && readMark(paths).seal.sequence === 0;
}

async function make(
  database: LevelDatabase,
  paths: Paths,
  options: LevelStorageOptions,
): Promise<void> {
  const incarnation = options.incarnation();
  const meta: Meta = { format: FORMAT_VERSION, nodeId: options.nodeId, incarnation };
  const empty: Seal = {
    sequence: 0,
    hardState: EMPTY_HARD_STATE,
    lastIndex: 0,
    lastTerm: 0,
    chain: crc32(incarnation),
    identity: 0,
  };
  syncDirectory(paths.log);
  MarkFile.create(paths.mark, empty);
  await database.writeSynced([
    { type: 'put', key: META_KEY, value: encodeDocument(meta) },
    { type: 'put', key: SEAL_KEY, value: encodeSeal({ ...empty, sequence: 1 }) },
  ]);
}

function readMeta(database: LevelDatabase, paths: Paths, nodeId: NodeId): Meta {
  const bytes = database.readNow(META_KEY);
  if (bytes === undefined) throw damaged('the record of the owner of this directory is missing');
  const meta = decodeMeta(bytes);
  if (meta === undefined) throw damaged('the record of the owner of this directory is damaged');
  if (meta.format !== FORMAT_VERSION) {
    throw new StorageError(
      'DATA_FORMAT_UNKNOWN',
      `data directory ${paths.directory} has format ${meta.format}, this version reads ` +
        `${FORMAT_VERSION}: run the version that wrote it`,
    );
  }
  if (meta.nodeId !== nodeId) {
    throw new StorageError(
      'DATA_OF_OTHER_NODE',
      `data directory ${paths.directory} belongs to node ${meta.nodeId}, not to ${nodeId}: ` +
        'start that node on it, or give this one a directory of its own',
    );
  }
  return meta;
}

function readMark(paths: Paths): MarkContent {
  const content = MarkFile.read(paths.mark);
  if (content === undefined) throw damaged(`the mark file ${paths.mark} is damaged`);
  return content;
}

function readSeal(database: LevelDatabase): Seal {
  const bytes = database.readNow(SEAL_KEY);
  if (bytes === undefined) throw damaged('the seal of the log is missing');
  const seal = decodeSeal(bytes);
  if (seal === undefined) throw damaged('the seal of the log is damaged');
  return seal;
}

/** The mark is written after the batch it speaks of: the log may be ahead of it, never behind. */
function assertNothingLost(seal: Seal, content: MarkContent): void {
  const mark = content.seal;
  // A slot that is not whole was being written for a batch that was durable by then.
  const leastSequence = content.bothWhole ? mark.sequence : mark.sequence + 1;
  if (seal.sequence < leastSequence) {
    throw damaged(
      `the log has lost its end: it is at ${describeSeal(seal)}, the mark file knows ` +
        (content.bothWhole ? describeSeal(mark) : `more than ${describeSeal(mark)}`),
    );
  }
  const isSame = encodeSeal(seal).equals(encodeSeal(mark));
  if (seal.sequence === mark.sequence && !isSame) {
    throw damaged(`the log is at ${describeSeal(seal)}, the mark file at ${describeSeal(mark)}`);
  }
  const { term, votedFor } = seal.hardState;
  const { term: markTerm, votedFor: markVote } = mark.hardState;
  if (term < markTerm) throw damaged(`the log is at term ${term}, the mark file at ${markTerm}`);
  if (term === markTerm && markVote !== undefined && votedFor !== markVote) {
    throw damaged(
      `the log voted for ${votedFor ?? 'nobody'} in term ${term}, the mark file for ${markVote}`,
    );
  }
}

function readIdentity(database: LevelDatabase, seal: Seal): ClusterIdentity | undefined {
  const bytes = database.readNow(IDENTITY_KEY);
  if (bytes === undefined && seal.identity === 0) return undefined;
  const identity = bytes === undefined ? undefined : decodeIdentity(bytes);
  if (identity === undefined || bytes === undefined || identityChecksum(bytes) !== seal.identity) {
    throw damaged('the stored cluster identity is damaged');
  }
  return identity;
}
