import type { LogIndex, NodeId, Term } from '@raftd/raft';
import { describe, it } from 'vitest';
import {
  appliedInOrder,
  bounded,
  commitMonotonic,
  durableBeforeSent,
  leaderAppendOnly,
  leaderStartsClean,
  logOrdered,
  preVoteHarmless,
  progressTrue,
  roleConsistent,
  termMonotonic,
  truncationJustified,
  voteOnce,
} from '../../src/index.js';
import {
  applied,
  crashed,
  entry,
  expectBroken,
  HandCluster,
  hardState,
  leading,
  log,
  progress,
  received,
  sent,
  written,
} from '../support/cluster-by-hand.js';

const append = received({ type: 'append-request', from: 'b', to: 'a', term: 2 });
const grant = { type: 'vote-response', from: 'a', granted: true } as const;

describe('S1, terms never decrease', () => {
  it('refuses a term that falls in memory', () => {
    const [cluster, invariant] = [new HandCluster('a'), termMonotonic()];
    cluster.step(invariant, 'a', { term: 5 });
    expectBroken(invariant, () => cluster.step(invariant, 'a', { term: 4 }));
  });

  it('refuses a boot below the durable term', () => {
    const [cluster, invariant] = [new HandCluster('a'), termMonotonic()];
    cluster.set('a', { durable: { hardState: hardState(5), entries: [] } });
    cluster.step(invariant, 'a', { term: 5 }, { type: 'boot' });
    expectBroken(invariant, () => cluster.step(invariant, 'a', { term: 4 }, { type: 'boot' }));
  });

  it('refuses a term that falls on disk', () => {
    const [cluster, invariant] = [new HandCluster('a'), termMonotonic()];
    cluster.set('a', { durable: { hardState: hardState(5), entries: [] } });
    cluster.tell(invariant, written('a', hardState(5)));
    cluster.set('a', { durable: { hardState: hardState(4), entries: [] } });
    expectBroken(invariant, () => cluster.tell(invariant, written('a', hardState(4))));
  });
});

describe('S2, one vote a term', () => {
  it('refuses a second grant in a term, also in a later life', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b', 'c'), voteOnce()];
    cluster.tell(invariant, sent({ ...grant, to: 'b', term: 3 }));
    cluster.tell(invariant, sent({ ...grant, to: 'b', term: 3 }));
    cluster.tell(invariant, sent({ ...grant, to: 'c', term: 4 }));
    cluster.tell(invariant, crashed('a'));
    expectBroken(invariant, () => cluster.tell(invariant, sent({ ...grant, to: 'c', term: 3 })));
  });

  it('counts a campaign as a vote for oneself', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b', 'c'), voteOnce()];
    cluster.tell(invariant, sent({ type: 'vote-request', from: 'a', to: 'c', term: 3 }));
    expectBroken(invariant, () => cluster.tell(invariant, sent({ ...grant, to: 'b', term: 3 })));
  });

  it('refuses a vote that is cleared without a new term (R-001)', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), voteOnce()];
    cluster.step(invariant, 'a', { term: 3, votedFor: 'b' });
    expectBroken(invariant, () => cluster.step(invariant, 'a', { votedFor: undefined }));
  });
});

describe('S3, durable before sent', () => {
  it('refuses a message of a term that is not durable', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), durableBeforeSent()];
    cluster.set('a', { durable: { hardState: hardState(2), entries: [] } });
    cluster.tell(invariant, sent({ type: 'append-accepted', from: 'a', to: 'b', term: 2 }));
    cluster.tell(invariant, sent({ type: 'pre-vote-request', from: 'a', to: 'b', term: 3 }));
    expectBroken(invariant, () =>
      cluster.tell(invariant, sent({ type: 'append-accepted', from: 'a', to: 'b', term: 3 })),
    );
  });

  it('refuses a grant and a campaign whose vote is not durable (R-002)', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), durableBeforeSent()];
    cluster.set('a', { durable: { hardState: hardState(3), entries: [] } });
    expectBroken(invariant, () => cluster.tell(invariant, sent({ ...grant, to: 'b', term: 3 })));
    expectBroken(invariant, () =>
      cluster.tell(invariant, sent({ type: 'vote-request', from: 'a', to: 'b', term: 3 })),
    );
  });

  it('refuses a promise longer than the durable one', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), durableBeforeSent()];
    cluster.set('a', { durable: { hardState: hardState(3, undefined, 100), entries: [] } });
    const answer = { type: 'heartbeat-response', from: 'a', to: 'b', term: 3, round: 1 } as const;
    cluster.tell(invariant, sent({ ...answer, promiseMs: 100 }));
    expectBroken(invariant, () => cluster.tell(invariant, sent({ ...answer, promiseMs: 300 })));
  });
});

