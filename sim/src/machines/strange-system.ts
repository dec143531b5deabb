import {
  DEFAULT_SETTINGS,
  type FencingToken,
  type LeaseId,
  type LoggedCommand,
  type SessionId,
  type SystemCommand,
} from '@raftd/coordinator';
import type { Dice } from '../storm/planner/dice.js';

/** What a leader knew once. */
export interface Knowledge {
  readonly clusterTimeMs: number;
  readonly lastSession: SessionId | undefined;
  tokenOf(election: string): bigint;
}

/**
 * What a leader proposes from a state that has long changed, as one does that was deposed and
 * returns: each is conditional, and must come to nothing.
 */
export function strangeSystemCommand(dice: Dice, around: Knowledge): LoggedCommand {
  const lease = `l${dice.whole(1, 5)}` as LeaseId;
  const session = around.lastSession ?? ('s1' as SessionId);
  const election = `e${dice.whole(1, 4)}`;
  const latest = around.tokenOf(election) as FencingToken;
  const token = dice.pick([latest, latest - 1n]) as FencingToken;
  const touchedAtMs = dice.pick([0, around.clusterTimeMs]);
  const command = dice.pick<SystemCommand>([
    { type: 'expire-leases', leases: [{ lease, renewals: dice.whole(0, 3) }] },
    { type: 'expire-sessions', sessions: [{ session, touchedAtMs }] },
    { type: 'end-grants', grants: [{ election, token }] },
    { type: 'remove-elections', elections: [election, 'never heard of'] },
    { type: 'set-wall-offset', wallOffsetMs: dice.whole(-5_000, 5_000) },
    { type: 'raise-feature-level', level: 1 },
    { type: 'initialize', tokenBase: token, settings: DEFAULT_SETTINGS, featureLevel: 1 },
  ]);
  return { stamp: undefined, command };
}
