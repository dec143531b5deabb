import { hashNumber, hashText } from './hash.js';

/**
 * What registers and keys hold. Compared by identity: whoever makes a history of arrays or objects
 * makes equal ones the same object, as `readHistory` does.
 */
export type Value = string | number | boolean | null | object;

/** Good enough to tell most states apart; objects are left to `===`. */
export function hashValue(value: Value): number {
  switch (typeof value) {
    case 'string':
      return hashText(value);
    case 'number':
      return hashNumber(value);
    case 'boolean':
      return value ? 1 : 2;
    default:
      return 3;
  }
}

export function describeValue(value: Value): string {
  return value === UNSEEN ? '(a value that nobody saw)' : JSON.stringify(value);
}

/** Stands for all values of unknown writes that no answer shows and no comparison names. */
export const UNSEEN: object = Object.freeze({ toJSON: () => undefined });
