/** More than half: any two sets of this size share a member (§3.4). */
export function quorumSize(voterCount: number): number {
  return Math.floor(voterCount / 2) + 1;
}

/**
 * The highest value that a quorum has reached, one value a voter: a commit index from match
 * indexes, a confirmed round from acknowledged ones, a lease from send times. Sorts in place.
 */
export function quorumValue(values: number[]): number {
  // Insertion sort, highest first: clusters are small, and this runs on every acknowledgement.
  for (let i = 1; i < values.length; i += 1) {
    const value = values[i] as number;
    let j = i - 1;
    while (j >= 0 && (values[j] as number) < value) {
      values[j + 1] = values[j] as number;
      j -= 1;
    }
    values[j + 1] = value;
  }
  return values[quorumSize(values.length) - 1] as number;
}
