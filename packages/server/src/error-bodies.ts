import { type ErrorBody, errorBody, type LeaderHint, type SystemErrorCode } from '@raftd/protocol';

/** NOT_LEADER with the way to the leader; UNAVAILABLE while nobody is known to lead. */
export function notLeader(leader: LeaderHint | undefined): ErrorBody {
  if (leader === undefined) return errorBody('UNAVAILABLE', 'no leader is known here');
  const { term, id, address } = leader;
  return errorBody('NOT_LEADER', `${id} leads in term ${term}`, { term, id, address });
}

export const SHUTTING_DOWN: ErrorBody = errorBody('SHUTTING_DOWN', 'the node is stopping');

export const OUTCOME_UNKNOWN: ErrorBody = errorBody(
  'OUTCOME_UNKNOWN',
  'leadership ended before the outcome was known; repeat with the same request id',
);

export function limitReached(code: SystemErrorCode, field: string, limit: number): ErrorBody {
  return errorBody(code, `${field} is limited to ${limit}`, { field, limit });
}