describe('S4, the commit index', () => {
  it('refuses a commit index that falls (R-015)', () => {
    const [cluster, invariant] = [new HandCluster('a'), commitMonotonic()];
    cluster.step(invariant, 'a', { entries: log(1, 1), commitIndex: 2 });
    expectBroken(invariant, () => cluster.step(invariant, 'a', { commitIndex: 1 }));
  });

  it('refuses a commit index past the last entry', () => {
    const [cluster, invariant] = [new HandCluster('a'), commitMonotonic()];
    expectBroken(invariant, () => cluster.step(invariant, 'a', { commitIndex: 1 }));
  });
});

describe('S5, applied in order', () => {
  it('refuses what is applied twice, skipped or uncommitted; a new life starts over', () => {
    const [cluster, invariant] = [new HandCluster('a'), appliedInOrder()];
    cluster.set('a', { entries: log(1, 1, 1), commitIndex: 2 });
    cluster.tell(invariant, applied('a', entry(1, 1)));
    expectBroken(invariant, () => cluster.tell(invariant, applied('a', entry(1, 1))));
    cluster.tell(invariant, applied('a', entry(2, 1)));
    expectBroken(invariant, () => cluster.tell(invariant, applied('a', entry(3, 1))));
    cluster.tell(invariant, crashed('a'));
    cluster.tell(invariant, applied('a', entry(1, 1)));
    expectBroken(invariant, () => cluster.tell(invariant, applied('a', entry(3, 1))));
  });
});

describe('S6, the log in order', () => {
  it('refuses a gap, falling terms, falling cluster time and a term from the future', () => {
    const broken = [
      [entry(1, 1), entry(3, 1)],
      [entry(1, 2), entry(2, 1)],
      [{ ...entry(1, 1), clusterTimeMs: 9 }, entry(2, 1)],
      [entry(1, 3)],
    ];
    for (const entries of broken) {
      const [cluster, invariant] = [new HandCluster('a'), logOrdered()];
      expectBroken(invariant, () => cluster.step(invariant, 'a', { term: 2, entries }));
    }
  });

  it('refuses an applied index above the commit index', () => {
    const [cluster, invariant] = [new HandCluster('a'), logOrdered()];
    cluster.step(invariant, 'a', { entries: log(1, 1), commitIndex: 1, appliedIndex: 1 });
    expectBroken(invariant, () => cluster.step(invariant, 'a', { appliedIndex: 2 }));
  });
});

describe('S8, a leader only appends', () => {
  it('refuses a leader that removes an entry', () => {
    const [cluster, invariant] = [new HandCluster('a'), leaderAppendOnly()];
    cluster.step(invariant, 'a', leading('a', 2, { entries: log(1, 2) }));
    cluster.step(invariant, 'a', { entries: log(1, 2, 2) });
    expectBroken(invariant, () => cluster.step(invariant, 'a', { entries: log(1) }));
  });
});

describe('S9, truncation', () => {
  const write = (truncateFrom: number, first: number) =>
    ({
      type: 'write-started',
      node: 'a' as NodeId,
      write: {
        hardState: undefined,
        truncateFrom: truncateFrom as LogIndex,
        entries: [entry(truncateFrom, first)],
        lastIndex: truncateFrom as LogIndex,
        lastTerm: first as Term,
      },
    }) as const;

  it('refuses to remove a committed entry', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), truncationJustified()];
    cluster.step(invariant, 'a', { entries: log(1, 1), commitIndex: 2 });
    expectBroken(invariant, () =>
      cluster.step(invariant, 'a', { term: 2, entries: log(1, 2) }, append),
    );
  });

  it('refuses to remove entries without another in their place, or without a leader', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), truncationJustified()];
    cluster.step(invariant, 'a', { entries: log(1, 1) });
    expectBroken(invariant, () => cluster.step(invariant, 'a', { entries: log(1) }, append));
    cluster.step(invariant, 'a', { entries: log(1, 1) });
    expectBroken(invariant, () => cluster.step(invariant, 'a', { term: 2, entries: log(1, 2) }));
  });

  it('refuses to rewrite on disk what was not removed from memory (R-014)', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), truncationJustified()];
    cluster.step(invariant, 'a', { entries: log(1, 1) });
    cluster.step(invariant, 'a', { term: 2, entries: log(1, 2) }, append);
    cluster.tell(invariant, write(2, 2));
    expectBroken(invariant, () => cluster.tell(invariant, write(2, 2)));
  });
});

