/** Whoever wrote last, by the token that came with it. */
interface Maximum {
  readonly token: bigint;
  readonly holder: string;
}

/**
 * Resources outside the cluster, one for each election, which guard themselves by the highest
 * token ever seen: greater is accepted and kept, equal is the same grant, smaller is refused.
 */
export class Resources {
  readonly #maxima = new Map<string, Maximum>();

  /** Whether the write was accepted. */
  write(election: string, token: bigint, holder: string): boolean {
    const maximum = this.#maxima.get(election);
    if (maximum === undefined || token > maximum.token) {
      this.#maxima.set(election, { token, holder });
      return true;
    }
    return token === maximum.token && holder === maximum.holder;
  }
}
