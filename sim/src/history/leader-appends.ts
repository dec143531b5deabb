import type { Entry } from '@raftd/raft';
import type { StormEvent } from '../storm/events.js';

/** Those of its own term that a node appended, as a leader, in this step: what it proposed now. */
export function leaderAppends(event: StormEvent): readonly Entry[] {
  if (event.type !== 'stepped' || event.after.role !== 'leader') return NOTHING;
  const { view, after, log } = event;
  if (log.appendedFrom > after.lastIndex) return NOTHING;
  const entries: Entry[] = [];
  for (let index = log.appendedFrom as number; index <= after.lastIndex; index += 1) {
    const entry = view.entryAt(index as typeof after.lastIndex);
    if (entry?.term === after.term) entries.push(entry);
  }
  return entries;
}

const NOTHING: readonly Entry[] = [];
