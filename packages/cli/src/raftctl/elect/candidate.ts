import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Unique for each process: a host name alone once gave two leaders (kubernetes#61151). */
export function candidateName(chosen: string | undefined): string {
  return chosen ?? `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
}
