import type { StormEvent, WatchSeen } from '../storm/events.js';
import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { at } from './sentence.js';

/** Who leads after a revision that touched the election. */
interface Standing {
  readonly revision: number;
  /** Undefined: vacant. */
  readonly token: bigint | undefined;
  readonly isEnding: boolean;
  /** Changes of all kinds in the whole cluster, up to and with this one. */
  readonly changes: number;
}

interface Observation {
  readonly client: string;
  readonly election: string;
  /** The standing when it was opened: what it shows first is that or a later one. */
  readonly openedAt: number;
  /** Where it may stand, as positions of standings; undefined until it has shown something. */
  places: readonly number[] | undefined;
}

type Opened = Extract<WatchSeen, { readonly type: 'watch-opened' }>;

/**
 * L9, elections: an observer is told the present state, then every hand-over and every vacancy, in
 * the order of tokens, each once. It may leave some out only where the window of changes that nodes
 * keep has moved past them: then it begins anew with what holds now. Once the core has converged
 * it is told how things stand.
 */
export class ObserversGapless implements StormChecker, EntryReader {
  readonly ids = ['L9'] as const;
  readonly wants = [
    'watch-opened',
    'watch-event',
    'watch-closed',
    'client-killed',
    'phase',
  ] as const;
  readonly finish: () => void = nothingLeft;
  readonly #context: HistoryContext;
  readonly #standings = new Map<string, Standing[]>();
  readonly #observations = new Map<number, Observation>();
  #changes = 0;
  /** Every election's standing that each open observation must have shown, as its position. */
  #due: ReadonlyMap<string, number> | undefined;

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  observe(event: StormEvent): void {
    switch (event.type) {
      case 'watch-opened':
        return this.#onOpened(event);
      case 'watch-event':
        if (event.event.type === 'leader') this.#onSeen(event.watch, event.event.token);
        return;
      case 'watch-closed':
        this.#observations.delete(event.watch);
        return;
      case 'client-killed':
        for (const [number, { client }] of this.#observations) {
          if (client === event.client) this.#observations.delete(number);
        }
        return;
      case 'phase':
        if (event.phase === 'converged') this.#due = this.#lastPlaces();
        else if (event.phase === 'all-shown') this.#demandShown();
        return;
      default:
    }
  }

  isUnshown(): boolean {
    for (const one of this.#observations.values()) if (this.#lacks(one)) return true;
    return false;
  }

  onSettled({ changes }: CanonicalEntry): void {
    if (changes === undefined) return;
    this.#changes += changes.events.length;
    for (const { name, grant } of this.#context.log.elections.all()) {
      const standings = this.#standingsOf(name);
      const last = standings[standings.length - 1];
      const [token, isEnding] = [grant?.token, grant?.isEnding ?? false];
      if (last?.token === token && last?.isEnding === isEnding) continue;
      const { revision } = changes;
      standings.push({ revision, token, isEnding, changes: this.#changes });
    }
  }

  #onOpened({ client, watch, scope }: Opened): void {
    if (scope.type !== 'election') return;
    const { election } = scope;
    const openedAt = this.#standingsOf(election).length - 1;
    this.#observations.set(watch, { client, election, openedAt, places: undefined });
  }

  #onSeen(watch: number, token: bigint | undefined): void {
    const observation = this.#observations.get(watch);
    if (observation === undefined) return;
    const standings = this.#standingsOf(observation.election);
    const next = this.#nextPlaces(observation, standings, token);
    if (next.length > 0) {
      observation.places = next;
      return;
    }
    const { client, election } = observation;
    const shown = token === undefined ? `that ${election} is vacant` : `token ${token}`;
    const what = `observation ${watch} of ${client} showed ${shown}`;
    const due = whatWasDue(observation, standings);
    this.#context.broken('L9', `${what} (${at(this.#context.probe.trueMs)}); ${due}`);
  }

  #lastPlaces(): ReadonlyMap<string, number> {
    const last = new Map<string, number>();
    for (const [name, standings] of this.#standings) last.set(name, standings.length - 1);
    return last;
  }

  #lacks({ election, places }: Observation): boolean {
    if (this.#due === undefined) return false;
    const due = this.#due.get(election) ?? 0;
    if (places === undefined) return true;
    const standings = this.#standingsOf(election);
    return !places.some((place) => place >= due || this.#maySkipTo(standings, place, due));
  }

  /** Who begins anew and finds things as they were tells nothing. */
  #maySkipTo(standings: readonly Standing[], place: number, due: number): boolean {
    const standing = standings[place];
    if (standing === undefined || !this.#hasLeftWindow(standing)) return false;
    const { token, isEnding } = standing;
    return placesFrom(standings, due, token).some((later) => {
      return standings[later]?.isEnding === isEnding;
    });
  }

  #demandShown(): void {
    for (const [watch, observation] of this.#observations) {
      if (!this.#lacks(observation)) continue;
      const { client, election, places = [] } = observation;
      const due = this.#standingsOf(election)[this.#due?.get(election) ?? 0];
      const shown = places.map((place) => describeStanding(this.#standingsOf(election)[place]));
      const last = shown.length === 0 ? 'nothing' : shown.join(' or ');
      const what = `observation ${watch} of ${client} of ${election} showed ${last} at last`;
      const when = at(this.#context.probe.trueMs);
      this.#context.broken('L9', `${what} (${when}); long ago it was ${describeStanding(due)}`);
    }
  }

  #nextPlaces(
    { openedAt, places }: Observation,
    standings: readonly Standing[],
    token: bigint | undefined,
  ): readonly number[] {
    if (places === undefined) return placesFrom(standings, openedAt, token);
    const next = new Set<number>();
    for (const place of places) {
      if (standings[place + 1] !== undefined && standings[place + 1]?.token === token) {
        next.add(place + 1);
      }
      // It may have begun anew, even if what it shows is what came next: that may be its ending.
      if (!this.#hasLeftWindow(standings[place])) continue;
      for (const later of placesFrom(standings, place + 1, token)) next.add(later);
    }
    return [...next];
  }

  /** What came right after it may be gone from the window of changes that a node keeps. */
  #hasLeftWindow(standing: Standing | undefined): boolean {
    const { windowEventsMax } = this.#context.profile;
    return standing !== undefined && this.#changes - standing.changes > windowEventsMax;
  }

  #standingsOf(election: string): Standing[] {
    let standings = this.#standings.get(election);
    if (standings === undefined) {
      standings = [{ revision: 0, token: undefined, isEnding: false, changes: 0 }];
      this.#standings.set(election, standings);
    }
    return standings;
  }
}

/** Every place from `first` on at which that token stands. */
function placesFrom(
  standings: readonly Standing[],
  first: number,
  token: bigint | undefined,
): readonly number[] {
  const places: number[] = [];
  for (let place = first; place < standings.length; place += 1) {
    if (standings[place]?.token === token) places.push(place);
  }
  return places;
}

function whatWasDue({ openedAt, places }: Observation, standings: readonly Standing[]): string {
  if (places === undefined) {
    const since = standings[openedAt]?.revision ?? 0;
    return `nothing like it stood since it was opened, at revision ${since}`;
  }
  const due = places.map((place) => describeStanding(standings[place + 1]));
  return `what came next for it was ${due.join(' or ')}`;
}

function describeStanding(standing: Standing | undefined): string {
  if (standing === undefined) return 'nothing yet';
  const { token, isEnding, revision } = standing;
  const who = token === undefined ? 'vacant' : `token ${token}${isEnding ? ', ending' : ''}`;
  return `${who} (revision ${revision})`;
}
