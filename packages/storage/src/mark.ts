import {
  closeSync,
  fdatasync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from './directory.js';
import type { Seal } from './seal.js';
import { decodeSeal, encodeSeal } from './seal.js';

/** Slots lie in different pages, so that one torn write cannot hurt both. */
const SLOT_BYTES = 4096;
const FILE_BYTES = 2 * SLOT_BYTES;

/** What a mark file says. */
export interface MarkContent {
  /** The latest whole seal. */
  readonly seal: Seal;
  /** Which slot holds it. */
  readonly slot: 0 | 1;
  /** The other slot is whole, too. */
  readonly bothWhole: boolean;
}

/**
 * The last two seals, in a file beside LevelDB. LevelDB drops a damaged or missing end of its log
 * without a word; the mark still knows how far the log had come. Writes go to the slot that does
 * not hold the latest seal, and only once the batch itself is synced.
 */
export class MarkFile {
  readonly #descriptor: number;
  #slot: 0 | 1;

  private constructor(descriptor: number, slot: 0 | 1) {
    this.#descriptor = descriptor;
    this.#slot = slot;
  }

  /** Durable, in one step, before anything it vouches for. */
  static create(path: string, seal: Seal): void {
    const bytes = Buffer.alloc(FILE_BYTES);
    bytes.set(encodeSeal(seal), 0);
    bytes.set(encodeSeal(seal), SLOT_BYTES);
    const fresh = `${path}.new`;
    writeFileSync(fresh, bytes, { flush: true });
    renameSync(fresh, path);
    syncDirectory(dirname(path));
  }

  /** Undefined if neither slot is whole. */
  static read(path: string): MarkContent | undefined {
    const bytes = readFileSync(path);
    const first = decodeSeal(bytes.subarray(0, SLOT_BYTES));
    const second = decodeSeal(bytes.subarray(SLOT_BYTES, FILE_BYTES));
    if (first === undefined) {
      return second === undefined ? undefined : { seal: second, slot: 1, bothWhole: false };
    }
    if (second === undefined) return { seal: first, slot: 0, bothWhole: false };
    if (second.sequence > first.sequence) return { seal: second, slot: 1, bothWhole: true };
    return { seal: first, slot: 0, bothWhole: true };
  }

  static open(path: string, content: MarkContent): MarkFile {
    return new MarkFile(openSync(path, 'r+'), content.slot);
  }

  /** To the page cache: survives the end of the process, not a power cut. */
  write(encodedSeal: Buffer): void {
    const slot = this.#slot === 0 ? 1 : 0;
    const at = slot * SLOT_BYTES;
    writeSync(this.#descriptor, encodedSeal, 0, encodedSeal.length, at);
    this.#slot = slot;
  }

  sync(done: (error: Error | null) => void): void {
    fdatasync(this.#descriptor, done);
  }

  /** For opening, where nothing else waits. */
  syncNow(): void {
    fsyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
