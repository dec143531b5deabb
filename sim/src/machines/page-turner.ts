import type { ByteString, Coordinator, KeyRecord } from '@raftd/coordinator';
import { isSameContent } from '../history/same-content.js';
import { InvariantBroken } from '../invariants/invariant.js';
import type { Dice } from '../storm/planner/dice.js';

interface Bookmark {
  readonly machine: Coordinator;
  readonly cursor: string;
  /** What stood behind the cursor when it was given. */
  readonly rest: readonly KeyRecord[];
}

const BOOKMARKS_MAX = 100;
const KEYS = ['', 'a', 'ab', 'b', 'c', 'z'] as const;
/** 0 and all that is no number of records ask for as much as there may be. */
const LIMITS: readonly number[] = [1, 1, 1, 2, 3, 0, -1, 0.5, Number.NaN];
const NO_CURSORS: readonly string[] = ['x', '1.2', '1.1.9.a', '1.1.1.ab', '-1.1.1.a'];

/** Reads ranges page by page while others write; each page must show the state of the first. */
export class PageTurner {
  readonly #dice: Dice;
  readonly #bookmarks: Bookmark[] = [];
  readonly seen = { pages: 0, expired: 0, lasts: 0 };

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  open(machine: Coordinator): void {
    const dice = this.#dice;
    const start = dice.pick(KEYS) as ByteString;
    const end = dice.percent(50) ? (dice.pick(KEYS) as ByteString) : undefined;
    const limit = dice.pick(LIMITS);
    const whole = recordsOf(machine, start, end);
    const page = machine.query({ type: 'range', start, end, limit });
    if (page.type === 'range') this.#read(machine, page, whole);
  }

  /** At the machine that gave the cursor: it goes on where it was, or says that it cannot. */
  turn(): void {
    const bookmark = this.#take();
    if (bookmark === undefined) return;
    const { machine, cursor, rest } = bookmark;
    const page = machine.query({ type: 'range-next', cursor });
    if (page.type === 'cursor-expired') this.seen.expired += 1;
    else if (page.type === 'range') this.#read(machine, page, rest);
  }

  /** At another machine, or one that was restarted: the same keys or none. */
  carryTo(machine: Coordinator): void {
    const bookmark = this.#take();
    if (bookmark === undefined) return;
    const page = machine.query({ type: 'range-next', cursor: bookmark.cursor });
    if (page.type === 'cursor-expired') this.seen.expired += 1;
    else if (page.type === 'range') this.#read(machine, page, bookmark.rest);
  }

  makeUp(machine: Coordinator): void {
    const cursor = this.#dice.pick(NO_CURSORS);
    const page = machine.query({ type: 'range-next', cursor });
    if (page.type === 'cursor-expired') return;
    throw new InvariantBroken('S23', `the cursor ${cursor} was made up and shows something`);
  }

  /** Cursors of machines that are gone are kept: somebody may still ask with them. */
  #take(): Bookmark | undefined {
    const at = Math.floor(this.#dice.between(0, this.#bookmarks.length));
    return this.#bookmarks.splice(at, 1)[0];
  }

  #read(
    machine: Coordinator,
    page: { readonly records: readonly KeyRecord[]; readonly cursor: string | undefined },
    whole: readonly KeyRecord[],
  ): void {
    const { records, cursor } = page;
    const rest = whole.slice(records.length);
    const isPart = isSameContent(records, whole.slice(0, records.length));
    if (!isPart || (cursor === undefined) !== (rest.length === 0)) {
      throw new InvariantBroken('S23', 'a page shows another state than the first one did');
    }
    this.seen.pages += 1;
    if (cursor === undefined) this.seen.lasts += 1;
    else this.#bookmarks.push({ machine, cursor, rest });
    if (this.#bookmarks.length > BOOKMARKS_MAX) this.#bookmarks.shift();
  }
}

function recordsOf(
  machine: Coordinator,
  start: ByteString,
  end: ByteString | undefined,
): readonly KeyRecord[] {
  const page = machine.query({ type: 'range', start, end, limit: 10_000 });
  if (page.type !== 'range' || page.cursor !== undefined) throw new Error('too many keys');
  return page.records;
}
