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
  /** As it asked. */
  readonly askedRevision: number | undefined;
  /** The first revision that it shows; undefined: it does not stand yet. */
  fromRevision: number | undefined;
  /** The revision shown last, or that it begins with, and how many of its changes were shown. */
  revision: number;
  shown: number;
}

/**
 * L9, keys: what a watch shows are the changes of the log in its scope, in order, each once, none
 * skipped, from the revision with which it begins to the last that it shows, over however many
 * connections. Once the core has converged it is shown all that is in the log.
 */
export class WatchGapless implements StormChecker {
  readonly ids = ['L9'] as const;
  readonly wants = [
    'watch-opened',
    'watch-stands',
    'watch-event',
    'watch-closed',
    'client-killed',
    'phase',
  ] as const;
  readonly finish: () => void = nothingLeft;
  readonly #context: HistoryContext;
  readonly #watches = new Map<number, KeyWatch>();
  /** What every open watch must have been shown; 0: nothing yet. */
  #dueRevision = 0;

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  observe(event: StormEvent): void {
    switch (event.type) {
      case 'watch-opened':
        return this.#onOpened(event);
      case 'watch-stands':
        return this.#onStands(event.watch, event.fromRevision);
      case 'phase':
        if (event.phase === 'converged') this.#dueRevision = this.#context.log.keys.lastRevision;
        else if (event.phase === 'all-shown') this.#demandShown();
        return;
      case 'watch-event':
        if (event.event.type !== 'leader') this.#onSeen(event.watch, event.event);
        return;
      case 'watch-closed':
        this.#watches.delete(event.watch);
        return;
      case 'client-killed':
        for (const [number, { client }] of this.#watches) {
          if (client === event.client) this.#watches.delete(number);
        }
        return;
      default:
    }
  }

  #onOpened({ client, watch, scope }: Opened): void {
    if (scope.type !== 'keys') return;
    const [start, end] = [utf8ByteString(scope.start), utf8ByteString(scope.end)];
    const { fromRevision: askedRevision } = scope;
    const fresh = { fromRevision: undefined, revision: 0, shown: 0 };
    this.#watches.set(watch, { client, start, end, askedRevision, ...fresh });
  }

  #onStands(number: number, fromRevision: number): void {
    const watch = this.#watches.get(number);
    if (watch === undefined) return;
    watch.fromRevision = fromRevision;
    watch.revision = fromRevision;
    const { askedRevision } = watch;
    const next = this.#context.log.keys.lastRevision + 1;
    const isRight =
      askedRevision === undefined ? fromRevision <= next : fromRevision === askedRevision;
    if (isRight) return;
    const what = `watch ${number} of ${watch.client} stands from revision ${fromRevision} on`;
    const asked = askedRevision === undefined ? `the next one, ${next}` : askedRevision;
    this.#context.broken('L9', `${what} (${at(this.#context.probe.trueMs)}); asked was ${asked}`);
  }

  #onSeen(number: number, seen: SeenChange): void {
    const watch = this.#watches.get(number);
    if (watch === undefined) return;
    const { keys } = this.#context.log;
    if (seen.revision > keys.lastRevision) {
      this.#broken(number, watch, seen, `no node has applied more than ${keys.lastRevision}`);
      return;
    }
    if (watch.fromRevision === undefined) {
      this.#broken(number, watch, seen, 'it does not stand yet');
      return;
    }
    const expected = this.#next(watch);
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

  /** The change of the log that it has to show now. */
  #next(watch: KeyWatch): { readonly revision: number; readonly event: ChangeEvent } | undefined {
    const { keys } = this.#context.log;
    let skip = watch.shown;
    for (let revision = watch.revision; revision <= keys.lastRevision; revision += 1) {
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

  isUnshown(): boolean {
    for (const watch of this.#watches.values()) if (this.#lacks(watch)) return true;
    return false;
  }

  #lacks(watch: KeyWatch): boolean {
    if (this.#dueRevision === 0) return false;
    if (watch.fromRevision === undefined) return true;
    const next = this.#next(watch);
    return next !== undefined && next.revision <= this.#dueRevision;
  }

  #demandShown(): void {
    for (const [number, watch] of this.#watches) {
      if (!this.#lacks(watch)) continue;
      const next = watch.fromRevision === undefined ? undefined : this.#next(watch);
      const lacks =
        next === undefined
          ? 'does not stand'
          : `was not shown ${this.#describeChange(next.event, next.revision)}`;
      const when = at(this.#context.probe.trueMs);
      const what = `watch ${number} of ${watch.client} ${lacks} (${when})`;
      const due = `the core agreed on revision ${this.#dueRevision} long ago`;
      this.#context.broken('L9', `${what}; ${due}`);
    }
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
