import type { NodeId } from '@raftd/raft';
import type { CoreView } from '../world/core-view.js';

/** A node of the healthy core, as far as leading it goes. */
export interface CoreMember {
  readonly id: NodeId;
  /** Undefined: it is down. */
  readonly view: Pick<CoreView, 'role' | 'term' | 'commitIndex' | 'leaderId'> | undefined;
  /** Of the entry at its commit index. */
  readonly commitTerm: number | undefined;
}

/** What the core had committed at a moment, and the latest term that it knew of. */
export interface CoreProgress {
  readonly commitIndex: number;
  readonly term: number;
}

export function progressOf(core: readonly CoreMember[]): CoreProgress {
  return {
    commitIndex: Math.max(...core.map(({ view }) => view?.commitIndex ?? 0)),
    term: Math.max(...core.map(({ view }) => view?.term ?? 0)),
  };
}

/**
 * The leader of the core: of no earlier term than any of its nodes knew of when it was healed, with
 * all that was committed then and an entry of its own term, and followed by all of them. One that
 * was deposed unawares is none, however firmly it believes.
 */
export function leaderOfCore(
  core: readonly CoreMember[],
  before: CoreProgress,
): NodeId | undefined {
  const leader = core.find(({ id, view, commitTerm }) => {
    if (view?.role !== 'leader' || view.term < before.term) return false;
    if (view.commitIndex < before.commitIndex || commitTerm !== view.term) return false;
    return core.every((other) => other.id === id || follows(other, id, view.term));
  });
  return leader?.id;
}

function follows({ view }: CoreMember, leader: NodeId, term: number): boolean {
  return view?.term === term && view.leaderId === leader;
}
