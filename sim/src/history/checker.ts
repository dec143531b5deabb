import { InvariantBroken, type InvariantId } from '../invariants/invariant.js';
import type { StormEvent, StormObserver } from '../storm/events.js';
import type { StormProfile } from '../storm/profile.js';
import type { CanonicalLog } from './canonical-log.js';

/** What the checkers need of the world around the events. */
export interface HistoryProbe {
  readonly trueMs: number;
}

/** Throws `InvariantBroken` from `observe` at the moment it sees a fault, or from `finish`. */
export interface StormChecker extends StormObserver {
  /** All that it may name. */
  readonly ids: readonly InvariantId[];
  /** No other event needs to be shown to it. */
  readonly wants: readonly StormEvent['type'][];
  /** Since the core has converged: something that must be shown was not shown yet. */
  isUnshown?(): boolean;
  /** After the last event of the run. */
  finish(): void;
}

/** What all checkers of one run share. */
export interface HistoryContext {
  readonly probe: HistoryProbe;
  readonly profile: StormProfile;
  readonly log: CanonicalLog;
  /** Throws, unless this invariant was left out of the run. */
  readonly broken: Broken;
}

export type Broken = (id: InvariantId, sentence: string) => void;

export function reporter(except: readonly string[]): Broken {
  return (id, sentence) => {
    if (!except.includes(id)) throw new InvariantBroken(id, sentence);
  };
}

/** The checkers that only read the log, or only act at once, have nothing left to do at the end. */
export function nothingLeft(): void {
  return;
}
