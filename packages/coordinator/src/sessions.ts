import type { Stamp, SystemCommand } from './commands.js';
import type { Entry } from './entry.js';
import { capacityReached, invalidArgument, refused } from './refusals.js';
import { replyBytes } from './reply-size.js';
import type { CommandResult, Refusal } from './results.js';
import { REPLY_NOT_KEPT, type Session, type State } from './state.js';
import type { Settings } from './types.js';

/** Run it under this session, or answer at once (duplicate, stale, expired …). */
export type Admission =
  | { readonly type: 'run'; readonly session: Session }
  | { readonly type: 'answer'; readonly result: CommandResult };

/** The exactly-once check that precedes everything else a stamped command does (§6.3, K-024). */
export function admit(state: State, entry: Entry, settings: Settings, stamp: Stamp): Admission {
  const malformed = stampRefusal(stamp);
  if (malformed !== undefined) return answer(malformed);
  let session = state.sessions.get(stamp.session);
  if (session === undefined) {
    const refusal = openingRefusal(state, entry, settings, stamp);
    if (refusal !== undefined) return answer(refusal);
    session = openSession(state, entry, stamp);
  } else if (session.closed) return answer({ code: 'SESSION_EXPIRED' });
  touch(state, entry, settings, session);
  advanceMark(session, stamp.mark, settings.sessionWindow);
  const { sequence } = stamp;
  if (sequence < session.mark) {
    return answer({ code: 'STALE_REQUEST', sequence, mark: session.mark });
  }
  if (sequence >= session.mark + settings.sessionWindow) {
    return answer({ code: 'SESSION_WINDOW_FULL', sequence, limit: settings.sessionWindow });
  }
  const kept = session.replies.get(sequence);
  if (kept === undefined) return { type: 'run', session };
  if (kept === REPLY_NOT_KEPT) return answer({ code: 'REPLY_DROPPED', sequence });
  return { type: 'answer', result: kept };
}

/** Refusals are kept whatever the budget: they tell the caller that nothing happened. */
export function keepReply(
  session: Session,
  settings: Settings,
  sequence: number,
  result: CommandResult,
): void {
  const bytes = replyBytes(result);
  const hasRoom = session.replyBytes + bytes <= settings.sessionReplyBytesMax;
  if (!hasRoom && result.type !== 'refused') {
    session.replies.set(sequence, REPLY_NOT_KEPT);
    return;
  }
  session.replies.set(sequence, result);
  session.replyBytes += bytes;
}

/**
 * A renewal is never deduplicated and does not need its session: attempt numbers order it, and a
 * live lease must not end over the bookkeeping of something else. It touches a session that lives.
 */
export function touchByRenewal(state: State, entry: Entry, settings: Settings, stamp: Stamp): void {
  const session = state.sessions.get(stamp.session);
  if (session === undefined || session.closed) return;
  touch(state, entry, settings, session);
}

/**
 * Leaves a tombstone for as long as a late duplicate could open the session anew, also where the
 * session was never seen: close is a barrier (K-050). Repeating it changes nothing.
 */
export function onSessionClose(
  state: State,
  entry: Entry,
  settings: Settings,
  stamp: Stamp,
): CommandResult {
  const malformed = stampRefusal(stamp);
  if (malformed !== undefined) return refused(malformed);
  let session = state.sessions.get(stamp.session);
  if (session === undefined) {
    const refusal = openingRefusal(state, entry, settings, stamp);
    // Too old to be opened: nothing to close, nothing to remember.
    if (refusal?.code === 'SESSION_EXPIRED') return { type: 'done' };
    if (refusal !== undefined) return refused(refusal);
    session = openSession(state, entry, stamp);
  }
  session.closed = true;
  session.replies.clear();
  session.replyBytes = 0;
  state.deadlines.sessions.set(session, endsAtMs(session, settings));
  return { type: 'done' };
}

/** Conditional on what the leader saw, so that a touch in between wins (K-025, K-026). */
export function onExpireSessions(
  state: State,
  entry: Entry,
  settings: Settings,
  command: Extract<SystemCommand, { type: 'expire-sessions' }>,
): void {
  for (const { session: id, touchedAtMs } of command.sessions) {
    const session = state.sessions.get(id);
    if (session === undefined || session.touchedAtMs !== touchedAtMs) continue;
    if (entry.timeMs < endsAtMs(session, settings)) continue;
    state.sessions.delete(id);
    state.deadlines.sessions.clear(session);
  }
}

/**
 * An open session lives a TTL from its last command; the tombstone of a closed one as long as
 * `openingRefusal` would still let a late duplicate in.
 */
function endsAtMs(session: Session, settings: Settings): number {
  return (session.closed ? session.openedAtMs : session.touchedAtMs) + settings.sessionTtlMs;
}

/**
 * "Unknown" must never mean "new client" (K-025): a session is opened only while it is younger
 * than the time after which an untouched one has been forgotten.
 */
function openingRefusal(
  state: State,
  entry: Entry,
  settings: Settings,
  stamp: Stamp,
): Refusal | undefined {
  const ageMs = entry.timeMs - stamp.openedAtMs;
  if (ageMs < 0 || ageMs >= settings.sessionTtlMs) return { code: 'SESSION_EXPIRED' };
  if (state.sessions.size >= settings.sessionsMax) return capacityReached('sessionsMax', settings);
  return undefined;
}

function openSession(state: State, entry: Entry, stamp: Stamp): Session {
  const session: Session = {
    id: stamp.session,
    openedAtMs: stamp.openedAtMs,
    touchedAtMs: entry.timeMs,
    mark: 1,
    replies: new Map(),
    replyBytes: 0,
    closed: false,
    dueAtMs: 0,
    heapPosition: -1,
  };
  state.sessions.set(session.id, session);
  return session;
}

function touch(state: State, entry: Entry, settings: Settings, session: Session): void {
  session.touchedAtMs = entry.timeMs;
  state.deadlines.sessions.set(session, endsAtMs(session, settings));
}

/** Replies below the mark are answered for good. */
function advanceMark(session: Session, mark: number, window: number): void {
  if (mark <= session.mark) return;
  const end = Math.min(mark, session.mark + window);
  for (let sequence = session.mark; sequence < end; sequence += 1) {
    const kept = session.replies.get(sequence);
    if (kept === undefined) continue;
    session.replies.delete(sequence);
    if (kept !== REPLY_NOT_KEPT) session.replyBytes -= replyBytes(kept);
  }
  session.mark = mark;
}

function stampRefusal(stamp: Stamp): Refusal | undefined {
  if (stamp.session === '') return invalidArgument('session', 'must not be empty');
  if (!Number.isSafeInteger(stamp.openedAtMs)) {
    return invalidArgument('openedAtMs', 'must be an integer');
  }
  if (!Number.isSafeInteger(stamp.sequence)) {
    return invalidArgument('sequence', 'must be an integer');
  }
  if (!Number.isSafeInteger(stamp.mark) || stamp.mark < 1 || stamp.mark > stamp.sequence) {
    return invalidArgument('mark', 'must be an integer from 1 to the sequence');
  }
  return undefined;
}

function answer(refusal: Refusal): Admission {
  return { type: 'answer', result: refused(refusal) };
}
