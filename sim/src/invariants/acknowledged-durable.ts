import type { AppendAccepted, LogIndex, Term } from '@raftd/raft';
import type { ChainHash } from '../world/log-mirror.js';
import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';
import { becameLeader } from './invariant.js';

/**
 * S7: an acknowledgement of i says that everything up to i is durable here and is what the
 * leader of that term has there..
 */
export function acknowledgedDurable(): Invariant {
  /** Of each term's leader, by index; leaders only append (S8), so longer replaces shorter. */
  const leaderLogs = new Map<Term, LeaderEntry[]>();

  return {
    id: 'S7',
    onStepped: (event, cluster) => {
      if (event.after.role !== 'leader') return;
      const fresh = becameLeader(event);
      if (!fresh && event.log.appendedFrom > event.after.lastIndex) return;
      const mirror = cluster.node(event.node).log;
      const known = fresh ? [] : (leaderLogs.get(event.after.term) ?? []);
      for (let index = known.length + 1; index <= mirror.lastIndex; index += 1) {
        const at = index as LogIndex;
        known.push({ term: mirror.termAt(at) ?? 0, chain: mirror.chainAt(at) ?? 0 });
      }
      leaderLogs.set(event.after.term, known);
    },
    onSent: ({ message }, cluster) => {
      if (message.type !== 'append-accepted' || message.matchIndex === 0) return;
      const { disk, log } = cluster.node(message.from);
      const durable = disk.entryAt(message.matchIndex);
      if (durable === undefined) {
        throw broken(message, `durable are only ${disk.lastIndex}`);
      }
      const wanted = leaderLogs.get(message.term)?.[message.matchIndex - 1];
      if (wanted === undefined) return;
      // One that is still to be overwritten is not the leader's, though it is there.
      if (durable.term !== wanted.term) {
        throw broken(message, `durable there is one of term ${durable.term}, not ${wanted.term}`);
      }
      // The log in memory may have moved on to a later leader's since the write.
      if (log.termAt(message.matchIndex) !== durable.term) return;
      if (wanted.chain !== log.chainAt(message.matchIndex)) {
        throw broken(message, 'the leader has another entry there');
      }
    },
  };
}

interface LeaderEntry {
  readonly term: number;
  readonly chain: ChainHash;
}

function broken(message: AppendAccepted, fact: string): InvariantBroken {
  const { from, to, term, matchIndex } = message;
  return new InvariantBroken(
    'S7',
    `${from} acknowledged ${matchIndex} to ${to} in term ${term}, but ${fact}`,
  );
}
