/**
 * The most that one pause between two readings may add, ms. A loop that stood still has not read
 * the renewals that arrived meanwhile; counting the stall would expire leases that are alive.
 */
const ELAPSED_MAX_MS = 200;

/**
 * The leader's cluster time (DESIGN §6): starts at the stamp of its last log entry and adds what
 * passes on its own monotonic clock; what a stall took is discarded and never made up. It never
 * goes back. Read at least every `ELAPSED_MAX_MS` while leading, or time is lost.
 */
export class ClusterClock {
  #timeMs = 0;
  #readAtMs = 0;

  /** Called once for each leadership, before anything is stamped. */
  start(stampMs: number, nowMs: number): void {
    this.#timeMs = stampMs;
    this.#readAtMs = nowMs;
  }

  /** Whole milliseconds; what a reading cuts off stays in the clock. */
  read(nowMs: number): number {
    const elapsedMs = nowMs - this.#readAtMs;
    if (elapsedMs > 0) {
      this.#timeMs += Math.min(elapsedMs, ELAPSED_MAX_MS);
      this.#readAtMs = nowMs;
    }
    return Math.floor(this.#timeMs);
  }
}
