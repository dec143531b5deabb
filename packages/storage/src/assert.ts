/** A broken assertion is a bug of the caller or of this package: it throws and is never caught. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
