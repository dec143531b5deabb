import type {
  AppendAccepted,
  AppendRejected,
  AppendRequest,
  Entry,
  Heartbeat,
  HeartbeatResponse,
  LogIndex,
  Message,
  NodeId,
  PreVoteRequest,
  PreVoteResponse,
  Term,
  VoteRequest,
  VoteResponse,
} from '../src/index.js';

/** `'a>b'`: from a to b. */
type Route = `${string}>${string}`;

function envelope(route: Route, term: number): { from: NodeId; to: NodeId; term: Term } {
  const [from, to] = route.split('>') as [NodeId, NodeId];
  return { from, to, term: term as Term };
}

/** `'4/2'`: index 4, term 2. */
type Position = `${number}/${number}`;

function positionOf(text: Position): { index: LogIndex; term: Term } {
  const [index, term] = text.split('/').map(Number) as [LogIndex, Term];
  return { index, term };
}

export function preVote(route: Route, term: number, last: Position): PreVoteRequest {
  const { index: lastIndex, term: lastTerm } = positionOf(last);
  return { type: 'pre-vote-request', ...envelope(route, term), lastIndex, lastTerm };
}

export function preVoteAnswer(route: Route, term: number, granted: boolean): PreVoteResponse {
  return { type: 'pre-vote-response', ...envelope(route, term), granted };
}

export function vote(route: Route, term: number, last: Position): VoteRequest {
  const { index: lastIndex, term: lastTerm } = positionOf(last);
  return { type: 'vote-request', ...envelope(route, term), lastIndex, lastTerm };
}

export function voteAnswer(route: Route, term: number, granted: boolean): VoteResponse {
  return { type: 'vote-response', ...envelope(route, term), granted };
}

export function append(
  route: Route,
  term: number,
  prev: Position,
  entries: readonly Entry[] = [],
  commit = 0,
): AppendRequest {
  const { index: prevIndex, term: prevTerm } = positionOf(prev);
  const commitIndex = commit as LogIndex;
  return {
    type: 'append-request',
    ...envelope(route, term),
    prevIndex,
    prevTerm,
    entries,
    commitIndex,
  };
}

export function accepted(route: Route, term: number, match: number): AppendAccepted {
  return { type: 'append-accepted', ...envelope(route, term), matchIndex: match as LogIndex };
}

export function rejected(route: Route, term: number, prev: number, hint: Position): AppendRejected {
  const { index: hintIndex, term: hintTerm } = positionOf(hint);
  const prevIndex = prev as LogIndex;
  return { type: 'append-rejected', ...envelope(route, term), prevIndex, hintIndex, hintTerm };
}

export function heartbeat(
  route: Route,
  term: number,
  round: number,
  given: { commit?: number; match?: number; promiseMs?: number } = {},
): Heartbeat {
  const commitIndex = (given.commit ?? 0) as LogIndex;
  const matchIndex = (given.match ?? commitIndex) as LogIndex;
  const promiseMs = given.promiseMs ?? 0;
  const indexes = { commitIndex, matchIndex };
  return { type: 'heartbeat', ...envelope(route, term), ...indexes, round, promiseMs };
}

export function heartbeatAnswer(
  route: Route,
  term: number,
  round: number,
  promiseMs = 0,
): HeartbeatResponse {
  return { type: 'heartbeat-response', ...envelope(route, term), round, promiseMs };
}

/** Of one type only, as that type. */
export function only<T extends Message['type']>(
  messages: readonly Message[],
  type: T,
): Extract<Message, { type: T }>[] {
  return messages.filter((one): one is Extract<Message, { type: T }> => one.type === type);
}
