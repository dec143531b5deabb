/** The end of a switch over a union: a case that the types do not know. */
export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}
