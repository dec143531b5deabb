/**
 * Something that cannot happen did: a fault of the program, never of its surroundings. It is
 * never caught; a node that has seen its own safety broken must stop, not go on.
 */
export class InvariantViolation extends Error {
  override readonly name: string = 'InvariantViolation';
}

export function assert(condition: boolean, rule: string): asserts condition {
  if (!condition) violated(rule);
}

/** For rules whose numbers are worth building a sentence for, once they are known to be broken. */
export function violated(rule: string): never {
  throw new InvariantViolation(rule);
}

/** The arm that no value reaches: makes a `switch` over a union exhaustive at compile time. */
export function assertNever(value: never): never {
  return violated(`unexpected variant ${JSON.stringify(value)}`);
}
