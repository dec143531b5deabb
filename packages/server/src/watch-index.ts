import type { ChangeEvent, WatchTarget } from '@raftd/protocol';

/** What the index needs to know of a watch. */
export interface Targeted {
  readonly target: WatchTarget;
}

/** Does this event concern this target? The slow twin of the index; catching up uses it. */
export function concerns(event: ChangeEvent, target: WatchTarget): boolean {
  switch (target.type) {
    case 'range': {
      const key = keyOf(event);
      if (key === undefined) return false;
      return key >= target.start && (target.end === undefined || key < target.end);
    }
    case 'election':
      return electionOf(event) === target.election;
    case 'campaign':
      return electionOf(event) === target.election && campaignOf(event) === target.campaignId;
  }
}

function keyOf(event: ChangeEvent): string | undefined {
  if (event.type === 'put') return event.record.key;
  return event.type === 'delete' ? event.key : undefined;
}

function electionOf(event: ChangeEvent): string | undefined {
  switch (event.type) {
    case 'put':
    case 'delete':
      return undefined;
    case 'granted':
    case 'ending':
      return event.leader.election;
    case 'queued':
    case 'left':
    case 'ended':
      return event.election;
  }
}

function campaignOf(event: ChangeEvent): string | undefined {
  switch (event.type) {
    case 'put':
    case 'delete':
      return undefined;
    case 'granted':
    case 'ending':
      return event.leader.holder;
    case 'queued':
    case 'left':
    case 'ended':
      return event.campaignId;
  }
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
    const key = keyOf(event);
    if (key !== undefined) {
      visitAll(this.#keys.get(key), event, visit);
      for (const watch of this.#ranges) {
        if (concerns(event, watch.target)) visit(watch, event);
      }
      return;
    }
    const election = electionOf(event);
    if (election !== undefined) visitAll(this.#elections.get(election), event, visit);
    const campaign = campaignOf(event);
    if (campaign === undefined || this.#campaigns.size === 0) return;
    for (const watch of this.#campaigns.get(campaign) ?? []) {
      if (concerns(event, watch.target)) visit(watch, event);
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
