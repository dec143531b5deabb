import type { Role } from '@raftd/raft';
import type { StormEvent } from '../storm/events.js';

/** How a node is doing, in one character. */
export const ROLE_MARKS: Readonly<Record<Role, string>> = {
  follower: '.',
  'pre-candidate': '?',
  candidate: '%',
  leader: '*',
};
export const DOWN_MARK = ' ';
export const FROZEN_MARK = '~';

/** What just happened to a node, in one character; undefined: how it is doing says it. */
export function eventMark(event: StormEvent): string | undefined {
  switch (event.type) {
    case 'crashed':
      return '!';
    case 'node-ended':
    case 'node-refused':
      return 'X';
    case 'restarted':
      return '^';
    case 'sent':
      return '>';
    case 'delivered':
      return '<';
    case 'lost':
      return 'x';
    case 'write-started':
      return 'w';
    case 'write-done':
      return '$';
    case 'applied':
    case 'machine-applied':
      return '+';
    default:
      return undefined;
  }
}

export const LEGEND: readonly string[] = [
  'marks: * leader, % candidate, ? pre-candidate, . follower, ~ frozen, blank down',
  '       ! crash, ^ restart, X ends or refuses to start, > sends, < hears, x never hears,',
  '       w disk begins, $ disk holds, + applies',
];
