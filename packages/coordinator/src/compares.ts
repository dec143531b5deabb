import { assertNever } from './assert.js';
import type { Compare, CompareOperator } from './commands.js';
import type { State } from './state.js';

/** A missing key has version and revisions 0; it equals no value and differs from every one. */
export function holds(state: State, compare: Compare): boolean {
  const record = state.keys.get(compare.key);
  switch (compare.target) {
    case 'value':
      if (record === undefined) return compare.operator === '!=';
      return isOrdered(compareBytes(record.value, compare.operand), compare.operator);
    case 'version':
      return isOrdered((record?.version ?? 0) - compare.operand, compare.operator);
    case 'create-revision':
      return isOrdered((record?.createRevision ?? 0) - compare.operand, compare.operator);
    case 'mod-revision':
      return isOrdered((record?.modRevision ?? 0) - compare.operand, compare.operator);
    /* v8 ignore next */
    default:
      return assertNever(compare);
  }
}

function isOrdered(difference: number, operator: CompareOperator): boolean {
  switch (operator) {
    case '=':
      return difference === 0;
    case '!=':
      return difference !== 0;
    case '<':
      return difference < 0;
    case '>':
      return difference > 0;
    /* v8 ignore next */
    default:
      return assertNever(operator);
  }
}

/** Lexicographic; a prefix comes before what it begins. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const difference = (a[at] as number) - (b[at] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
