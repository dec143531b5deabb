import type { KeyTable } from './state.js';
import type { ByteString, Revision } from './types.js';

/** So many revisions are pinned at once; the one unused for longest gives way. */
export const CURSOR_REVISIONS_MAX = 64;

/** A pin nobody asked for during this much cluster time is dropped. */
export const CURSOR_IDLE_MS = 60_000;

/** Where the next page starts. */
export interface Position {
  readonly revision: Revision;
  readonly start: ByteString;
  readonly end: ByteString | undefined;
  readonly limit: number;
}

interface Pin {
  readonly keys: KeyTable;
  usedAtMs: number;
}

/**
 * Old revisions kept for the next pages of a range. Belongs to one node, not to the replicated
 * state. A cursor says all of its position and only the keys are pinned, by their revision: the
 * same cursor can be asked twice, and one from before a restart finds the very same keys or none.
 */
export class Cursors {
  /** In order of last use. A clone is O(1) and shares what later writes leave alone. */
  readonly #pins = new Map<Revision, Pin>();

  pin(revision: Revision, keys: KeyTable, nowMs: number): void {
    const pinned = this.#pins.get(revision);
    this.#use(revision, { keys: pinned?.keys ?? keys.clone(), usedAtMs: nowMs });
    if (this.#pins.size > CURSOR_REVISIONS_MAX) this.#dropOldest();
  }

  /** The keys of that revision, if they are still pinned. */
  keysAt(revision: Revision, nowMs: number): KeyTable | undefined {
    const pinned = this.#pins.get(revision);
    if (pinned === undefined) return undefined;
    this.#use(revision, { keys: pinned.keys, usedAtMs: nowMs });
    return pinned.keys;
  }

  /** Called with every entry: pins must not outlive their time for want of queries. */
  dropIdle(nowMs: number): void {
    for (const [revision, pin] of this.#pins) {
      if (nowMs - pin.usedAtMs < CURSOR_IDLE_MS) return;
      this.#pins.delete(revision);
    }
  }

  #use(revision: Revision, pin: Pin): void {
    this.#pins.delete(revision);
    this.#pins.set(revision, pin);
  }

  #dropOldest(): void {
    for (const revision of this.#pins.keys()) {
      this.#pins.delete(revision);
      return;
    }
  }
}

/** Opaque to clients; at most the two keys and 64 characters long. */
export function formatCursor({ revision, start, end, limit }: Position): string {
  const head = `${revision}.${limit}.${start.length}.${start}`;
  return end === undefined ? head : `${head}-${end}`;
}

/** Undefined: nothing that `formatCursor` could have made. */
export function parseCursor(cursor: string): Position | undefined {
  const match = /^(\d{1,16})\.(\d{1,16})\.(\d{1,16})\./.exec(cursor);
  if (match === null) return undefined;
  const [head, revision, limit, length] = match;
  const start = cursor.slice(head.length, head.length + Number(length));
  const rest = cursor.slice(head.length + Number(length));
  if (start.length !== Number(length) || !(rest === '' || rest.startsWith('-'))) return undefined;
  return {
    revision: Number(revision) as Revision,
    start: start as ByteString,
    end: rest === '' ? undefined : (rest.slice(1) as ByteString),
    limit: Number(limit),
  };
}
