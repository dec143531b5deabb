import type { Entry, RaftState } from '@raftd/raft';
import type { ExploredNode } from './node.js';

/** An entry as one number: its term, and what it carries. Equal numbers mean equal entries. */
export type EntryCode = number;

const NO_OP = 0;
const CODES_A_TERM = 256;

export function codeOf(entry: Entry): EntryCode {
  const value = entry.kind === 'no-op' ? NO_OP : 1 + (entry.payload[0] ?? 0);
  return entry.term * CODES_A_TERM + value;
}

export function termOf(code: EntryCode): number {
  return Math.floor(code / CODES_A_TERM);
}

/** `3/2`: index and term, as everywhere. */
export function describeCode(index: number, code: EntryCode | undefined): string {
  return code === undefined ? `nothing at ${index}` : `${index}/${termOf(code)}`;
}

/** What the rules read of one node, taken once for each node state. */
export interface NodeFacts {
  readonly term: number;
  readonly votedFor: string | undefined;
  readonly role: RaftState['role']['type'];
  /** The leader it follows and heard within an election timeout. */
  readonly hears: string | undefined;
  readonly commitIndex: number;
  readonly appliedIndex: number;
  readonly log: readonly EntryCode[];
  readonly diskTerm: number;
  readonly diskVote: string | undefined;
  readonly diskLog: readonly EntryCode[];
  /** As leader, by position; undefined for itself and in other roles. */
  readonly matches: readonly (number | undefined)[];
}

export function factsOf({ core, disk }: ExploredNode): NodeFacts {
  const { hardState, role, commitIndex, appliedIndex, log, membership } = core.state;
  const progress = role.type === 'leader' ? role.progress : [];
  return {
    term: hardState.term,
    votedFor: hardState.votedFor,
    role: role.type,
    hears: heardBy(core.state),
    commitIndex,
    appliedIndex,
    log: log.entries.map(codeOf),
    diskTerm: disk.hardState.term,
    diskVote: disk.hardState.votedFor,
    diskLog: disk.entries.map(codeOf),
    matches: membership.voters.map((id) => progress.find((one) => one.id === id)?.match),
  };
}

/** Whether two logs are equal up to an index. */
export function agreeUpTo(
  a: readonly EntryCode[],
  b: readonly EntryCode[],
  index: number,
): boolean {
  if (index > a.length || index > b.length) return false;
  for (let at = 0; at < index; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

function heardBy({ role, nowMs, options }: Readonly<RaftState>): string | undefined {
  if (role.type !== 'follower' || role.leader === undefined) return undefined;
  const { id, contactMs } = role.leader;
  return nowMs - contactMs < options.electionTimeoutMs ? id : undefined;
}
