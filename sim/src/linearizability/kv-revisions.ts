/** What is known of the revision of one change; mostly that it is one number. */
export interface RevisionRange {
  /** The n-th change of the order so far, counted from 1; 0: none, or one nobody asks about. */
  readonly change: number;
  readonly min: number;
  /** Included, as `min` is. */
  readonly max: number;
  /** Within the range, yet known not to be it. */
  readonly not: readonly number[];
}

const NOTHING: readonly number[] = [];

/** Of a key that is not there. */
export const NEVER: RevisionRange = { change: 0, min: 0, max: 0, not: NOTHING };

export function rangeOf(change: number, min: number, max: number): RevisionRange {
  return { change, min, max, not: NOTHING };
}

export function exactly(change: number, revision: number): RevisionRange {
  return rangeOf(change, revision, revision);
}

export function anyBut(change: number, revision: number): RevisionRange {
  return { change, min: -Infinity, max: Infinity, not: [revision] };
}

export function isExact({ min, max }: RevisionRange): boolean {
  return min === max;
}

export function isWithin({ min, max, not }: RevisionRange, revision: number): boolean {
  return revision >= min && revision <= max && !not.includes(revision);
}

/** Whatever `other` may still turn out to be, `range` may, apart from what ties it to others. */
export function coversRange(range: RevisionRange, other: RevisionRange): boolean {
  if (range.min > other.min || range.max < other.max) return false;
  return range.not.length === 0 || range.not.every((revision) => !isWithin(other, revision));
}

/**
 * The range in the light of another: from each change to the next, revisions rise by one at least.
 * The same object if it says nothing new; undefined: they contradict each other.
 */
export function boundedBy(range: RevisionRange, by: RevisionRange): RevisionRange | undefined {
  if (range.change === 0) return range;
  const distance = range.change - by.change;
  let { min, max, not } = range;
  if (distance >= 0) min = Math.max(min, by.min + distance);
  if (distance <= 0) max = Math.min(max, by.max + distance);
  if (distance === 0 && by.not.some((revision) => !range.not.includes(revision))) {
    not = [...range.not, ...by.not];
  }
  if (min === range.min && max === range.max && not === range.not) return range;
  while (min <= max && not.includes(min)) min += 1;
  while (min <= max && not.includes(max)) max -= 1;
  if (min > max) return undefined;
  return { change: range.change, min, max, not: within(not, min, max) };
}

function within(revisions: readonly number[], min: number, max: number): readonly number[] {
  if (revisions.length === 0) return NOTHING;
  return revisions.filter((revision) => revision > min && revision < max);
}
