import type { Changes, CommandResult, LeaseRecord, LoggedCommand } from '@raftd/coordinator';
import type { Violation } from '../scope.js';
import { clientName, leaseOf, sessionOf } from './lease-commands.js';
import { STEP_MS } from './lease-config.js';
import type { LeasePast, LogPast, MachineView } from './machine-node.js';

/** One entry, from what was known before it to what the machine says after it. */
export interface Step {
  readonly past: LogPast;
  readonly before: MachineView;
  readonly after: MachineView;
  /** Undefined: an entry that carries time only. */
  readonly command: LoggedCommand | undefined;
  readonly result: CommandResult;
  readonly changes: Changes | undefined;
  /** Cluster time of the states before and after, ms. */
  readonly beforeMs: number;
  readonly afterMs: number;
}

export interface Judged {
  readonly past: LogPast;
  readonly violation: Violation | undefined;
}

/** What log and answers must show whatever clients do: L1 to L3, L6 to L9, C5, C9, C10. */
export function judge(step: Step): Judged {
  const watched = watch(step);
  const written = guardedWrite(step);
  const leases = step.past.leases.map((past, client) => leasePast(step, past, client));
  const { lastToken, holder } = watched;
  const answered = answeredAfter(step);
  const past = { lastToken, holder, writtenToken: written.token, leases, answered };
  const violation =
    watched.violation ??
    written.violation ??
    firstOf(leases.keys(), (client) => leaseViolation(step, client)) ??
    promotionViolation(step);
  return { past, violation };
}

/** L1, L2, L9: an observer who folds the events knows every epoch and who leads at the end. */
function watch({ past, before, after, changes }: Step): {
  readonly lastToken: number;
  readonly holder: number;
  readonly violation: Violation | undefined;
} {
  let { lastToken, holder } = past;
  let violation: Violation | undefined;
  const expected = before.revision + (changes === undefined ? 0 : 1);
  if (after.revision !== expected) {
    violation = broken('L9', `revision ${after.revision} follows ${before.revision}`);
  }
  for (const event of changes?.events ?? []) {
    if (event.type === 'granted') {
      const token = Number(event.leader.token);
      if (token <= lastToken) violation ??= broken('L1', `token ${token} after ${lastToken}`);
      if (holder !== 0) violation ??= broken('L2', `${token} is granted while ${holder} is`);
      if (token !== lastToken + 1) {
        violation ??= broken('L9', `epoch ${token} follows ${lastToken}`);
      }
      lastToken = Math.max(lastToken, token);
      holder = token;
    } else if (event.type === 'ended') {
      const token = Number(event.token);
      if (token !== holder) violation ??= broken('L9', `${token} ended while ${holder} led`);
      holder = 0;
    }
  }
  const shown = Number(after.election?.leader?.token ?? 0);
  if (shown !== holder) {
    violation ??= broken('L9', `${shown} leads, but by the events ${holder} does`);
  }
  return { lastToken, holder, violation };
}

/** L3: with the token of the grant in force, so that accepted tokens never decrease. */
function guardedWrite({ past, before, command, result }: Step): {
  readonly token: number;
  readonly violation: Violation | undefined;
} {
  const token = acceptedToken(command, result);
  if (token === undefined) return { token: past.writtenToken, violation: undefined };
  const leader = before.election?.leader;
  let violation: Violation | undefined;
  if (token < past.writtenToken) {
    violation = broken('L3', `a write of ${token} came in after one of ${past.writtenToken}`);
  } else if (leader === undefined || leader.ending || Number(leader.token) !== token) {
    violation = broken('L3', `a write of ${token} came in while it was not in force`);
  }
  return { token: Math.max(token, past.writtenToken), violation };
}

function acceptedToken(
  command: LoggedCommand | undefined,
  result: CommandResult,
): number | undefined {
  if (command?.stamp === undefined || result.type === 'refused') return undefined;
  const asked = command.command;
  if (asked.type === 'fence-advance') return Number(asked.token);
  if (asked.type !== 'put') return undefined;
  const guard = asked.guards[0];
  return guard === undefined ? undefined : Number(guard.token);
}

/** Renewals are never answered from memory. */
function answeredAfter({ past, command }: Step): readonly string[] {
  if (command?.stamp === undefined || command.command.type === 'lease-renew') return past.answered;
  const { session, sequence } = command.stamp;
  const name = `${session} ${sequence}`;
  if (past.answered.includes(name)) return past.answered;
  return [...past.answered, name].sort((a, b) => (a < b ? -1 : 1));
}

