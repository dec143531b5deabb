import { FenceError } from '../fence-error.js';

/** Writes that may wait for one database. */
export const MAX_WAITING = 10_000;

interface Line {
  waiting: number;
  tail: Promise<unknown>;
}

// By database, not by guard: two guards over one database must not interleave check and write.
// LevelDB lets one process open a directory, so no other process can come between them.
const lines = new WeakMap<object, Line>();

/** Runs `work` after everything that was asked of this database before, failed or not. */
export function inTurn<T>(database: object, work: () => Promise<T>): Promise<T> {
  const line = lines.get(database) ?? { waiting: 0, tail: Promise.resolve() };
  lines.set(database, line);
  if (line.waiting >= MAX_WAITING) {
    const message = `${MAX_WAITING} writes wait for this database already`;
    return Promise.reject(new FenceError('OVERLOADED', message));
  }
  line.waiting += 1;
  const turn = line.tail.then(work);
  const left = (): void => {
    line.waiting -= 1;
  };
  line.tail = turn.then(left, left);
  return turn;
}
