const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** The longest a timer can run, almost 25 days. */
const DURATION_MAX_MS = 2 ** 31 - 1;

/**
 * `500ms`, `2s`, `1.5s`, `5m`, `1h` → milliseconds. The one duration syntax of flags, environment
 * and file; a bare number is refused, because nobody can see its unit. Undefined: not a duration,
 * or one above 596h.
 */
export function parseDurationMs(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim());
  const [, amount, unit] = match ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  const durationMs = Number(amount) * (UNIT_MS[unit] ?? Number.NaN);
  const isTimer = Number.isSafeInteger(durationMs) && durationMs <= DURATION_MAX_MS;
  return isTimer && durationMs > 0 ? durationMs : undefined;
}
