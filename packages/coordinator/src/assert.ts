/** A broken invariant or a caller's mistake: the node must stop, so this is never caught. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** The last arm of an exhaustive switch: reached only by what the types rule out. */
export function assertNever(value: never): never {
  throw new AssertionError(`unexpected: ${JSON.stringify(value)}`);
}
