import type { SeenElection } from '../storm/events.js';
import type { CanonicalEntry } from './canonical-log.js';
import type { ElectionState, ElectionTable } from './election-table.js';

/** An election from an entry on, until its next change. */
interface Past {
  readonly index: number;
  /** Leader and queue as one text. */
  readonly shape: string;
}

/** Not there, or nobody leads and nobody waits: the log does not tell which. */
const VACANT = '';

/** What every election was, after every entry. */
export class ElectionsPast {
  readonly #past = new Map<string, Past[]>();

  follow({ index, changes }: CanonicalEntry, elections: ElectionTable): void {
    for (const event of changes?.events ?? []) {
      if (event.type === 'put' || event.type === 'delete') continue;
      const name = 'leader' in event ? event.leader.election : event.election;
      const past = this.#past.get(name) ?? [];
      this.#past.set(name, past);
      const election = elections.get(name);
      const shape = election === undefined ? VACANT : shapeOfState(election);
      if (past.at(-1)?.shape === shape) continue;
      // Several events of one entry: only what it led to counts.
      if (past.at(-1)?.index === index) past.pop();
      past.push({ index, shape });
    }
  }

  /** `one`: only it was asked for; otherwise all, of which the first are shown. */
  stood(
    { elections, more }: { readonly elections: readonly SeenElection[]; readonly more: boolean },
    one: string | undefined,
    fromIndex: number,
  ): boolean {
    const shapes = new Map(elections.map((shown) => [shown.election, shapeOfSeen(shown)]));
    const names = one === undefined ? [...this.#past.keys(), ...shapes.keys()] : [one];
    const last = more ? elections.at(-1)?.election : undefined;
    return this.#moments(names, fromIndex).some((index) =>
      names.every((name) => {
        const isBehind = last !== undefined && name > last;
        return isBehind || (shapes.get(name) ?? VACANT) === this.#shapeAt(name, index);
      }),
    );
  }

  /** The first, and every entry behind it that changed one of them. */
  #moments(names: readonly string[], fromIndex: number): readonly number[] {
    const moments = [fromIndex];
    for (const name of names) {
      for (const { index } of this.#past.get(name) ?? []) {
        if (index > fromIndex) moments.push(index);
      }
    }
    return moments;
  }

  #shapeAt(name: string, at: number): string {
    const past = this.#past.get(name) ?? [];
    return past.findLast(({ index }) => index <= at)?.shape ?? VACANT;
  }
}

function shapeOfState({ grant, queue }: ElectionState): string {
  const leader =
    grant === undefined
      ? undefined
      : {
          ...grant,
          holder: grant.campaignId,
          ending: grant.isEnding,
          grantedAtMs: grant.grantedAtClusterMs,
        };
  return shapeOf(leader, [...queue.keys()]);
}

function shapeOfSeen({ leader, queue }: SeenElection): string {
  return shapeOf(leader, queue);
}

function shapeOf(leader: SeenElection['leader'], queue: readonly string[]): string {
  if (leader === undefined && queue.length === 0) return VACANT;
  if (leader === undefined) return `nobody < ${queue.join(' ')}`;
  const { token, holder, lease, ending, candidate, metadata, grantedAtMs } = leader;
  const grant = `${token} ${holder} ${lease} ${ending} ${grantedAtMs}`;
  return `${grant} ${JSON.stringify([candidate, metadata])} < ${queue.join(' ')}`;
}
