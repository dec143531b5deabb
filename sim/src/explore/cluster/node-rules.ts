import type { Message, NodeId } from '@raftd/raft';
import type { Violation } from '../scope.js';
import { agreeUpTo, codeOf, describeCode, type NodeFacts, termOf } from './facts.js';
import type { Input } from './input.js';
import type { Carried, SentMessage } from './node.js';

/** One input to one node: what it was before and is after. */
export interface Turned {
  readonly id: string;
  readonly input: Input;
  readonly before: NodeFacts;
  readonly after: NodeFacts;
  readonly carried: Carried;
  /** Whether contact is lost in a step of its own, so that it can be said who is heard. */
  readonly isContactKept: boolean;
}

type Rule = (turned: Turned) => Violation | undefined;

/** The rules that need one node only. Ids as in the list of invariants of the simulator. */
export function brokenByNode(turned: Turned): Violation | undefined {
  for (const rule of NODE_RULES) {
    const violation = rule(turned);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

function isRestart({ input }: Turned): boolean {
  return input.type === 'crash';
}

/** S2: within a term a vote is given once and stays; a restart finds the one that is durable. */
const voteKept: Rule = (turned) => {
  const { id, before, after } = turned;
  const term = isRestart(turned) ? before.diskTerm : before.term;
  const vote = isRestart(turned) ? before.diskVote : before.votedFor;
  if (term !== after.term || vote === undefined || vote === after.votedFor) return undefined;
  const change = `from ${vote} to ${after.votedFor ?? 'nobody'}`;
  const sentence = `${id} changed its vote in term ${after.term} ${change}`;
  return { invariant: 'S2', sentence };
};

/** S17: a vote goes only to a candidate whose log is at least as up to date (§3.6.1). */
const voteUpToDate: Rule = ({ id, input, before, after }) => {
  if (input.type !== 'message' || input.message.type !== 'vote-request') return undefined;
  const { from, term, lastTerm, lastIndex } = input.message;
  if (after.votedFor !== from || after.term !== term) return undefined;
  if (before.term === after.term && before.votedFor === from) return undefined;
  const ownTerm = termOf(after.log.at(-1) ?? 0);
  const isUpToDate = lastTerm === ownTerm ? lastIndex >= after.log.length : lastTerm > ownTerm;
  if (isUpToDate) return undefined;
  const candidate = `${from} with ${lastIndex}/${lastTerm}`;
  const sentence = `${id} with ${after.log.length}/${ownTerm} voted for ${candidate}`;
  return { invariant: 'S17', sentence };
};

/** S3: what a message says of its sender's hard state is durable when it leaves. */
const durableBeforeSent: Rule = ({ carried }) => {
  for (const sent of carried.sent) {
    const sentence = undurable(sent);
    if (sentence !== undefined) return { invariant: 'S3', sentence };
  }
  return undefined;
};

function undurable({ message, disk }: SentMessage): string | undefined {
  if (message.type === 'pre-vote-request' || message.type === 'pre-vote-response') return undefined;
  const { term, votedFor } = disk.hardState;
  if (term < message.term) {
    return `${message.type} of ${message.from} left in term ${message.term}, durable is ${term}`;
  }
  const vote = voteIn(message);
  if (vote === undefined || term > message.term || votedFor === vote) return undefined;
  const durable = votedFor ?? 'no vote';
  return `${message.from} voted for ${vote} in term ${message.term}, durable is ${durable}`;
}

/** Whom a message is a vote for. */
export function voteIn(message: Message): NodeId | undefined {
  if (message.type === 'vote-request') return message.from;
  return message.type === 'vote-response' && message.granted ? message.to : undefined;
}

/** S7: what is acknowledged is durable; whether it is the leader's, rules between nodes say. */
const acknowledgedDurable: Rule = ({ carried }) => {
  for (const { message, disk } of carried.sent) {
    if (message.type !== 'append-accepted' || message.matchIndex <= disk.entries.length) continue;
    const { from, matchIndex } = message;
    const sentence = `${from} acknowledged ${matchIndex}, durable are ${disk.entries.length}`;
    return { invariant: 'S7', sentence };
  }
  return undefined;
};

/** S1: a term never falls, on disk not even by a restart. */
const termMonotonic: Rule = (turned) => {
  const { id, before, after } = turned;
  const floor = isRestart(turned) ? before.diskTerm : before.term;
  const isFallen = after.term < floor || after.diskTerm < before.diskTerm;
  if (!isFallen) return undefined;
  const sentence = `the term of ${id} fell from ${floor} to ${after.term}`;
  return { invariant: 'S1', sentence };
};

/** S4: in one life the commit index never falls. */
const commitMonotonic: Rule = (turned) => {
  const { id, before, after } = turned;
  if (after.commitIndex > after.log.length) {
    const sentence = `${id} committed ${after.commitIndex} of ${after.log.length} entries`;
    return { invariant: 'S4', sentence };
  }
  if (isRestart(turned) || after.commitIndex >= before.commitIndex) return undefined;
  const fall = `from ${before.commitIndex} to ${after.commitIndex}`;
  const sentence = `the commit index of ${id} fell ${fall}`;
  return { invariant: 'S4', sentence };
};

/** S34: a leader commits by counting only entries of its own term (§3.6.2, Figure 3.7). */
const commitOwnTerm: Rule = ({ id, before, after }) => {
  if (after.role !== 'leader' || after.commitIndex <= before.commitIndex) return undefined;
  const term = termOf(after.log[after.commitIndex - 1] ?? 0);
  if (term === after.term) return undefined;
  const entry = `${after.commitIndex} of term ${term}`;
  const sentence = `${id} leads term ${after.term} and committed ${entry}`;
  return { invariant: 'S34', sentence };
};

/** S8, S9: a leader only appends, and what is committed is never removed. */
const removesNothing: Rule = (turned) => {
  const { id, before, after } = turned;
  if (isRestart(turned)) return undefined;
  if (!agreeUpTo(before.log, after.log, before.commitIndex)) {
    const sentence = `${id} removed an entry up to ${before.commitIndex}, which is committed`;
    return { invariant: 'S9', sentence };
  }
  const isSameLeader = before.role === 'leader' && after.role === 'leader';
  if (!isSameLeader || before.term !== after.term) return undefined;
  if (agreeUpTo(before.log, after.log, before.log.length)) return undefined;
  return { invariant: 'S8', sentence: `${id} leads term ${after.term} and changed its log` };
};

/** S9: entries are removed only for another one that the leader has there. */
const removalJustified: Rule = ({ id, input, before, after }) => {
  if (input.type !== 'message' || input.message.type !== 'append-request') return undefined;
  const { prevIndex, entries } = input.message;
  const isConflict = entries.some((entry, at) => {
    const own = before.log[prevIndex + at];
    return own !== undefined && own !== codeOf(entry);
  });
  if (isConflict || agreeUpTo(before.log, after.log, before.log.length)) return undefined;
  const sentence = `${id} removed entries that its leader does not contradict`;
  return { invariant: 'S9', sentence };
};

/** S18: within one leadership what is known of a peer only grows. */
const matchGrows: Rule = ({ id, before, after }) => {
  if (before.role !== 'leader' || after.role !== 'leader') return undefined;
  if (before.term !== after.term) return undefined;
  for (const [position, match] of after.matches.entries()) {
    const known = before.matches[position];
    if (match === undefined || known === undefined || match >= known) continue;
    const sentence = `match of node ${position + 1} at leader ${id} fell from ${known} to ${match}`;
    return { invariant: 'S18', sentence };
  }
  return undefined;
};

/** S19: a new leader knows nothing of its peers' logs. */
const startsClean: Rule = ({ id, before, after }) => {
  if (after.role !== 'leader' || before.role === 'leader') return undefined;
  if (after.matches.every((match) => match === undefined || match === 0)) return undefined;
  return { invariant: 'S19', sentence: `${id} became leader with a match above 0` };
};

/** S5: entries are applied in order, each once a life, none before it is committed. */
const appliedInOrder: Rule = ({ id, before, after, carried, input }) => {
  let previous = input.type === 'crash' ? 0 : before.appliedIndex;
  for (const { index } of carried.applied) {
    if (index !== previous + 1 || index > after.commitIndex) {
      const entry = describeCode(index, after.log[index - 1]);
      const sentence = `${id} applied ${entry} after ${previous}`;
      return { invariant: 'S5', sentence };
    }
    previous = index;
  }
  return undefined;
};

/** S31: to be asked for a pre-vote changes no term, vote, log, commit index or role (§9.6). */
const preVoteHarmless: Rule = ({ id, input, before, after }) => {
  if (input.type !== 'message' || input.message.type !== 'pre-vote-request') return undefined;
  const isSame =
    before.term === after.term &&
    before.votedFor === after.votedFor &&
    before.role === after.role &&
    before.commitIndex === after.commitIndex &&
    before.log.length === after.log.length;
  return isSame ? undefined : { invariant: 'S31', sentence: `a pre-vote request changed ${id}` };
};

/**
 * B2: who hears a leader grants nobody else a vote or a pre-vote (§4.2.3, §9.6). So one node that
 * hears nothing does not raise the term of a quorum that hears its leader.
 */
const withheldWhileHeard: Rule = ({ id, input, before, carried, isContactKept }) => {
  if (!isContactKept || input.type !== 'message' || before.hears === undefined) return undefined;
  const { from, type } = input.message;
  if (type !== 'vote-request' && type !== 'pre-vote-request') return undefined;
  if (before.hears === from || !carried.sent.some(({ message }) => isGrant(message))) {
    return undefined;
  }
  return { invariant: 'B2', sentence: `${id} hears ${before.hears} and grants ${from} its vote` };
};

function isGrant(message: Message): boolean {
  if (message.type === 'vote-response') return message.granted;
  return message.type === 'pre-vote-response' && message.granted;
}

/** The consequences first: the most telling one should break first. */
const NODE_RULES: readonly Rule[] = [
  voteKept,
  voteUpToDate,
  commitOwnTerm,
  acknowledgedDurable,
  durableBeforeSent,
  termMonotonic,
  commitMonotonic,
  appliedInOrder,
  removesNothing,
  removalJustified,
  matchGrows,
  startsClean,
  preVoteHarmless,
  withheldWhileHeard,
];
