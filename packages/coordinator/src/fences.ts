import { assert } from './assert.js';
import type { ClientCommand, Guard } from './commands.js';
import { isInForce, leaderRecordOf } from './grants.js';
import { capacityReached, emptyName, invalidArgument, refused } from './refusals.js';
import type { CommandResult, Refusal } from './results.js';
import type { State } from './state.js';
import type { Settings } from './types.js';

/** Every guard's grant must be current and not ending, or nothing happens (C3, K-080). */
export function guardRefusal(state: State, guards: readonly Guard[]): Refusal | undefined {
  for (const { election, token } of guards) {
    if (!isInForce(state.elections.get(election), token)) return fencedBy(state, election);
  }
  return undefined;
}

/**
 * Keeps the highest token for a resource with nowhere to keep one. Succeeds only for the grant
 * that is current, so no late caller can seize the resource (K-085), and only for the election
 * the resource was first bound to, because tokens of two elections must not be compared.
 */
export function onFenceAdvance(
  state: State,
  settings: Settings,
  command: Extract<ClientCommand, { type: 'fence-advance' }>,
): CommandResult {
  const { resource, election, token } = command;
  const unnamed = emptyName({ resource, election });
  if (unnamed !== undefined) return refused(unnamed);
  if (token <= 0n || token > state.token) {
    return refused(invalidArgument('token', 'was never granted by this cluster'));
  }
  const fence = state.fences.get(resource);
  if (fence !== undefined && fence.election !== election) {
    return refused(fencedBy(state, fence.election));
  }
  if (!isInForce(state.elections.get(election), token)) return refused(fencedBy(state, election));
  if (fence === undefined) {
    if (state.fences.size >= settings.fencesMax) {
      return refused(capacityReached('fencesMax', settings));
    }
    state.fences.set(resource, { election, token });
  } else {
    assert(token >= fence.token, 'the tokens of one election only grow');
    fence.token = token;
  }
  return { type: 'fence-advance', token };
}

function fencedBy(state: State, election: string): Refusal {
  const current = leaderRecordOf(state.elections.get(election))?.token;
  return { code: 'FENCED', election, current };
}
