/** Keys that clients read and write, never bound to a lease. */
export function keyName(key: number): string {
  return `k${key}`;
}

/**
 * Keys that are put on leases, and taken from them again: of their own, so that histories of the
 * others are simple.
 */
export function leasedKeyName(key: number): string {
  return `l${key}`;
}

/** Keys of odd transactions, which no search for an order follows, and of visitors. */
export function oddKeyName(key: number): string {
  return `x${key}`;
}

export function electionName(election: number): string {
  return `e${election}`;
}

export function resourceName(resource: number): string {
  return `r${resource}`;
}

export interface NamedRange {
  readonly start: string;
  readonly end: string;
}

/** Every plain key. */
export const ALL_KEYS: NamedRange = { start: 'k', end: 'l' };

/** Plain and leased keys. */
export const EVERYTHING: NamedRange = { start: 'k', end: 'm' };

export function leasedKeysFrom(key: number): NamedRange {
  return { start: leasedKeyName(key), end: EVERYTHING.end };
}

/** From one key up to, not including, another. Names are in byte order up to `k9`. */
export function keysBetween(from: number, to: number): NamedRange {
  const low = Math.min(from, to);
  const high = Math.max(from + 1, to);
  return { start: keyName(low), end: high > 9 ? ALL_KEYS.end : keyName(high) };
}
