import type { ByteString, LoggedCommand } from '@raftd/protocol';
import type { CanonicalEntry } from './canonical-log.js';

/** What a command to delete names: one key, or all from `start` to before `end`. */
export interface DeletedKeys {
  readonly start: ByteString;
  readonly end: ByteString | undefined;
}

/** One entry of the log that deleted something because a user asked for it. */
export interface LoggedDelete {
  readonly revision: number;
  /** True time of the first apply. */
  readonly appliedAtMs: number;
  readonly asked: DeletedKeys;
  /** What was there to delete, as far as the limit of one entry allowed. */
  readonly keys: readonly ByteString[];
  /** It did not. */
  readonly more: boolean;
}

/**
 * The log shows every delete that had an effect and what it asked for, but not whose it was. Those
 * that no answer claims were done by calls of unknown outcome: each such call takes the first that
 * it can have done. Calls that could have done the same asked for the same, and are alike in all
 * that anybody saw, so that any choice does. What is left over then nobody did: a delete that was
 * done twice, or although its client was told that it was not.
 */
export class UnclaimedDeletes {
  readonly #logged: LoggedDelete[] = [];
  readonly #taken = new Set<LoggedDelete>();

  follow({ logged, result, changes, appliedAtMs }: CanonicalEntry): void {
    const asked = logged === undefined ? undefined : deletedKeys(logged.command);
    if (asked === undefined || changes === undefined) return;
    const { revision, events } = changes;
    const keys = events.flatMap((event) => (event.type === 'delete' ? [event.key] : []));
    const more = result.type === 'delete-range' && result.more;
    this.#logged.push({ revision, appliedAtMs, asked, keys, more });
  }

  /**
   * Undefined: there is none that a call made at `callMs` for these keys can have done.
   * `claimed`: revisions that answers named.
   */
  take(asked: DeletedKeys, callMs: number, claimed: ReadonlySet<number>): LoggedDelete | undefined {
    const found = this.#logged.find(
      (one) =>
        one.appliedAtMs >= callMs &&
        one.asked.start === asked.start &&
        one.asked.end === asked.end &&
        !claimed.has(one.revision) &&
        !this.#taken.has(one),
    );
    if (found !== undefined) this.#taken.add(found);
    return found;
  }

  /** The first that no answer named and no call took. */
  leftOver(claimed: ReadonlySet<number>): LoggedDelete | undefined {
    return this.#logged.find((one) => !claimed.has(one.revision) && !this.#taken.has(one));
  }
}

function deletedKeys(command: LoggedCommand['command']): DeletedKeys | undefined {
  if (command.type === 'delete') return { start: command.key, end: undefined };
  if (command.type === 'delete-range') return { start: command.start, end: command.end };
  return undefined;
}