describe('S18, what a leader knows of its peers', () => {
  const leader = leading('a', 2, { entries: log(1, 2) });

  it('accepts a match that the peer has on disk', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), progressTrue()];
    cluster.set('b', { durable: { hardState: hardState(2), entries: log(1, 2) } });
    cluster.step(invariant, 'a', { ...leader, progress: { b: progress(0, 2) } });
    cluster.step(invariant, 'a', { progress: { b: progress(2, 3) } });
  });

  it('refuses a match that the peer does not have on disk, or has otherwise', () => {
    for (const entries of [log(1), log(1, 1)]) {
      const [cluster, invariant] = [new HandCluster('a', 'b'), progressTrue()];
      cluster.set('b', { durable: { hardState: hardState(2), entries } });
      cluster.step(invariant, 'a', { ...leader, progress: { b: progress(0, 2) } });
      expectBroken(invariant, () =>
        cluster.step(invariant, 'a', { progress: { b: progress(2, 3) } }),
      );
    }
  });

  it('refuses a match that falls, reaches next, or passes the log', () => {
    for (const [match, next] of [
      [1, 3],
      [2, 2],
      [2, 4],
    ] as const) {
      const [cluster, invariant] = [new HandCluster('a', 'b'), progressTrue()];
      cluster.set('b', { durable: { hardState: hardState(2), entries: log(1, 2) } });
      cluster.step(invariant, 'a', { ...leader, progress: { b: progress(0, 2) } });
      cluster.step(invariant, 'a', { progress: { b: progress(2, 3) } });
      expectBroken(invariant, () =>
        cluster.step(invariant, 'a', { progress: { b: progress(match, next) } }),
      );
    }
  });

  it('refuses bytes in flight in no message', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), progressTrue()];
    const b = { ...progress(0, 1), inflightBytes: 10 };
    expectBroken(invariant, () => cluster.step(invariant, 'a', { ...leader, progress: { b } }));
  });
});

describe('S19, a new leader knows nothing', () => {
  it('refuses a match or a waiting read from an earlier leadership', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), leaderStartsClean()];
    cluster.step(invariant, 'a', { ...leading('a', 2), progress: { b: progress(0, 1) } });
    const third = { ...leading('a', 3), progress: { b: progress(1, 2) } };
    expectBroken(invariant, () => cluster.step(invariant, 'a', third));
    const fourth = { ...leading('a', 4), progress: {}, pendingReads: 1 };
    expectBroken(invariant, () => cluster.step(invariant, 'a', fourth));
  });
});

describe('S31, a pre-vote request is harmless', () => {
  it('refuses one that touches term, vote or timer', () => {
    const asked = received({ type: 'pre-vote-request', from: 'b', to: 'a', term: 9 });
    for (const change of [{ term: 9 }, { votedFor: 'b' }, { electionDeadlineMs: 999 }]) {
      const [cluster, invariant] = [new HandCluster('a', 'b'), preVoteHarmless()];
      cluster.step(invariant, 'a', {}, asked);
      expectBroken(invariant, () => cluster.step(invariant, 'a', change, asked));
    }
  });
});

describe('S32, everything has a limit', () => {
  const limits = {
    inflightMessagesMax: 2,
    inflightBytesMax: 100,
    appendBytesMax: 10,
    pendingReadsMax: 5,
  };

  it('refuses a window, a queue of reads or held messages beyond it', () => {
    const over = [
      { progress: { b: { ...progress(0, 1), inflightMessages: 3, inflightBytes: 1 } } },
      { progress: { b: { ...progress(0, 1), inflightMessages: 1, inflightBytes: 111 } } },
      { pendingReads: 6 },
      { heldMessages: 19 },
    ];
    for (const change of over) {
      const [cluster, invariant] = [new HandCluster('a', 'b'), bounded(limits)];
      expectBroken(invariant, () => cluster.step(invariant, 'a', leading('a', 1, change)));
    }
  });

  it('refuses a window that holds what is acknowledged, to its last entry', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), bounded(limits)];
    const inflight = (match: number, oldest: number): Parameters<typeof leading>[2] => ({
      progress: {
        b: {
          ...progress(match, 9),
          inflightMessages: 1,
          inflightBytes: 1,
          oldestInflight: oldest as LogIndex,
        },
      },
    });
    cluster.step(invariant, 'a', leading('a', 1, inflight(4, 5)));
    expectBroken(invariant, () => cluster.step(invariant, 'a', inflight(5, 5) ?? {}));
    expectBroken(invariant, () => cluster.step(invariant, 'a', inflight(6, 5) ?? {}));
  });
});

describe('S33, roles', () => {
  it('refuses to win without being a candidate, and to fall from leader to candidate', () => {
    const [cluster, invariant] = [new HandCluster('a'), roleConsistent()];
    expectBroken(invariant, () => cluster.step(invariant, 'a', leading('a', 2)));
    expectBroken(invariant, () =>
      cluster.step(invariant, 'a', { role: 'candidate', electionDeadlineMs: 5 }),
    );
  });

  it('refuses a leader without its own durable vote, and a follower without a timer', () => {
    const [cluster, invariant] = [new HandCluster('a'), roleConsistent()];
    expectBroken(invariant, () => cluster.step(invariant, 'a', { electionDeadlineMs: undefined }));
    cluster.step(invariant, 'a', { role: 'candidate', term: 2 });
    const forged = leading('a', 2, { durable: { hardState: hardState(2, 'b'), entries: [] } });
    expectBroken(invariant, () => cluster.step(invariant, 'a', forged));
  });
});
