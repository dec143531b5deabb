import type { PlantedBug } from '../bug.js';

const ELECTION = 'packages/raft/src/election.ts';
const PERSISTENCE = 'packages/raft/src/persistence.ts';
const QUORUM = 'packages/raft/src/quorum.ts';
const ROLES = 'packages/raft/src/roles.ts';
const TERM_GATE = 'packages/raft/src/term-gate.ts';

/** Votes, terms and who may lead. */
export const ELECTION_BUGS: readonly PlantedBug[] = [
  {
    id: 'M01',
    title: 'answers a vote request before the vote is durable',
    class: 'a',
    edits: [
      {
        file: ELECTION,
        anchor: `sendDurably(state, { type: 'vote-response', ...envelope, granted });`,
        replacement: `sendNow(state, { type: 'vote-response', ...envelope, granted });`,
      },
    ],
    caughtBy: ['S3', 'S2'],
    by: ['storm'],
  },
  {
    id: 'M02',
    title: 'writes the term first and the vote with the next write',
    seenIn: 'hashicorp/raft#661',
    class: 'a',
    edits: [
      {
        file: PERSISTENCE,
        anchor: `return state.hardState === state.persistence.submittedHardState ?`,
        replacement: `const { hardState, persistence } = state;
  const submitted = persistence.submittedHardState;
  if (hardState.term > submitted.term) return { ...hardState, votedFor: undefined };
  return hardState.votedFor === submitted.votedFor ?`,
      },
      {
        file: PERSISTENCE,
        anchor: 'persistence.submittedHardState = state.hardState;',
        replacement: 'persistence.submittedHardState = hardState ?? state.hardState;',
      },
    ],
    caughtBy: ['S3', 'S2'],
    by: ['storm'],
  },
  {
    id: 'M03',
    title: 'clears its vote when it steps down within a term',
    seenIn: 'microsoft/CCF#5891',
    class: 'a',
    edits: [
      {
        file: ROLES,
        anchor: `if (role.type === 'leader') abortReads(state, role);`,
        replacement: `if (role.type === 'leader') abortReads(state, role);
  if (role.type !== 'follower') state.hardState = { ...state.hardState, votedFor: undefined };`,
      },
    ],
    caughtBy: ['S2'],
    by: ['storm', 'explore:elections'],
  },
  {
    id: 'M04',
    title: 'keeps its vote over a change of term',
    class: 'a',
    edits: [
      {
        file: ROLES,
        anchor: 'adoptTerm(state, term, undefined);',
        replacement: 'adoptTerm(state, term, state.hardState.votedFor);',
      },
    ],
    caughtBy: ['liveness', 'S17', 'S25'],
    by: ['storm'],
  },
  {
    id: 'M05',
    title: 'counts votes, not voters',
    seenIn: 'ktoso/akka-raft#45',
    class: 'b',
    edits: [
      {
        file: ELECTION,
        anchor: 'if (!voters.includes(voter)) voters.push(voter);',
        replacement: 'voters.push(voter);',
      },
    ],
    caughtBy: ['S16', 'S10'],
    by: ['storm'],
    needs: 'duplicate',
    only: 'S16',
  },
  {
    id: 'M06',
    title: 'counts votes of an earlier term',
    seenIn: 'ktoso/akka-raft#46',
    class: 'b',
    edits: [
      {
        file: TERM_GATE,
        anchor: 'if (message.term < term) {',
        replacement: `if (message.term < term && message.type === 'vote-response') return true;
  if (message.term < term) {`,
      },
    ],
    caughtBy: ['S16', 'S10'],
    by: ['explore:elections'],
  },
  {
    id: 'M07',
    title: 'counts itself once more after each time-out',
    seenIn: 'ktoso/akka-raft#50',
    class: 'b',
    edits: [
      {
        file: ELECTION,
        anchor: 'if (!isAnsweredByQuorum(state, role)) state.failedCandidacies += 1;',
        replacement: `role.granted.push(state.options.id);
    if (role.granted.length >= quorumOf(state)) return lead(state);`,
      },
    ],
    caughtBy: ['S16', 'S10'],
    by: ['storm', 'explore:elections'],
  },
  {
    id: 'M08',
    title: 'grants a vote in the very term that it leads',
    seenIn: 'daos-stack/raft',
    class: 'b',
    edits: [
      {
        file: ELECTION,
        anchor: `const granted =
    (votedFor === undefined || votedFor === message.from) &&
    isUpToDate(message, logEnd(state)) &&
    !isVoteWithheld(state, message.from);
  if (granted) grantVote(state, message.from);`,
        replacement: `const granted =
    state.role.type === 'leader' ||
    ((votedFor === undefined || votedFor === message.from) &&
      isUpToDate(message, logEnd(state)) &&
      !isVoteWithheld(state, message.from));
  if (granted && state.role.type !== 'leader') grantVote(state, message.from);`,
      },
    ],
    caughtBy: ['S2'],
    by: ['storm', 'explore:elections'],
  },
  {
    id: 'M09',
    title: 'forgets its vote when it is asked again in the same term',
    seenIn: 'ktoso/akka-raft#56',
    class: 'a',
    edits: [
      {
        file: ELECTION,
        anchor: `    (votedFor === undefined || votedFor === message.from) &&
    isUpToDate(message, logEnd(state)) &&
    !isVoteWithheld(state, message.from);
  if (granted)`,
        replacement: `    isUpToDate(message, logEnd(state)) &&
    !isVoteWithheld(state, message.from);
  if (granted)`,
      },
    ],
    caughtBy: ['S2', 'S3'],
    by: ['storm', 'explore:elections'],
  },
  {
    id: 'P01',
    title: 'forgets its vote over a restart',
    class: 'b',
    edits: [
      {
        file: 'packages/raft/src/state.ts',
        anchor: 'hardState: loaded.hardState,',
        replacement: 'hardState: { ...loaded.hardState, votedFor: undefined },',
      },
    ],
    caughtBy: ['S2', 'S16'],
    by: ['explore:elections'],
  },
  {
    id: 'M10b',
    title: 'compares last terms of logs, not their lengths',
    seenIn: 'hydro-project/hydro#3192',
    class: 'a',
    edits: [
      {
        file: ELECTION,
        anchor: 'return candidate.lastIndex >= own.lastIndex;',
        replacement: 'return true;',
      },
    ],
    caughtBy: ['S17', 'S12'],
    by: ['storm', 'explore:replication'],
  },
  {
    id: 'M11',
    title: 'takes half of the cluster for a quorum',
    seenIn: 'hydro-project/hydro#3192',
    class: 'a',
    edits: [
      {
        file: QUORUM,
        anchor: 'return Math.floor(voterCount / 2) + 1;',
        replacement: 'return Math.max(1, Math.floor(voterCount / 2));',
      },
    ],
    caughtBy: ['S10', 'S15', 'S16'],
    by: ['storm', 'explore:elections'],
  },
  {
    id: 'M12',
    title: 'takes half of an even cluster for a quorum',
    class: 'a',
    edits: [
      {
        file: QUORUM,
        anchor: 'return Math.floor(voterCount / 2) + 1;',
        replacement: 'return Math.ceil(voterCount / 2);',
      },
    ],
    caughtBy: ['S10', 'S15', 'S16'],
    by: ['storm'],
  },
  {
    id: 'P02',
    title: 'takes pre-votes for votes',
    class: 'a',
    edits: [
      {
        file: ROLES,
        anchor: `state.role = { type: 'candidate', electionDeadlineMs: undefined, granted: [],`,
        replacement: `const { role, options } = state;
  const preVotes = role.type === 'pre-candidate' ? role.granted : [];
  const granted = preVotes.filter((one) => one !== options.id);
  state.role = { type: 'candidate', electionDeadlineMs: undefined, granted,`,
      },
    ],
    caughtBy: ['S16', 'S10'],
    by: ['storm', 'explore:prevote'],
  },
  {
    id: 'P03',
    title: 'leads before its own vote is durable',
    class: 'a',
    edits: [
      {
        file: ELECTION,
        anchor: `if (role.granted.length >= quorum && role.granted.includes(state.options.id)) {`,
        replacement: `const own = role.granted.includes(state.options.id) ? 0 : 1;
  if (role.granted.length + own >= quorum) {`,
      },
      {
        file: ELECTION,
        anchor: `    sendDurably(state, {
      type: 'vote-request',`,
        replacement: `    sendNow(state, {
      type: 'vote-request',`,
      },
    ],
    caughtBy: ['S3', 'S33', 'S16'],
    by: ['storm'],
  },
  {
    id: 'P04',
    title: 'takes a refused vote for a grant',
    class: 'a',
    edits: [
      {
        file: ELECTION,
        anchor: 'addVoter(message.granted ? role.granted : role.refused, message.from);',
        replacement: 'addVoter(role.granted, message.from);',
      },
    ],
    caughtBy: ['S10', 'S16'],
    by: ['storm', 'explore:elections'],
  },
  {
    id: 'M22',
    title: 'goes back to the term of a stale leader',
    seenIn: 'willemt/raft',
    class: 'b',
    edits: [
      {
        file: TERM_GATE,
        anchor: `    answerStale(state, message);
    return false;`,
        replacement: `    if (message.type !== 'heartbeat') return false;
    state.hardState = { ...state.hardState, term: message.term, votedFor: undefined };
    becomeFollower(state);
    return false;`,
      },
      {
        file: TERM_GATE,
        anchor: `import { enterTerm } from './roles.js';`,
        replacement: `import { becomeFollower, enterTerm } from './roles.js';`,
      },
      {
        file: 'packages/raft/src/invariants.ts',
        anchor: 'assert(persistence.durableHardState.term <= hardState.term,',
        replacement: 'assert(hardState.term >= 0,',
      },
    ],
    caughtBy: ['S1'],
    by: ['explore:elections'],
  },
  {
    id: 'M35',
    title: 'enters the term that a pre-vote request speaks of',
    seenIn: 'hashicorp/raft#605',
    class: 'a',
    edits: [
      {
        file: TERM_GATE,
        anchor: `if (message.type === 'pre-vote-request' || `,
        replacement: `if (`,
      },
      {
        file: TERM_GATE,
        anchor: `      return sendDurably(state, { type: 'vote-response',`,
        replacement: `    case 'pre-vote-request':
      return sendDurably(state, { type: 'vote-response',`,
      },
    ],
    caughtBy: ['S31'],
    by: ['storm', 'explore:prevote'],
  },
  {
    id: 'M37',
    title: 'starts its election timer anew with every message, whoever sent it',
    seenIn: 'ktoso/akka-raft#43',
    class: 'a',
    edits: [
      {
        file: 'packages/raft/src/raft.ts',
        anchor: 'if (passTermGate(state, message)) dispatch(state, message);',
        replacement: `const { role } = state;
    if (role.type === 'follower') role.electionDeadlineMs = drawElectionDeadline(state);
    if (passTermGate(state, message)) dispatch(state, message);`,
      },
      {
        file: 'packages/raft/src/raft.ts',
        anchor: `import { followLeader } from './roles.js';`,
        replacement: `import { drawElectionDeadline, followLeader } from './roles.js';`,
      },
    ],
    caughtBy: ['S31', 'liveness'],
    by: ['storm'],
  },
  {
    id: 'M10a',
    title: 'takes the longer log for the more up-to-date one',
    seenIn: 'hydro-project/hydro#3192',
    class: 'b',
    edits: [
      {
        file: ELECTION,
        anchor:
          'if (candidate.lastTerm !== own.lastTerm) return candidate.lastTerm > own.lastTerm;',
        replacement: '',
      },
    ],
    caughtBy: ['S17', 'S12'],
    by: ['explore:elections'],
  },
];