function leasePast(step: Step, past: LeasePast, client: number): LeasePast {
  const lives = step.after.leases[client] !== undefined;
  return {
    granted: past.granted || lives,
    ended: past.ended || (past.granted && !lives),
    renewals: past.renewals + (renewalOf(step, client)?.applied === true ? 1 : 0),
  };
}

function leaseViolation(step: Step, client: number): Violation | undefined {
  const past = step.past.leases[client];
  const before = step.before.leases[client];
  const after = step.after.leases[client];
  const name = leaseOf(client);
  if (past?.ended === true && after !== undefined) return broken('L8', `${name} is back`);
  const renewal = renewalOf(step, client);
  if (renewal !== undefined && after === undefined) {
    return broken('L8', `a renewal was answered although ${name} is over`);
  }
  if (renewal === undefined && before !== undefined && isDenied(step, client)) {
    return broken('C10', `${name} lives, but its renewal does not find it`);
  }
  if (before !== undefined && after === undefined) return endViolation(step, client, before);
  if (before === undefined || after === undefined) return undefined;
  const endsAtMs = step.afterMs + after.remainingMs;
  if (endsAtMs < step.beforeMs + before.remainingMs) {
    return broken('L7', `${name} was shortened to ${endsAtMs} ms`);
  }
  if (endsAtMs > step.beforeMs + before.remainingMs && !isNewAttempt(step, before)) {
    return broken('C9', `${name} was extended, but not by a new attempt`);
  }
  if (renewal?.applied === true && after.remainingMs !== after.ttlMs) {
    return broken('L7', `a renewal of ${name} was applied, but ${after.remainingMs} ms are left`);
  }
  return undefined;
}

/** L6, L7: an end that its owner did not ask for. */
function endViolation(
  { past, beforeMs, afterMs, command }: Step,
  client: number,
  lease: LeaseRecord,
): Violation | undefined {
  const endsAtMs = beforeMs + lease.remainingMs;
  const early = broken('L7', `${lease.lease} ended at ${afterMs} ms, not at ${endsAtMs}`);
  if (command?.stamp !== undefined) {
    const own = command.stamp.session === sessionOf(client);
    return own || lease.grants.length === 0 || endsAtMs <= afterMs ? undefined : early;
  }
  if (command?.command.type === 'expire-leases') {
    const { renewals } = past.leases[client] ?? { renewals: 0 };
    const decided = command.command.leases.find(({ lease: id }) => id === lease.lease);
    if (decided?.renewals !== renewals) {
      const sentence = `${lease.lease}, renewed ${renewals} times, ended by an expiry of before`;
      return broken('L6', sentence);
    }
  }
  // A lease that somebody revoked ends with its last grant.
  return endsAtMs <= afterMs ? undefined : early;
}

/** C5: the entry that makes room promotes, and nobody who has no time left. */
function promotionViolation({ after, changes }: Step): Violation | undefined {
  const { election } = after;
  if (election === undefined) return undefined;
  const isAlive = (id: string): boolean =>
    after.leases.some((lease) => lease?.lease === id && lease.remainingMs > 0);
  for (const event of changes?.events ?? []) {
    if (event.type !== 'granted' || isAlive(event.leader.lease)) continue;
    return broken('C5', `${event.leader.candidate} is granted with no time left`);
  }
  if (election.leader !== undefined) return undefined;
  const waits = election.queue.find(({ lease }) => isAlive(lease));
  if (waits === undefined) return undefined;
  return broken('C5', `${waits.candidate} waits although nobody leads`);
}

function renewalOf({ result }: Step, client: number): { readonly applied: boolean } | undefined {
  if (result.type !== 'lease-renew') return undefined;
  const renewal = result.renewals.find(({ lease }) => lease === leaseOf(client));
  return renewal?.outcome === 'renewed' ? renewal : undefined;
}

function isNewAttempt({ command }: Step, lease: LeaseRecord): boolean {
  if (command?.command.type !== 'lease-renew') return false;
  return command.command.renewals.some(
    ({ lease: id, attempt }) => id === lease.lease && attempt > lease.attempt,
  );
}

function isDenied({ result }: Step, client: number): boolean {
  if (result.type !== 'lease-renew') return false;
  return result.renewals.some(({ lease }) => lease === leaseOf(client));
}

/** L4 in the terms of the machine: the tokens that clients believe to hold. */
export function overlap(first: number, second: number, step: number): Violation {
  const names = `${clientName(first)} and ${clientName(second)}`;
  return broken('L4', `${names} both believe to lead at step ${step} (${step * STEP_MS} ms)`);
}

export function broken(invariant: string, sentence: string): Violation {
  return { invariant, sentence };
}

function firstOf<T, R>(items: Iterable<T>, ask: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const answer = ask(item);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
