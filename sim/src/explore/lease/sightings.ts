/** What a search has seen at least once: one that never was in danger proves nothing. */
const SIGHTINGS = [
  'leader-changed',
  'client-suspended',
  'promoted-in-the-ending-entry',
  'expiry-beaten-by-renewal',
  'expiry-before-its-time',
  'renewal-of-an-ended-lease',
  'duplicate-applied',
  'ending-told',
  'stale-write-refused-by-key',
  'stale-write-refused-by-fence',
  'stale-write-refused-by-resource',
  'two-believe',
] as const;

export type Sighting = (typeof SIGHTINGS)[number];

/** Counts by kind, of transitions looked at. */
export class Sightings {
  readonly #counts = new Map<Sighting, number>();

  note(sighting: Sighting): void {
    this.#counts.set(sighting, (this.#counts.get(sighting) ?? 0) + 1);
  }

  count(sighting: Sighting): number {
    return this.#counts.get(sighting) ?? 0;
  }

  missing(): readonly Sighting[] {
    return SIGHTINGS.filter((sighting) => this.count(sighting) === 0);
  }
}
