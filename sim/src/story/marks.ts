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
  'state: log 1:5 has entries 1 to 5; com/app committed and applied up to; synced on disk up to',
  'words: 5/1 is entry 5 of term 1; t3 is term 3; n1 a node, c1 a client, k1 a key, e1 an election',
  '       crash … landed whole, torn, nothing: all of the write in flight was on disk when the',
  '       power went, or only its beginning (cut off at the start), or nothing of it',
  '       never hears …: by chance, on a cut link, node-down, stale-connection (made with a former',
  '       process of the receiver), not-connected (the sender had no connection)',
];
