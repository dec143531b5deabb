import type { LeaseId, LoggedCommand } from '@raftd/protocol';
import type { SeenLease } from '../storm/events.js';
import type { CanonicalEntry } from './canonical-log.js';
import type { LeaseState, LeaseTable } from './lease-table.js';

/** A lease from an entry on, until its next change. */
interface Past {
  readonly index: number;
  readonly attempt: number;
  readonly ending: boolean;
  readonly expiresAtMs: number;
  readonly grants: readonly string[];
}

interface LeasePast {
  readonly id: string;
  readonly ttlMs: number;
  readonly past: Past[];
  endedBy: number;
}

/** When the state that was shown must have stood. */
export interface LookWindow {
  readonly fromIndex: number;
  readonly fromClusterTimeMs: number;
  readonly toClusterTimeMs: number;
}

interface SeenLeases {
  readonly leases: readonly SeenLease[];
  readonly more: boolean;
}

/** What every lease was, after every entry. */
export class LeasesPast {
  /** In the order in which they were granted, as lists show them. */
  readonly #leases = new Map<string, LeasePast>();
  /** Entries that changed any lease. */
  readonly #moments: number[] = [];

  follow({ index, logged, changes }: CanonicalEntry, leases: LeaseTable): void {
    const count = this.#moments.length;
    for (const { id } of leases.renewedNow) this.#note(index, leases.get(id));
    for (const id of idsOf(logged)) this.#note(index, leases.get(id));
    for (const event of changes?.events ?? []) {
      if (event.type === 'granted' || event.type === 'ending') {
        this.#note(index, leases.get(event.leader.lease));
      } else if (event.type === 'ended') this.#note(index, leases.get(event.lease));
    }
    for (const { lease } of leases.endedNow) {
      const known = this.#leases.get(lease.id);
      if (known !== undefined) known.endedBy = index;
      this.#moments.push(index);
    }
    // One moment an entry.
    if (this.#moments.length > count) this.#moments.length = count + 1;
  }

  #note(index: number, lease: LeaseState | undefined): void {
    if (lease === undefined) return;
    const { id, ttlMs, attempt, isEnding: ending, expiresAtMs } = lease;
    const grants = [...lease.grants].sort(byText);
    const now: Past = { index, attempt, ending, expiresAtMs, grants };
    const known = this.#leases.get(id);
    if (known === undefined) {
      this.#leases.set(id, { id, ttlMs, past: [now], endedBy: Infinity });
    } else {
      const last = known.past.at(-1);
      if (last !== undefined && isAlike(last, now)) return;
      if (last?.index === index) known.past.pop();
      known.past.push(now);
    }
    this.#moments.push(index);
  }

  /** `one`: only it was asked for; otherwise all, of which the first are shown. */
  stood(seen: SeenLeases, one: string | undefined, window: LookWindow): boolean {
    const { fromIndex } = window;
    const moments = [fromIndex];
    for (let place = this.#moments.length - 1; place >= 0; place -= 1) {
      const index = this.#moments[place] ?? 0;
      if (index <= fromIndex) break;
      moments.push(index);
    }
    return moments.some((index) =>
      one === undefined ? this.#isList(seen, index, window) : this.#isOne(seen, one, index, window),
    );
  }

  #isOne({ leases }: SeenLeases, id: string, index: number, window: LookWindow): boolean {
    const lease = this.#leases.get(id);
    const isThere = lease !== undefined && stateAt(lease, index) !== undefined;
    const [seen] = leases;
    if (seen === undefined || !isThere) return isThere === (seen !== undefined);
    return isSeen(seen, lease, index, window);
  }

  #isList({ leases, more }: SeenLeases, index: number, window: LookWindow): boolean {
    let place = 0;
    for (const lease of this.#leases.values()) {
      if (stateAt(lease, index) === undefined) continue;
      const seen = leases[place];
      if (seen === undefined) return more;
      if (!isSeen(seen, lease, index, window)) return false;
      place += 1;
    }
    return place === leases.length && !more;
  }
}

const NONE: readonly LeaseId[] = [];

/** The one lease that a command moves by itself; renewals and expiries the table tells. */
function idsOf(logged: LoggedCommand | undefined): readonly LeaseId[] {
  const command = logged?.command;
  if (command?.type !== 'lease-grant' && command?.type !== 'lease-revoke') return NONE;
  return [command.lease];
}

/** Undefined: not there then. */
function stateAt({ past, endedBy }: LeasePast, at: number): Past | undefined {
  return at >= endedBy ? undefined : past.findLast(({ index }) => index <= at);
}

function isSeen(seen: SeenLease, lease: LeasePast, index: number, window: LookWindow): boolean {
  const state = stateAt(lease, index);
  if (state === undefined || seen.lease !== lease.id || seen.ttlMs !== lease.ttlMs) return false;
  if (seen.attempt !== state.attempt || seen.ending !== state.ending) return false;
  const clusterTimeMs = state.expiresAtMs - seen.remainingMs;
  if (clusterTimeMs < window.fromClusterTimeMs) return false;
  if (clusterTimeMs > window.toClusterTimeMs) return false;
  return isSameList(state.grants, [...seen.grants].sort(byText));
}

function isAlike(one: Past, other: Past): boolean {
  return (
    one.attempt === other.attempt &&
    one.ending === other.ending &&
    one.expiresAtMs === other.expiresAtMs &&
    isSameList(one.grants, other.grants)
  );
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, place) => item === other[place]);
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
