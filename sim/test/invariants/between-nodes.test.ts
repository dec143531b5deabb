import type { LogIndex } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import {
  acknowledgedDurable,
  appliedAlike,
  commitDurable,
  committedImmutable,
  commitOwnTerm,
  electionQuorum,
  electionSafety,
  emptyHistory,
  leaderCompleteness,
  logMatching,
  voteUpToDate,
} from '../../src/index.js';
import {
  applied,
  committedHistory,
  crashed,
  entry,
  expectBroken,
  HandCluster,
  hardState,
  leading,
  log,
  received,
  sent,
  written,
} from '../support/cluster-by-hand.js';

describe('S7, acknowledgements', () => {
  const accepted = { type: 'append-accepted', from: 'b', to: 'a', term: 2, matchIndex: 2 } as const;

  it('accepts one of what is durable and equal', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), acknowledgedDurable()];
    cluster.step(invariant, 'a', leading('a', 2, { entries: log(1, 2) }));
    const durable = { hardState: hardState(2), entries: log(1, 2) };
    cluster.step(invariant, 'b', { entries: log(1, 2), durable });
    cluster.tell(invariant, sent(accepted));
  });

  it('refuses one of what is not on disk (R-069)', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), acknowledgedDurable()];
    cluster.step(invariant, 'b', { entries: log(1, 2) });
    expectBroken(invariant, () => cluster.tell(invariant, sent(accepted)));
  });

  it('refuses one of an entry that is not the leader’s (R-074)', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), acknowledgedDurable()];
    cluster.step(invariant, 'a', leading('a', 2, { entries: log(1, 2) }));
    const durable = { hardState: hardState(2), entries: log(1, 1) };
    cluster.step(invariant, 'b', { entries: log(1, 1), durable });
    expectBroken(invariant, () => cluster.tell(invariant, sent(accepted)));
  });

  it('refuses one of an entry that is still to overwrite another on disk', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), acknowledgedDurable()];
    cluster.step(invariant, 'a', leading('a', 2, { entries: log(1, 2) }));
    const durable = { hardState: hardState(2), entries: log(1, 1) };
    cluster.step(invariant, 'b', { entries: log(1, 2), durable });
    expectBroken(invariant, () => cluster.tell(invariant, sent(accepted)));
  });

  it('accepts one of what is durable, though memory has moved on to a later leader’s', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), acknowledgedDurable()];
    cluster.step(invariant, 'a', leading('a', 2, { entries: log(1, 2) }));
    const durable = { hardState: hardState(3), entries: log(1, 2) };
    cluster.step(invariant, 'b', { entries: log(1, 3), durable });
    cluster.tell(invariant, sent(accepted));
  });
});

describe('S10, one leader a term', () => {
  it('refuses a second one even when the first is long gone', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), electionSafety(emptyHistory())];
    cluster.step(invariant, 'a', leading('a', 2));
    cluster.step(invariant, 'a', { role: 'follower', term: 3 });
    expectBroken(invariant, () => cluster.step(invariant, 'b', leading('b', 2)));
  });
});

describe('S11, log matching', () => {
  it('refuses another payload, and another past, at the same index and term', () => {
    const invariant = logMatching();
    const cluster = new HandCluster('a', 'b', 'c');
    cluster.step(invariant, 'a', { entries: log(1, 1, 2) });
    cluster.step(invariant, 'b', { entries: log(1, 1) });
    expectBroken(invariant, () =>
      cluster.step(invariant, 'b', { entries: [...log(1, 1), entry(3, 2, 8)] }),
    );
    expectBroken(invariant, () => cluster.step(invariant, 'c', { entries: log(1, 2, 2) }));
  });

  it('remembers logs that are gone', () => {
    const [cluster, invariant] = [new HandCluster('a'), logMatching()];
    cluster.step(invariant, 'a', { entries: [entry(1, 1, 7)] });
    cluster.step(invariant, 'a', { entries: [] });
    expectBroken(invariant, () => cluster.step(invariant, 'a', { entries: [entry(1, 1, 8)] }));
  });
});

describe('S12, leader completeness', () => {
  it('refuses a leader that lacks what an earlier term committed', () => {
    const history = emptyHistory();
    committedHistory(history, log(1, 1), 1);
    const [cluster, invariant] = [new HandCluster('a', 'b'), leaderCompleteness(history)];
    cluster.step(invariant, 'a', leading('a', 2, { entries: log(1, 1, 2) }));
    expectBroken(invariant, () =>
      cluster.step(invariant, 'b', leading('b', 3, { entries: log(1) })),
    );
  });

  it('asks nothing of the leader of an earlier term', () => {
    const history = emptyHistory();
    committedHistory(history, log(1, 4), 4);
    const [cluster, invariant] = [new HandCluster('a', 'b'), leaderCompleteness(history)];
    cluster.step(invariant, 'b', leading('b', 3, { entries: log(1) }));
    expect(history.committed).toHaveLength(2);
  });
});

