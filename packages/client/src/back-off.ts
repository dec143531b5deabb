export interface BackOffOptions {
  /** Never less: too fast a retry starves what it waits for (redis/ioredis#1718). */
  readonly floorMs: number;
  readonly baseMs: number;
  readonly capMs: number;
}

export const DEFAULT_BACK_OFF: BackOffOptions = { floorMs: 10, baseMs: 25, capMs: 500 };

/** Full jitter between the floor and a doubling ceiling, so that clients never march in step. */
export function backOffMs(
  failures: number,
  random: () => number,
  options: BackOffOptions = DEFAULT_BACK_OFF,
): number {
  const { floorMs, baseMs, capMs } = options;
  const ceilingMs = Math.min(capMs, baseMs * 2 ** Math.min(failures, 20));
  return floorMs + random() * Math.max(0, ceilingMs - floorMs);
}
