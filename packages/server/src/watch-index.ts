import type { ChangeEvent, WatchTarget } from '@raftd/protocol';

/** What the index needs to know of a watch. */
export interface Targeted {
  readonly target: WatchTarget;
}

/** What an event is about: a key, or one campaign of an election. */
type Subject =
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'campaign'; readonly election: string; readonly campaignId: string };

function subjectOf(event: ChangeEvent): Subject {
  switch (event.type) {
    case 'put':
      return { type: 'key', key: event.record.key };
    case 'delete':
      return { type: 'key', key: event.key };
    case 'granted':
    case 'ending': {
      const { election, holder } = event.leader;
      return { type: 'campaign', election, campaignId: holder };
    }
    case 'queued':
    case 'left':
    case 'ended': {
      const { election, campaignId } = event;
      return { type: 'campaign', election, campaignId };
    }
  }
}

/** Does this event concern this target? The slow twin of the index; catching up uses it. */
export function concerns(event: ChangeEvent, target: WatchTarget): boolean {
  return isAbout(subjectOf(event), target);
}

function isAbout(subject: Subject, target: WatchTarget): boolean {
  if (subject.type === 'key') return target.type === 'range' && isWithin(subject.key, target);
  if (target.type === 'range' || subject.election !== target.election) return false;
  return target.type === 'election' || subject.campaignId === target.campaignId;
}

type Range = Extract<WatchTarget, { readonly type: 'range' }>;

function isWithin(key: string, { start, end }: Range): boolean {
  return key >= start && (end === undefined || key < end);
}

/**
 * Finds the watches of an event without looking at all of them: single keys, elections and
 * campaigns by map, so that thousands of waiting candidates cost nothing to each other; only
 * true ranges are looked at one by one.
 */
export class WatchIndex<W extends Targeted> {
  readonly #keys = new Map<string, Set<W>>();
  readonly #ranges = new Set<W>();
  readonly #elections = new Map<string, Set<W>>();
  readonly #campaigns = new Map<string, Set<W>>();

  add(watch: W): void {
    const { target } = watch;
    if (target.type === 'range' && !isSingleKey(target)) this.#ranges.add(watch);
    else addTo(this.#mapOf(target), nameOf(target), watch);
  }

  remove(watch: W): void {
    const { target } = watch;
    if (target.type === 'range' && !isSingleKey(target)) this.#ranges.delete(watch);
    else removeFrom(this.#mapOf(target), nameOf(target), watch);
  }

  forEach(event: ChangeEvent, visit: (watch: W, event: ChangeEvent) => void): void {
    const subject = subjectOf(event);
    if (subject.type === 'key') {
      visitAll(this.#keys.get(subject.key), event, visit);
      visitSome(this.#ranges, subject, event, visit);
    } else {
      visitAll(this.#elections.get(subject.election), event, visit);
      visitSome(this.#campaigns.get(subject.campaignId), subject, event, visit);
    }
  }

  #mapOf(target: WatchTarget): Map<string, Set<W>> {
    switch (target.type) {
      case 'range':
        return this.#keys;
      case 'election':
        return this.#elections;
      case 'campaign':
        return this.#campaigns;
    }
  }
}

/** A range of exactly one key: its end is the very next key in byte order. */
export function isSingleKey(target: WatchTarget): boolean {
  return target.type === 'range' && target.end === `${target.start}\0`;
}

function nameOf(target: WatchTarget): string {
  switch (target.type) {
    case 'range':
      return target.start;
    case 'election':
      return target.election;
    case 'campaign':
      return target.campaignId;
  }
}

function addTo<W>(map: Map<string, Set<W>>, name: string, watch: W): void {
  const watches = map.get(name);
  if (watches === undefined) map.set(name, new Set([watch]));
  else watches.add(watch);
}

function removeFrom<W>(map: Map<string, Set<W>>, name: string, watch: W): void {
  const watches = map.get(name);
  if (watches?.delete(watch) === true && watches.size === 0) map.delete(name);
}

function visitAll<W>(
  watches: ReadonlySet<W> | undefined,
  event: ChangeEvent,
  visit: (watch: W, event: ChangeEvent) => void,
): void {
  if (watches === undefined) return;
  for (const watch of watches) visit(watch, event);
}

function visitSome<W extends Targeted>(
  watches: ReadonlySet<W> | undefined,
  subject: Subject,
  event: ChangeEvent,
  visit: (watch: W, event: ChangeEvent) => void,
): void {
  if (watches === undefined) return;
  for (const watch of watches) if (isAbout(subject, watch.target)) visit(watch, event);
}
