import { byteString, type ChangeEvent, type CommandResult } from '@raftd/protocol';
import { type CanonicalEntry, type EntryReader, wasTurnedAway } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { isKeyCommand, type KeyCommand, keyEffects } from './key-effects.js';
import { KEY_REFUSALS, keyRefusal } from './key-refusals.js';
import { isSameContent } from './same-content.js';
import { at, describeCommand } from './sentence.js';

/**
 * I15: what a command changes of keys, what it answers, and whether it is refused follow from the
 * log before it and nothing else. Replicas that are wrong alike agree: so it is worked out here
 * once more, from the tables that follow the log, for every entry, also for those that no client
 * ever hears of. (Guards are judged by C3, the ends of leases by L6, L7 and L11.)
 */
export function appliedRight({ log, broken }: HistoryContext): StormChecker & EntryReader {
  /** Of the entry at hand; told once all others have had their say of it: they name causes. */
  let sentence: string | undefined;
  const wrong = (entry: CanonicalEntry, what: string): void => {
    const which = `entry ${entry.index}, ${describeCommand(entry.logged)},`;
    sentence = `${which} (${at(entry.appliedAtMs)}) ${what}`;
  };

  const check = (entry: CanonicalEntry, command: KeyCommand): void => {
    const { settings } = log;
    if (settings === undefined) return;
    const { result, changes } = entry;
    const refusal = keyRefusal(log, command, settings);
    if (result.type === 'refused') {
      const { code } = result.refusal;
      if (changes !== undefined) {
        return wrong(entry, `was refused, ${code}, and changed something`);
      }
      if (code === refusal || !KEY_REFUSALS.has(code)) return;
      const due = refusal === undefined ? 'nothing stands in its way' : `it must be ${refusal}`;
      return wrong(entry, `was refused, ${code}; by the log before it ${due}`);
    }
    if (refusal !== undefined) {
      return wrong(entry, `was done; by the log before it, it must be refused: ${refusal}`);
    }
    const due = keyEffects(log.keys, command, settings.keysPerEntryMax);
    if (!isSameContent(changes?.events ?? NO_EVENTS, due.events)) {
      const did = describeEvents(changes?.events ?? NO_EVENTS);
      return wrong(
        entry,
        `did ${did}; by the log before it, it must ${describeEvents(due.events)}`,
      );
    }
    if (isSameContent(result, due.result)) return;
    const told = `answered ${describeResult(result)}`;
    wrong(entry, `${told}; by the log before it, it must be ${describeResult(due.result)}`);
  };

  return {
    ids: ['I15'],
    wants: [],
    observe: () => undefined,
    finish: nothingLeft,
    onEntry: (entry) => {
      const { logged, isRepeat, result, changes } = entry;
      if (logged === undefined || isRepeat || wasTurnedAway(result)) return;
      if (isKeyCommand(logged.command)) return check(entry, logged.command);
      const stray = changes?.events.find(isWrite);
      if (stray !== undefined) wrong(entry, `is no write, and did ${describeEvents([stray])}`);
    },
    onSettled: () => {
      if (sentence === undefined) return;
      const told = sentence;
      sentence = undefined;
      broken('I15', told);
    },
  };
}

const NO_EVENTS = [] as const;

/** What only a command on keys does. */
function isWrite(event: ChangeEvent): boolean {
  return event.type === 'put' || (event.type === 'delete' && event.reason === 'user');
}

function describeEvents(events: readonly ChangeEvent[]): string {
  return events.length === 0 ? 'change nothing' : events.map(describeEvent).join(', ');
}

function describeEvent(event: ChangeEvent): string {
  if (event.type === 'delete') return `delete ${event.key}`;
  if (event.type !== 'put') return event.type;
  const { key, version, createRevision, modRevision, lease } = event.record;
  const since = `created at ${createRevision}, modified at ${modRevision}`;
  return `put ${key} (version ${version}, ${since}${lease === undefined ? '' : `, on ${lease}`})`;
}

function describeResult(result: CommandResult): string {
  return JSON.stringify(result, (_, value: unknown) =>
    value instanceof Uint8Array ? byteString(value) : value,
  );
}
