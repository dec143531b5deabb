import { utf8ByteString } from '@raftd/protocol';
import type { KeyTable } from './key-table.js';

/** One revision in which users deleted keys, and nobody was told so. */
export interface UnclaimedDelete {
  readonly revision: number;
  /** True time of the first apply. */
  readonly appliedAtMs: number;
  readonly keys: readonly string[];
}

/**
 * The log shows every delete that had an effect, but not whose it was. Those that no answer claims
 * were done by calls of unknown outcome: each such call takes the first that it can have done.
 * Calls that could have done the same are alike in all that anybody saw, so that any choice does.
 */
export class UnclaimedDeletes {
  readonly #table: KeyTable;
  readonly #left: UnclaimedDelete[];

  /** `claimed`: revisions that answers named. */
  constructor(table: KeyTable, claimed: ReadonlySet<number>) {
    this.#table = table;
    this.#left = [];
    for (let revision = 1; revision <= table.lastRevision; revision += 1) {
      if (claimed.has(revision)) continue;
      const keys = deletedByUsers(table, revision);
      const first = keys[0];
      if (first === undefined) continue;
      const appliedAtMs = table.versionAt(first, revision)?.appliedAtMs ?? 0;
      this.#left.push({ revision, appliedAtMs, keys });
    }
  }

  /** Undefined: there is none that a call made at `callMs` for these keys can have done. */
  take(keys: readonly string[], callMs: number): UnclaimedDelete | undefined {
    const position = this.#left.findIndex(
      (one) => one.appliedAtMs >= callMs && this.#isWholeOf(one, keys),
    );
    return position < 0 ? undefined : this.#left.splice(position, 1)[0];
  }

  /** A call deletes whatever is there of its keys, and nothing else. */
  #isWholeOf({ revision, keys }: UnclaimedDelete, asked: readonly string[]): boolean {
    const there = asked.filter((key) => {
      return this.#table.versionAt(utf8ByteString(key), revision - 1)?.record !== undefined;
    });
    return there.length === keys.length && keys.every((key) => there.includes(key));
  }
}

type Key = Parameters<KeyTable['versionAt']>[0];

function deletedByUsers(table: KeyTable, revision: number): readonly Key[] {
  const keys: Key[] = [];
  for (const event of table.changesAt(revision)?.events ?? []) {
    if (event.type === 'delete' && event.reason === 'user') keys.push(event.key);
  }
  return keys;
}
