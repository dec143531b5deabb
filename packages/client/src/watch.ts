import type { ChangeEvent, Changes, EndReason, Revision } from '@raftd/protocol';
import type { ClientCore } from './core.js';
import { invalidArgument } from './errors.js';
import { KeyValue } from './key-value.js';
import { type Bytes, keyBytes, type KeyRange, textOf, toRange, toSingleRange } from './keys.js';
import { Subscription } from './subscription.js';
import { WatchStream } from './watch-stream.js';

export type WatchScope = { readonly key: Bytes } | { readonly range: KeyRange } | KeyRange;

export interface WatchOptions {
  /** First revision wanted; default: the next one. Below what is kept: COMPACTED. */
  readonly fromRevision?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called once, as soon as the watch stands: the first revision that it shows. Nothing that
   * happens from then on can be missed.
   */
  readonly onOpened?: ((from: Revision) => void) | undefined;
}

/** One change of one key. Several events may share a revision: one transaction's. */
export type WatchEvent =
  | {
      readonly type: 'put';
      readonly revision: Revision;
      readonly record: KeyValue;
      /** The last event of its revision: resume from `revision + 1`. */
      readonly last: boolean;
    }
  | {
      readonly type: 'delete';
      readonly revision: Revision;
      readonly key: Uint8Array;
      /** The key read as UTF-8. */
      readonly keyText: string;
      readonly reason: EndReason;
      readonly last: boolean;
    };

/**
 * Changes of keys: ordered, gapless, over reconnects. Ends with the signal's reason on abort, with
 * COMPACTED where the window has moved on.
 */
export function watch(
  core: ClientCore,
  scope: WatchScope,
  options: WatchOptions,
): Subscription<WatchEvent> {
  const target = { type: 'range', ...toScope(scope) } as const;
  const fromRevision = toRevision(options.fromRevision);
  return new Subscription<WatchEvent>(core, options, (sink) => {
    let isOpened = false;
    return new WatchStream(core, target, fromRevision, {
      onOpened: (from) => {
        if (isOpened) return;
        isOpened = true;
        options.onOpened?.(from);
      },
      onChanges: (changes) => {
        for (const event of toEvents(changes)) sink.push(event);
      },
      onFailed: (error) => sink.end({ error }),
    });
  });
}

function toEvents({ revision, events }: Changes): readonly WatchEvent[] {
  const shown: UnplacedEvent[] = [];
  for (const event of events) {
    const one = toEvent(event, revision);
    if (one !== undefined) shown.push(one);
  }
  return shown.map((event, position) => ({ ...event, last: position === shown.length - 1 }));
}

type UnplacedEvent =
  | Omit<Extract<WatchEvent, { readonly type: 'put' }>, 'last'>
  | Omit<Extract<WatchEvent, { readonly type: 'delete' }>, 'last'>;

function toEvent(event: ChangeEvent, revision: Revision): UnplacedEvent | undefined {
  switch (event.type) {
    case 'put':
      return { type: 'put', revision, record: new KeyValue(event.record) };
    case 'delete': {
      const key = keyBytes(event.key);
      return { type: 'delete', revision, key, keyText: textOf(key), reason: event.reason };
    }
    case 'queued':
    case 'left':
    case 'granted':
    case 'ending':
    case 'ended':
      return undefined;
    default:
      return event satisfies never;
  }
}

function toScope(scope: WatchScope): ReturnType<typeof toRange> {
  if ('key' in scope) return toSingleRange(scope.key);
  return toRange('range' in scope ? scope.range : scope);
}

function toRevision(revision: number | undefined): Revision | undefined {
  if (revision === undefined) return undefined;
  if (!Number.isSafeInteger(revision) || revision < 1) {
    throw invalidArgument('fromRevision', 'is not a whole number from 1');
  }
  return revision as Revision;
}