describe('S13, applied alike', () => {
  it('refuses another sequence on another node, and in another life', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), appliedAlike()];
    cluster.tell(invariant, applied('a', entry(1, 1)));
    cluster.tell(invariant, applied('a', entry(2, 1)));
    expectBroken(invariant, () => cluster.tell(invariant, applied('b', entry(1, 1, 9))));
    cluster.tell(invariant, crashed('a'));
    cluster.tell(invariant, applied('a', entry(1, 1)));
    expectBroken(invariant, () => cluster.tell(invariant, applied('a', entry(2, 2))));
  });
});

describe('S14, committed for ever', () => {
  it('refuses another entry at a committed index, also after everyone forgot it', () => {
    const history = emptyHistory();
    const [cluster, invariant] = [new HandCluster('a', 'b'), committedImmutable(history)];
    cluster.step(invariant, 'a', { entries: log(1, 1), commitIndex: 2 });
    expect(history.committed.map(({ index }) => index)).toEqual([1, 2]);
    cluster.step(invariant, 'b', { entries: log(1, 1), commitIndex: 1 });
    expectBroken(invariant, () =>
      cluster.step(invariant, 'b', { entries: log(1, 2), commitIndex: 2 }),
    );
  });
});

describe('S15, committed is durable on a quorum', () => {
  const candidate = leading('a', 1, { entries: log(1) });

  it('counts disks, those of nodes that are down too, and not the leader’s memory (R-024)', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b', 'c'), commitDurable()];
    cluster.step(invariant, 'a', {
      ...candidate,
      durable: { hardState: hardState(1, 'a'), entries: [] },
    });
    const held = { hardState: hardState(1), entries: log(1) };
    cluster.set('b', { durable: held, isUp: false });
    expectBroken(invariant, () => cluster.step(invariant, 'a', { commitIndex: 1 }));
    cluster.set('a', { commitIndex: 0 });
    cluster.set('c', { durable: held });
    cluster.step(invariant, 'a', { commitIndex: 1 });
  });

  it('needs the same entry, not just one at that index; half of four is no quorum', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b', 'c', 'd'), commitDurable()];
    cluster.step(invariant, 'a', candidate);
    cluster.set('b', { durable: { hardState: hardState(1), entries: log(1) } });
    cluster.set('c', { durable: { hardState: hardState(1), entries: log(2) } });
    expectBroken(invariant, () => cluster.step(invariant, 'a', { commitIndex: 1 }));
  });
});

describe('S16, elected by a quorum', () => {
  it('refuses a winner with too few durable votes, and votes counted twice', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b', 'c'), electionQuorum()];
    cluster.tell(invariant, written('a', hardState(2, 'a')));
    cluster.tell(invariant, written('a', hardState(2, 'a', 300)));
    cluster.tell(invariant, written('b', hardState(1, 'a')));
    expectBroken(invariant, () => cluster.step(invariant, 'a', leading('a', 2)));
  });

  it('accepts votes that later terms have replaced', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b', 'c'), electionQuorum()];
    cluster.tell(invariant, written('a', hardState(2, 'a')));
    cluster.tell(invariant, written('b', hardState(2, 'a')));
    cluster.tell(invariant, written('b', hardState(3, 'c')));
    cluster.step(invariant, 'a', leading('a', 2));
  });
});

describe('S17, votes for up-to-date logs', () => {
  const asked = (lastIndex: number, lastTerm: number) =>
    received({ type: 'vote-request', from: 'b', to: 'a', term: 5, lastIndex, lastTerm });

  it('refuses a vote for a shorter log of the same term, or one of an older term', () => {
    for (const request of [asked(1, 2), asked(9, 1)]) {
      const [cluster, invariant] = [new HandCluster('a', 'b'), voteUpToDate()];
      cluster.step(invariant, 'a', { term: 4, entries: log(1, 2) });
      expectBroken(invariant, () =>
        cluster.step(invariant, 'a', { term: 5, votedFor: 'b' }, request),
      );
    }
  });

  it('accepts a vote for an equal log, or for a shorter one of a newer term', () => {
    for (const request of [asked(2, 2), asked(1, 3)]) {
      const [cluster, invariant] = [new HandCluster('a', 'b'), voteUpToDate()];
      cluster.step(invariant, 'a', { term: 4, entries: log(1, 2) });
      cluster.step(invariant, 'a', { term: 5, votedFor: 'b' }, request);
    }
  });
});

describe('S34, commit in the own term', () => {
  it('refuses to commit an older entry by counting (Figure 3.7)', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b', 'c'), commitOwnTerm()];
    cluster.step(invariant, 'a', leading('a', 4, { entries: log(1, 2, 4) }));
    expectBroken(invariant, () => cluster.step(invariant, 'a', { commitIndex: 2 }));
    cluster.set('a', { commitIndex: 0 });
    cluster.step(invariant, 'a', { commitIndex: 3 });
    expect(cluster.node('a').log.termAt(3 as LogIndex)).toBe(4);
  });
});
