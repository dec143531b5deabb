import type { KvCompare, KvOperator, KvPut, KvRecordShown } from './kv-operations.js';
import type { RevisionRange } from './kv-revisions.js';
import { anyBut, coversRange, exactly, isExact, isWithin, NEVER, rangeOf } from './kv-revisions.js';
import type { Value } from './value.js';
import { UNSEEN } from './value.js';

/** A key that is not there has version 0. */
export interface KvRecord {
  readonly value: Value;
  readonly version: number;
  readonly created: RevisionRange;
  readonly modified: RevisionRange;
  /** The put that left it so, if a lease may take it back. */
  readonly leased: KvPut | undefined;
}

export const ABSENT: KvRecord = {
  value: UNSEEN,
  version: 0,
  created: NEVER,
  modified: NEVER,
  leased: undefined,
};

export function isPresent({ version }: KvRecord): boolean {
  return version > 0;
}

/** Whatever `other` may still turn out to be, `record` may. */
export function coversRecord(record: KvRecord, other: KvRecord): boolean {
  return (
    record === other ||
    (record.value === other.value &&
      record.version === other.version &&
      vanishesFrom(record) <= vanishesFrom(other) &&
      coversRange(record.created, other.created) &&
      coversRange(record.modified, other.modified))
  );
}

/** Infinity: never by itself. */
export function vanishesFrom({ leased }: KvRecord): number {
  return leased?.leaseEndsFromMs ?? Infinity;
}

/** As far as the answer shows anything but revisions. */
export function isShownAs(record: KvRecord, { value, version }: KvRecordShown): boolean {
  if (!isPresent(record) || record.value !== value) return false;
  return version === undefined || version === record.version;
}

/** Undefined: as far as is known, it may hold or not. */
export function holds(record: KvRecord, compare: KvCompare): boolean | undefined {
  const { operator, operand } = compare;
  switch (compare.target) {
    case 'value':
      return isPresent(record) ? compareValues(record.value, operator, operand) : operator === '!=';
    case 'version':
      return compareRange(exactly(0, record.version), operator, compare.operand);
    case 'create-revision':
      return compareRange(record.created, operator, compare.operand);
    case 'mod-revision':
      return compareRange(record.modified, operator, compare.operand);
    default:
      return compare satisfies never;
  }
}

/** `<` and `>` order texts by their units and numbers by size; others are in no order. */
function compareValues(value: Value, operator: KvOperator, operand: Value): boolean {
  if (operator === '=') return value === operand;
  if (operator === '!=') return value !== operand;
  const areTexts = typeof value === 'string' && typeof operand === 'string';
  const areNumbers = typeof value === 'number' && typeof operand === 'number';
  if (!areTexts && !areNumbers) return false;
  return operator === '<' ? value < operand : value > operand;
}

function compareRange(
  range: RevisionRange,
  operator: KvOperator,
  operand: number,
): boolean | undefined {
  const { min, max } = range;
  switch (operator) {
    case '=':
      return isWithin(range, operand) ? (isExact(range) ? true : undefined) : false;
    case '!=':
      return isWithin(range, operand) ? (isExact(range) ? false : undefined) : true;
    case '<':
      return max < operand ? true : min >= operand ? false : undefined;
    case '>':
      return min > operand ? true : max <= operand ? false : undefined;
    default:
      return operator satisfies never;
  }
}

/** What it tells of an uncertain revision that a comparison turned out so. */
export function taughtBy(record: KvRecord, compare: KvCompare, held: boolean): RevisionRange {
  const { target, operator, operand } = compare;
  if (target === 'value' || target === 'version') {
    throw new Error(`assertion failed: a ${target} is never uncertain`);
  }
  const { change } = target === 'mod-revision' ? record.modified : record.created;
  switch (operator) {
    case '=':
      return held ? exactly(change, operand) : anyBut(change, operand);
    case '!=':
      return held ? anyBut(change, operand) : exactly(change, operand);
    case '<':
      return held ? rangeOf(change, 0, operand - 1) : rangeOf(change, operand, Infinity);
    case '>':
      return held ? rangeOf(change, operand + 1, Infinity) : rangeOf(change, 0, operand);
    default:
      return operator satisfies never;
  }
}
