import { type Guard, type LoggedCommand, utf8ByteString } from '@raftd/protocol';
import type { StormEvent } from '../storm/events.js';
import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { writeName } from './exactly-once.js';
import { at } from './sentence.js';

/**
 * C3: a guarded write changes something only if, at its place in the log, its grant is current and
 * not ending; it is FENCED only if that is not so; and no guard is lost on the way. A fence kept for
 * a resource moves for such a grant alone.
 */
export function guardedWrites({ log, broken }: HistoryContext): StormChecker & EntryReader {
  /** Of puts that a client guarded. */
  const guarded = new Set<string>();

  const isInForce = ({ election, token }: Guard): boolean => {
    const grant = log.elections.get(election)?.grant;
    return grant !== undefined && grant.token === token && !grant.isEnding;
  };

  const standing = ({ election, token }: Guard): string => {
    const grant = log.elections.get(election)?.grant;
    if (grant === undefined) return `nobody led ${election}`;
    if (grant.token !== token) return `the grant of ${election} was token ${grant.token}`;
    return grant.isEnding
      ? `token ${token} of ${election} was ending`
      : `token ${token} was current`;
  };

  const checkGuards = (entry: CanonicalEntry, guards: readonly Guard[]): void => {
    const isFenced = entry.result.type === 'refused' && entry.result.refusal.code === 'FENCED';
    const failing = guards.find((guard) => !isInForce(guard));
    if (failing === undefined ? !isFenced : entry.result.type === 'refused') return;
    const what = `entry ${entry.index} (${at(entry.appliedAtMs)})`;
    if (failing === undefined) {
      const all = guards.map(standing).join(', ');
      broken('C3', `${what} was FENCED although ${all === '' ? 'it has no guard' : all}`);
    } else {
      const sentence = `${what} wrote under token ${failing.token}, when ${standing(failing)}`;
      broken('C3', `${sentence}: a guard holds at apply or not at all`);
    }
  };

  const checkFence = (entry: CanonicalEntry): void => {
    const command = entry.logged?.command;
    if (command?.type !== 'fence-advance' || entry.result.type !== 'fence-advance') return;
    if (isInForce(command)) return;
    const what = `entry ${entry.index} (${at(entry.appliedAtMs)}) moved the fence of`;
    broken('C3', `${what} ${command.resource} to ${command.token}, when ${standing(command)}`);
  };

  return {
    ids: ['C3'],
    wants: ['operation-invoked'],
    observe: (event: StormEvent) => {
      if (event.type !== 'operation-invoked' || event.call.type !== 'put') return;
      const { key, value } = event.call;
      if (event.call.guarded) guarded.add(writeName(utf8ByteString(key), utf8ByteString(value)));
    },
    finish: nothingLeft,
    onEntry: (entry) => {
      if (entry.isRepeat) return;
      const guards = guardsOf(entry.logged);
      if (guards !== undefined) checkGuards(entry, guards);
      checkFence(entry);
    },
    onSettled: (entry) => {
      if (entry.changes === undefined || guardsOf(entry.logged)?.length !== 0) return;
      for (const event of entry.changes.events) {
        if (event.type !== 'put') continue;
        const { key } = event.record;
        const value = log.keys.current(key)?.value ?? '';
        if (!guarded.has(writeName(key, value))) continue;
        broken('C3', `entry ${entry.index} wrote ${key} = ${value} without the guard it was given`);
      }
    },
  };
}

/** Undefined: not a command that can be guarded. */
function guardsOf(logged: LoggedCommand | undefined): readonly Guard[] | undefined {
  const command = logged?.command;
  return command !== undefined && 'guards' in command ? command.guards : undefined;
}
