/** A broken assumption of this code itself: never caught, ends the process. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Closes a `switch` over a union: a new variant does not compile until it is handled. */
export function assertNever(value: never): never {
  throw new Error(`unreachable variant: ${String(value)}`);
}
