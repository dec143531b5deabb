import { type ByteString, type ChangeEvent, utf8ByteString } from '@raftd/protocol';
import type { StormEvent, WatchSeen } from '../storm/events.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { describe, describeVersion, isSame } from './reads-fresh.js';
import { at } from './sentence.js';

type Opened = Extract<WatchSeen, { readonly type: 'watch-opened' }>;
type Seen = Extract<WatchSeen, { readonly type: 'watch-event' }>['event'];
type SeenChange = Exclude<Seen, { readonly type: 'leader' }>;

interface KeyWatch {
  readonly client: string;
  readonly start: ByteString;
  readonly end: ByteString;
  /** Where it stands: the revision shown last, and how many of its changes were. */
  revision: number;
  shown: number;
}

/**
 * L9, keys: what a watch shows are the changes of the log in its scope, in order, each once, none
 * skipped, from the first to the last that it shows, over however many connections.
 */
export class WatchGapless implements StormChecker {
  readonly ids = ['L9'] as const;
  readonly wants = ['watch-opened', 'watch-event', 'watch-closed'] as const;
  readonly finish: () => void = nothingLeft;
  readonly #context: HistoryContext;
  readonly #watches = new Map<number, KeyWatch>();

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  observe(event: StormEvent): void {
    switch (event.type) {
      case 'watch-opened':
        return this.#onOpened(event);
      case 'watch-event':
        if (event.event.type !== 'leader') this.#onSeen(event.watch, event.event);
        return;
      case 'watch-closed':
        this.#watches.delete(event.watch);
        return;
      default:
    }
  }

  #onOpened({ client, watch, scope }: Opened): void {
    if (scope.type !== 'keys') return;
    const [start, end] = [utf8ByteString(scope.start), utf8ByteString(scope.end)];
    this.#watches.set(watch, { client, start, end, revision: 0, shown: 0 });
  }

  #onSeen(number: number, seen: SeenChange): void {
    const watch = this.#watches.get(number);
    if (watch === undefined) return;
    const { keys } = this.#context.log;
    if (seen.revision > keys.lastRevision) {
      this.#broken(number, watch, seen, `no node has applied more than ${keys.lastRevision}`);
      return;
    }
    const expected = this.#next(watch, seen.revision);
    if (expected === undefined) {
      const last = `revision ${watch.revision}, of which it has shown ${watch.shown} changes`;
      this.#broken(number, watch, seen, `nothing in its scope follows after ${last}`);
      return;
    }
    if (!this.#isIt(expected.event, expected.revision, seen)) {
      const missed = this.#describeChange(expected.event, expected.revision);
      this.#broken(number, watch, seen, `what comes next for it is ${missed}`);
    }
    watch.shown = expected.revision === watch.revision ? watch.shown + 1 : 1;
    watch.revision = expected.revision;
  }

  /** The change of the log that it has to show now; a new watch may begin at any revision. */
  #next(
    watch: KeyWatch,
    seenRevision: number,
  ): { readonly revision: number; readonly event: ChangeEvent } | undefined {
    const { keys } = this.#context.log;
    let skip = watch.shown;
    const from = watch.revision === 0 ? seenRevision : watch.revision;
    for (let revision = from; revision <= keys.lastRevision; revision += 1) {
      for (const event of keys.changesAt(revision)?.events ?? NO_EVENTS) {
        if (!isInScope(watch, event)) continue;
        if (skip === 0) return { revision, event };
        skip -= 1;
      }
      skip = 0;
    }
    return undefined;
  }

  #isIt(event: ChangeEvent, revision: number, seen: SeenChange): boolean {
    if (revision !== seen.revision) return false;
    if (seen.type === 'delete') {
      const isSameKey = event.type === 'delete' && event.key === utf8ByteString(seen.key);
      return isSameKey && event.reason === seen.reason;
    }
    if (event.type !== 'put') return false;
    const version = this.#context.log.keys.versionAt(event.record.key, revision);
    // Of several puts of one key at one revision the table knows the last one only.
    return version?.record !== event.record || isSame(version, seen.record);
  }

  #describeChange(event: ChangeEvent, revision: number): string {
    if (event.type === 'put') {
      return describeVersion(this.#context.log.keys.versionAt(event.record.key, revision));
    }
    return event.type === 'delete' ? `the delete of ${event.key} at ${revision}` : event.type;
  }

  #broken(number: number, { client }: KeyWatch, seen: SeenChange, why: string): void {
    const shown =
      seen.type === 'put' ? describe(seen.record) : `the delete of ${seen.key} (${seen.reason})`;
    const when = at(this.#context.probe.trueMs);
    const what = `watch ${number} of ${client} showed ${shown} at revision ${seen.revision}`;
    this.#context.broken('L9', `${what} (${when}); ${why}`);
  }
}

const NO_EVENTS: readonly ChangeEvent[] = [];

function isInScope({ start, end }: KeyWatch, event: ChangeEvent): boolean {
  const key = event.type === 'put' ? event.record.key : event.type === 'delete' ? event.key : '';
  return key !== '' && key >= start && key < end;
}
