import {
  type ChangeEvent,
  type Changes,
  type ErrorBody,
  errorBody,
  type Revision,
  type WatchTarget,
} from '@raftd/protocol';
import { limitReached } from './error-bodies.js';
import { EventWindow } from './event-window.js';
import type { ServerLimits } from './options.js';
import { eventBytes } from './sizes.js';
import { concerns, isSingleKey, WatchIndex } from './watch-index.js';

export type WatchedChanges = Changes & { readonly more: boolean };

/** The connection a watch belongs to. */
export interface WatchOwner {
  readonly watches: Map<number, Watch>;
  sendEvents(watchId: number, changes: readonly WatchedChanges[]): void;
  sendWatchEnded(watchId: number, error: ErrorBody): void;
  bufferedBytes(): number;
}

/** One subscription. All fields but the first four are `Watches`' own. */
export interface Watch {
  readonly owner: WatchOwner;
  readonly watchId: number;
  readonly target: WatchTarget;
  /** Nothing below it is ever delivered, however far behind this node is (K-038, K-043). */
  readonly fromRevision: number;
  /** Next position of the window to look at; undefined once the watch follows live. */
  position: number | undefined;
  /** Events of the revision that is being published. */
  events: ChangeEvent[];
  /** To send at the end of the turn. */
  outbox: WatchedChanges[];
  outboxBytes: number;
}

/** Looked at in one turn while a watch catches up, so that a long resume starves nobody. */
const CATCH_UP_CHANGES = 1_000;

/**
 * Ordered, gapless, resumable event streams. A watch that starts in the past first walks the
 * window in steps, as fast as its connection takes it, and then follows live through the index.
 */
export class Watches {
  readonly #limits: ServerLimits;
  readonly #window: EventWindow;
  readonly #index = new WatchIndex<Watch>();
  readonly #catchingUp = new Set<Watch>();
  readonly #touched: Watch[] = [];
  #unsent: Watch[] = [];
  readonly #all = new Set<Watch>();
  #ranges = 0;
  /** The last revision applied here. */
  #revision = 0;

  constructor(limits: ServerLimits) {
    this.#limits = limits;
    this.#window = new EventWindow(limits.windowEventsMax, limits.windowBytesMax);
  }

  get count(): number {
    return this.#all.size;
  }

