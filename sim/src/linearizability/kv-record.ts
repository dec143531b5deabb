import type { KvCompare, KvOperator, KvPut, KvRecordShown } from './kv-operations.js';
import type { Value } from './value.js';
import { UNSEEN } from './value.js';

/** A revision that is known to lie within [min, max], ends included; mostly to be one number. */
export interface RevisionRange {
  readonly min: number;
  readonly max: number;
}

/** A key that is not there has version 0. */
export interface KvRecord {
  readonly value: Value;
  readonly version: number;
  readonly created: RevisionRange;
  readonly modified: RevisionRange;
  /** The put that left it so, if a lease may take it back. */
  readonly leased: KvPut | undefined;
}

const NEVER: RevisionRange = { min: 0, max: 0 };

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

function coversRange(range: RevisionRange, other: RevisionRange): boolean {
  return range.min <= other.min && range.max >= other.max;
}

function isWithin(range: RevisionRange, revision: number): boolean {
  return revision >= range.min && revision <= range.max;
}

/** The record once its revisions are known to be at most `max`. */
export function cappedAt(record: KvRecord, max: number): KvRecord {
  if (record.modified.max <= max && record.created.max <= max) return record;
  return { ...record, created: cap(record.created, max), modified: cap(record.modified, max) };
}

function cap(range: RevisionRange, max: number): RevisionRange {
  return range.max <= max ? range : { min: range.min, max };
}

/** The record as an answer shows it; undefined: it cannot be this one. */
export function matchShown(record: KvRecord, shown: KvRecordShown): KvRecord | undefined {
  if (!isPresent(record) || record.value !== shown.value) return undefined;
  const { version, createRevision, modRevision } = shown;
  if (version !== undefined && version !== record.version) return undefined;
  if (modRevision !== undefined && !isWithin(record.modified, modRevision)) return undefined;
  if (createRevision !== undefined && !isWithin(record.created, createRevision)) return undefined;
  const isKnown =
    record.modified.min === record.modified.max && record.created.min === record.created.max;
  if (isKnown || (createRevision === undefined && modRevision === undefined)) return record;
  return withRevisions(record, { create: createRevision, mod: modRevision });
}

function withRevisions(
  record: KvRecord,
  known: { readonly create: number | undefined; readonly mod: number | undefined },
): KvRecord | undefined {
  const modified = known.mod === undefined ? record.modified : exactly(known.mod);
  const created = known.create === undefined ? record.created : exactly(known.create);
  return reconciled({ ...record, created, modified });
}

/** Creation is the first change, though one transaction may put a key more than once. */
function reconciled(record: KvRecord): KvRecord | undefined {
  const min = Math.max(record.modified.min, record.created.min);
  const max = Math.min(record.created.max, record.modified.max);
  const isFirst = record.version === 1;
  const modified = { min, max: isFirst ? max : record.modified.max };
  const created = { min: isFirst ? min : record.created.min, max };
  if (modified.min > modified.max || created.min > created.max) return undefined;
  return { ...record, created, modified };
}

export function exactly(revision: number): RevisionRange {
  return { min: revision, max: revision };
}

/** Undefined: as far as is known, it may hold or not. */
export function holds(record: KvRecord, compare: KvCompare): boolean | undefined {
  const { operator, operand } = compare;
  switch (compare.target) {
    case 'value':
      return isPresent(record) ? compareValues(record.value, operator, operand) : operator === '!=';
    case 'version':
      return compareRange(exactly(record.version), operator, compare.operand);
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
  { min, max }: RevisionRange,
  operator: KvOperator,
  operand: number,
): boolean | undefined {
  switch (operator) {
    case '=':
      return operand < min || operand > max ? false : min === max ? true : undefined;
    case '!=':
      return operand < min || operand > max ? true : min === max ? false : undefined;
    case '<':
      return max < operand ? true : min >= operand ? false : undefined;
    case '>':
      return min > operand ? true : max <= operand ? false : undefined;
    default:
      return operator satisfies never;
  }
}

/** What is learnt of a record whose revision is uncertain when a comparison turns out so. */
export function learn(
  record: KvRecord,
  compare: KvCompare,
  { held }: { readonly held: boolean },
): KvRecord | undefined {
  if (compare.target === 'value' || compare.target === 'version') return record;
  const field = compare.target === 'mod-revision' ? 'modified' : 'created';
  return reconciled({ ...record, [field]: narrowed(record[field], compare, held) });
}

function narrowed(
  { min, max }: RevisionRange,
  { operator, operand }: { readonly operator: KvOperator; readonly operand: Value },
  held: boolean,
): RevisionRange {
  if (typeof operand !== 'number') return { min, max };
  switch (operator) {
    case '=':
    case '!=':
      if ((operator === '=') === held) return exactly(operand);
      return { min: min === operand ? min + 1 : min, max: max === operand ? max - 1 : max };
    case '<':
      return held ? { min, max: Math.min(max, operand - 1) } : { min: Math.max(min, operand), max };
    case '>':
      return held ? { min: Math.max(min, operand + 1), max } : { min, max: Math.min(max, operand) };
    default:
      return operator satisfies never;
  }
}
