import type { StormEvent } from '../storm/events.js';

/** Steps that changed nothing one would look at: most ticks, most heartbeats. */
export function isQuiet(event: StormEvent): boolean {
  if (event.type !== 'stepped') return false;
  const { before, after, log } = event;
  return (
    before !== undefined &&
    before.role === after.role &&
    before.term === after.term &&
    before.commitIndex === after.commitIndex &&
    before.votedFor === after.votedFor &&
    before.lastIndex === after.lastIndex &&
    log.truncatedFrom === undefined
  );
}
