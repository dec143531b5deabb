import { DEFAULT_LIMITS, type LogIndex, type NodeId } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import { Checkers } from '../../src/invariants/checkers.js';
import { InvariantBroken } from '../../src/invariants/invariant.js';
import type { ReadKind } from '../../src/world/events.js';
import {
  emptyHistory,
  leaseExclusive,
  promiseKept,
  readFresh,
  type WorldEvent,
} from '../../src/index.js';
import {
  committedHistory,
  crashed,
  expectBroken,
  HandCluster,
  leading,
  log,
  received,
  sent,
} from '../support/cluster-by-hand.js';

function answered(
  appliedIndex: number,
  floorIndex: number,
  readIndex = appliedIndex,
  kind: ReadKind = 'quorum',
): WorldEvent {
  return {
    type: 'read-answered',
    node: 'a' as NodeId,
    kind,
    floorIndex: floorIndex as LogIndex,
    outcome: {
      type: 'served',
      appliedIndex: appliedIndex as LogIndex,
      readIndex: readIndex as LogIndex,
    },
  };
}

/** Who objects first to a read by a leader without a lease, older than what was committed. */
function objector(kind: ReadKind, clocksHold: boolean): unknown {
  const checkers = new Checkers(new HandCluster('a', 'b'), DEFAULT_LIMITS, { clocksHold });
  try {
    checkers.observe(answered(2, 3, 2, kind));
    return undefined;
  } catch (error) {
    return error instanceof InvariantBroken ? error.invariant : error;
  }
}

describe('S23, fresh reads', () => {
  it('asks of reads by lease only while clocks keep their bound, of others always', () => {
    expect([objector('lease', true), objector('quorum', true)]).toEqual(['S23', 'S23']);
    // That a lease is covered by promises is a matter of the leader's own clock.
    expect([objector('lease', false), objector('quorum', false)]).toEqual(['S24', 'S23']);
  });

  it('refuses an answer older than what was committed when it was asked for (R-056)', () => {
    const history = emptyHistory();
    committedHistory(history, log(1, 1, 1), 1);
    const [cluster, invariant] = [new HandCluster('a', 'b'), readFresh(history)];
    cluster.tell(invariant, answered(3, 3));
    cluster.tell(invariant, answered(3, 2));
    expectBroken(invariant, () => {
      cluster.tell(invariant, answered(2, 3));
    });
  });

  it('refuses an answer before its read index is applied', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), readFresh(emptyHistory())];
    expectBroken(invariant, () => {
      cluster.tell(invariant, answered(2, 0, 3));
    });
  });

  it('refuses an answer of a leader that has committed nothing of its term', () => {
    const history = emptyHistory();
    committedHistory(history, log(1, 1), 1);
    const [cluster, invariant] = [new HandCluster('a', 'b'), readFresh(history)];
    cluster.step(invariant, 'a', leading('a', 2, { entries: log(1, 1, 2), commitIndex: 2 }));
    expectBroken(invariant, () => {
      cluster.tell(invariant, answered(2, 2));
    });
  });
});

describe('S24, leases exclude later leaders', () => {
  it('refuses a new leader while an older one holds its lease', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), leaseExclusive(emptyHistory())];
    cluster.step(invariant, 'a', { ...leading('a', 2), leaseHeld: true });
    expectBroken(invariant, () => {
      cluster.step(invariant, 'b', leading('b', 3));
    });
  });

  it('refuses an older leader whose lease comes back', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b'), leaseExclusive(emptyHistory())];
    cluster.step(invariant, 'a', leading('a', 2));
    cluster.step(invariant, 'b', { ...leading('b', 3), leaseHeld: true });
    cluster.step(invariant, 'b', {});
    expectBroken(invariant, () => {
      cluster.step(invariant, 'a', { leaseHeld: true });
    });
  });
});

describe('S25, promises are kept', () => {
  const asked = received({
    type: 'heartbeat',
    from: 'a',
    to: 'b',
    term: 2,
    round: 1,
    promiseMs: 300,
  });
  const echo = sent({
    type: 'heartbeat-response',
    from: 'b',
    to: 'a',
    term: 2,
    round: 1,
    promiseMs: 300,
  });

  it('refuses a vote for another before the promise ends, also after a restart', () => {
    for (const restarted of [false, true]) {
      const [cluster, invariant] = [new HandCluster('a', 'b', 'c'), promiseKept()];
      cluster.set('b', { elapsedMs: 1000 });
      cluster.step(invariant, 'b', { term: 2 }, asked);
      cluster.set('b', { elapsedMs: 1100 });
      cluster.tell(invariant, echo);
      if (restarted) cluster.tell(invariant, crashed('b'));
      cluster.set('b', { elapsedMs: 1299 });
      expectBroken(invariant, () => {
        cluster.step(invariant, 'b', { term: 3, votedFor: 'c' });
      });
    }
  });

  it('accepts a vote once it has ended, and at any time for the one who has the promise', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b', 'c'), promiseKept()];
    cluster.set('b', { elapsedMs: 1000 });
    cluster.step(invariant, 'b', { term: 2 }, asked);
    cluster.tell(invariant, echo);
    cluster.step(invariant, 'b', { term: 3, votedFor: 'a' });
    cluster.set('b', { elapsedMs: 1300 });
    cluster.step(invariant, 'b', { term: 4, votedFor: 'c' });
  });

  it('refuses an echo of a round that was never asked', () => {
    const [cluster, invariant] = [new HandCluster('a', 'b', 'c'), promiseKept()];
    expectBroken(invariant, () => {
      cluster.tell(invariant, echo);
    });
  });
});