  /** Answers the revision from which the watch stands, or why it does not. */
  subscribe(
    owner: WatchOwner,
    watchId: number,
    target: WatchTarget,
    from: Revision | undefined,
  ): { readonly revision: Revision } | ErrorBody {
    const refusal = this.#refusal(owner, watchId, target);
    if (refusal !== undefined) return refusal;
    const fromRevision = from ?? this.#revision + 1;
    if (fromRevision < this.#window.lowestRevision) return this.#compacted();
    const position =
      fromRevision <= this.#revision ? this.#window.positionOf(fromRevision) : undefined;
    const watch: Watch = {
      owner,
      watchId,
      target,
      fromRevision,
      position,
      events: [],
      outbox: [],
      outboxBytes: 0,
    };
    owner.watches.set(watchId, watch);
    this.#all.add(watch);
    if (isRange(target)) this.#ranges += 1;
    if (position === undefined) this.#index.add(watch);
    else this.#catchingUp.add(watch);
    return { revision: fromRevision as Revision };
  }

  unsubscribe(watch: Watch): void {
    if (!this.#all.delete(watch)) return;
    watch.owner.watches.delete(watch.watchId);
    if (isRange(watch.target)) this.#ranges -= 1;
    if (!this.#catchingUp.delete(watch)) this.#index.remove(watch);
    watch.outbox = [];
  }

  /** Called by apply, once a revision, in order. */
  publish(changes: Changes): void {
    this.#window.push(changes);
    this.#revision = changes.revision;
    if (this.#all.size === this.#catchingUp.size) return;
    for (const event of changes.events) this.#index.forEach(event, this.#touch);
    for (const watch of this.#touched) {
      const { events } = watch;
      watch.events = [];
      if (changes.revision >= watch.fromRevision) this.#deliver(watch, changes.revision, events);
    }
    this.#touched.length = 0;
  }

  /** Sends what the turn produced. True: more of the past waits and could go at once. */
  flush(): boolean {
    let more = false;
    for (const watch of this.#catchingUp) {
      if (this.#catchUp(watch)) more = true;
    }
    const unsent = this.#unsent;
    if (unsent.length > 0) {
      this.#unsent = [];
      for (const watch of unsent) this.#send(watch);
    }
    return more;
  }

  /** Ends every watch; each can be resumed at another node. */
  endAll(error: ErrorBody): void {
    for (const watch of [...this.#all]) this.#end(watch, error);
  }

  readonly #touch = (watch: Watch, event: ChangeEvent): void => {
    if (watch.events.length === 0) this.#touched.push(watch);
    watch.events.push(event);
  };

  /** True: there is more to look at and room to send it. */
  #catchUp(watch: Watch): boolean {
    if (watch.owner.bufferedBytes() > this.#limits.frameBytesTarget) return false;
    let position = watch.position ?? this.#window.endPosition;
    if (position < this.#window.firstPosition) {
      // It fell behind the window while it was catching up: said, never skipped (K-036).
      this.#end(watch, this.#compacted());
      return false;
    }
    const stop = Math.min(position + CATCH_UP_CHANGES, this.#window.endPosition);
    while (position < stop && watch.outboxBytes < this.#limits.frameBytesTarget) {
      const changes = this.#window.at(position);
      if (changes === undefined) throw new Error(`window: no changes at position ${position}`);
      position += 1;
      const events = changes.events.filter((event) => concerns(event, watch.target));
      if (events.length > 0) this.#deliver(watch, changes.revision, events);
    }
    if (position < this.#window.endPosition) {
      watch.position = position;
      return true;
    }
    watch.position = undefined;
    this.#catchingUp.delete(watch);
    this.#index.add(watch);
    return false;
  }

  /** Queues one revision, in parts that fit a frame; all parts but the last say `more`. */
  #deliver(watch: Watch, revision: Revision, events: readonly ChangeEvent[]): void {
    if (watch.outbox.length === 0) this.#unsent.push(watch);
    let start = 0;
    let partBytes = 0;
    for (const [at, event] of events.entries()) {
      const bytes = eventBytes(event);
      if (at > start && partBytes + bytes > this.#limits.frameBytesTarget) {
        watch.outbox.push({ revision, events: events.slice(start, at), more: true });
        start = at;
        partBytes = 0;
      }
      partBytes += bytes;
      watch.outboxBytes += bytes;
    }
    watch.outbox.push({
      revision,
      events: start === 0 ? events : events.slice(start),
      more: false,
    });
  }

  #send(watch: Watch): void {
    if (!this.#all.has(watch)) return;
    const { owner, outbox } = watch;
    watch.outbox = [];
    watch.outboxBytes = 0;
    if (owner.bufferedBytes() > this.#limits.watchBufferedBytesMax) {
      const bytes = owner.bufferedBytes();
      const message = `${bytes} bytes wait to be read by this client`;
      this.#end(watch, errorBody('SLOW_CONSUMER', message, { bytes }));
      return;
    }
    let start = 0;
    let frameBytes = 0;
    for (const [at, changes] of outbox.entries()) {
      let bytes = 0;
      for (const event of changes.events) bytes += eventBytes(event);
      if (at > start && frameBytes + bytes > this.#limits.frameBytesTarget) {
        owner.sendEvents(watch.watchId, outbox.slice(start, at));
        start = at;
        frameBytes = 0;
      }
      frameBytes += bytes;
    }
    owner.sendEvents(watch.watchId, start === 0 ? outbox : outbox.slice(start));
  }

  #end(watch: Watch, error: ErrorBody): void {
    this.unsubscribe(watch);
    watch.owner.sendWatchEnded(watch.watchId, error);
  }

  #refusal(owner: WatchOwner, watchId: number, target: WatchTarget): ErrorBody | undefined {
    const { watchesPerConnectionMax, watchesMax, rangeWatchesMax } = this.#limits;
    if (owner.watches.has(watchId)) {
      const message = `watch ${watchId} stands already on this connection`;
      return errorBody('INVALID_ARGUMENT', message, { field: 'watchId', watchId });
    }
    if (owner.watches.size >= watchesPerConnectionMax) {
      return limitReached('TOO_MANY_WATCHES', 'watchesPerConnection', watchesPerConnectionMax);
    }
    if (this.#all.size >= watchesMax) {
      return limitReached('TOO_MANY_WATCHES', 'watches', watchesMax);
    }
    if (isRange(target) && this.#ranges >= rangeWatchesMax) {
      return limitReached('TOO_MANY_WATCHES', 'rangeWatches', rangeWatchesMax);
    }
    return undefined;
  }

  #compacted(): ErrorBody {
    const revision = this.#window.lowestRevision;
    return errorBody('COMPACTED', `events before revision ${revision} are gone`, { revision });
  }
}

function isRange(target: WatchTarget): boolean {
  return target.type === 'range' && !isSingleKey(target);
}
