import { assert } from './assert.js';
import type { SystemCommand } from './commands.js';
import { SYSTEM_BATCH_MAX } from './settings.js';
import type { State } from './state.js';
import type { FencingToken, Settings } from './types.js';

/** 2025-01-01T00:00Z in milliseconds since 1970. DESIGN §6, fencing token. */
const TOKEN_EPOCH_MS = 1_735_689_600_000;

/** Grants cannot outrun 4,096 a millisecond, so a later cluster's base is above every token. */
const TOKENS_PER_MS = 4096n;

/** People read grant times: a second off is corrected, jitter is not chased. */
const WALL_OFFSET_TOLERANCE_MS = 1000;

/** The level every member of a new cluster is sure to know; raised from there. */
const FEATURE_LEVEL_AT_START = 1;

/**
 * Sessions are opened with the cluster time that some node has applied. Where nothing is written
 * it must not grow so old that a new session is refused: ten stamps a session's TTL.
 */
export function isTimeStale(state: State, clusterTimeMs: number): boolean {
  const { settings } = state;
  assert(settings !== undefined, 'a cluster begins with its settings');
  return clusterTimeMs - state.clusterTimeMs >= settings.sessionTtlMs / 10;
}

/** What the leader should propose now. Asked again, it answers the same until applied (K-006). */
export function dueCommands(
  state: State,
  clusterTimeMs: number,
  wallTimeMs: number,
): readonly SystemCommand[] {
  const commands: SystemCommand[] = [];
  const { leases, sessions, endingGrants, vacantElections } = state.deadlines;
  const expired = leases.due(clusterTimeMs, SYSTEM_BATCH_MAX);
  if (expired.length > 0) {
    const named = expired.map(({ id, renewals }) => ({ lease: id, renewals }));
    commands.push({ type: 'expire-leases', leases: named });
  }
  const ended = endingGrants.due(clusterTimeMs, SYSTEM_BATCH_MAX);
  if (ended.length > 0) {
    const grants = ended.map(({ leader: { election, token } }) => ({ election, token }));
    commands.push({ type: 'end-grants', grants });
  }
  const untouched = sessions.due(clusterTimeMs, SYSTEM_BATCH_MAX);
  if (untouched.length > 0) {
    const named = untouched.map(({ id, touchedAtMs }) => ({ session: id, touchedAtMs }));
    commands.push({ type: 'expire-sessions', sessions: named });
  }
  const vacant = vacantElections.due(clusterTimeMs, SYSTEM_BATCH_MAX);
  if (vacant.length > 0) {
    commands.push({ type: 'remove-elections', elections: vacant.map(({ name }) => name) });
  }
  const wallOffsetMs = Math.round(wallTimeMs - clusterTimeMs);
  if (Math.abs(wallOffsetMs - state.wallOffsetMs) > WALL_OFFSET_TOLERANCE_MS) {
    commands.push({ type: 'set-wall-offset', wallOffsetMs });
  }
  return commands;
}

/**
 * The first command of a new cluster.
 * A wall clock before 2025 gives base 0: tokens too low are refused by resources that have seen
 * an earlier cluster's, which is the safe way to be wrong.
 */
export function initialCommand(wallTimeMs: number, settings: Settings): SystemCommand {
  const sinceEpochMs = Math.max(0, Math.floor(wallTimeMs) - TOKEN_EPOCH_MS);
  const tokenBase = (BigInt(sinceEpochMs) * TOKENS_PER_MS) as FencingToken;
  return {
    type: 'initialize',
    tokenBase,
    settings,
    featureLevel: FEATURE_LEVEL_AT_START,
  };
}
