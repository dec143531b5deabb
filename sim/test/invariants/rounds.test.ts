import type { LogIndex, NodeId } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import { type Invariant, leaseCovered, readConfirmed, type WorldEvent } from '../../src/index.js';
import { expectBroken, HandCluster, leading, received, sent } from '../support/cluster-by-hand.js';

const READ = { type: 'read' } as const;

/** The leader `a` of term 2, as a checker sees it. */
class Leader {
  readonly cluster: HandCluster;
  readonly #invariant: Invariant;

  constructor(invariant: Invariant, ...ids: readonly string[]) {
    this.cluster = new HandCluster(...ids);
    this.#invariant = invariant;
    this.cluster.step(invariant, 'a', { role: 'candidate', term: 2 });
    this.cluster.step(invariant, 'a', leading('a', 2));
  }

  sends(round: number, atMs = 0, term = 2): void {
    this.cluster.set('a', { elapsedMs: atMs });
    for (const { id } of this.cluster.nodes) {
      if (id === 'a') continue;
      const beat = { type: 'heartbeat', from: 'a', to: id, term, round, promiseMs: 1000 } as const;
      this.cluster.tell(this.#invariant, sent(beat));
    }
  }

  registers(readId: number): void {
    this.cluster.step(this.#invariant, 'a', { lastReadId: readId }, READ);
  }

  /** And at once: what it confirms, and how long it counts on its lease from now. */
  hears(
    from: string,
    round: number,
    { atMs = 0, term = 2, promiseMs = 1000, ...then }: HeardThen = {},
  ): void {
    const message = { type: 'heartbeat-response', from, to: 'a', term, round, promiseMs } as const;
    const confirmedReads = (then.confirms ?? []).map((readId) => ({
      readId,
      index: 1 as LogIndex,
    }));
    const change = { elapsedMs: atMs, confirmedReads, leaseLeftMs: then.leaseLeftMs };
    this.cluster.step(this.#invariant, 'a', change, received(message));
  }

  ticks(atMs: number, leaseHeld: boolean): void {
    const change = { elapsedMs: atMs, leaseHeld, leaseLeftMs: undefined };
    this.cluster.step(this.#invariant, 'a', change);
  }

  serves(atMs: number): void {
    this.cluster.set('a', { elapsedMs: atMs });
    this.cluster.tell(this.#invariant, LEASE_READ);
  }
}

interface HeardThen {
  readonly atMs?: number;
  readonly term?: number;
  readonly promiseMs?: number;
  readonly confirms?: readonly number[];
  readonly leaseLeftMs?: number;
}

const LEASE_READ: WorldEvent = {
  type: 'read-answered',
  node: 'a' as NodeId,
  kind: 'lease',
  floorIndex: 1 as LogIndex,
  outcome: { type: 'served', appliedIndex: 1 as LogIndex, readIndex: 1 as LogIndex },
};

describe('S23, reads are confirmed by rounds that left after them', () => {
  it('accepts a read once a quorum answered a later round, and one that waits to be taken', () => {
    const invariant = readConfirmed();
    const leader = new Leader(invariant, 'a', 'b', 'c', 'd', 'e');
    leader.sends(1);
    leader.registers(1);
    leader.sends(2);
    leader.hears('b', 2);
    leader.hears('b', 2);
    leader.hears('c', 2, { confirms: [1] });
    leader.hears('d', 1, { confirms: [1] });
  });

  it('refuses one that joined the round under way', () => {
    const invariant = readConfirmed();
    const leader = new Leader(invariant, 'a', 'b', 'c');
    leader.registers(1);
    leader.sends(1);
    leader.registers(2);
    expectBroken(invariant, () => {
      leader.hears('b', 1, { confirms: [1, 2] });
    });
  });

  it('refuses one whose round too few have answered, the same voter twice', () => {
    const invariant = readConfirmed();
    const leader = new Leader(invariant, 'a', 'b', 'c', 'd', 'e');
    leader.sends(1);
    leader.hears('c', 1);
    leader.registers(1);
    leader.sends(2);
    leader.sends(3);
    leader.hears('b', 2);
    expectBroken(invariant, () => {
      leader.hears('b', 3, { confirms: [1] });
    });
  });

  it('refuses one by answers to rounds of an earlier term, or to none that left', () => {
    for (const answer of [{ round: 1, term: 1 }, { round: 7 }]) {
      const invariant = readConfirmed();
      const leader = new Leader(invariant, 'a', 'b', 'c');
      leader.registers(1);
      leader.sends(1, 0, 1);
      leader.sends(1);
      expectBroken(invariant, () => {
        leader.hears('b', answer.round, { ...answer, confirms: [1] });
      });
    }
  });

  it('refuses one that is confirmed as it is registered, but for a single voter', () => {
    const confirmed = { lastReadId: 1, confirmedReads: [{ readId: 1, index: 1 as LogIndex }] };
    for (const [ids, refused] of [
      [['a'], false],
      [['a', 'b'], true],
    ] as const) {
      const invariant = readConfirmed();
      const { cluster } = new Leader(invariant, ...ids);
      const violate = (): void => {
        cluster.step(invariant, 'a', confirmed, READ);
      };
      if (refused) expectBroken(invariant, violate);
      else violate();
    }
  });

  it('forgets reads and answers with the leadership', () => {
    const invariant = readConfirmed();
    const leader = new Leader(invariant, 'a', 'b', 'c');
    leader.registers(1);
    leader.sends(1);
    leader.hears('b', 1);
    const { cluster } = leader;
    cluster.step(invariant, 'a', { role: 'follower', electionDeadlineMs: 300 });
    cluster.step(invariant, 'a', { role: 'candidate', term: 3 });
    cluster.step(invariant, 'a', leading('a', 3, { lastReadId: 1 }));
    expectBroken(invariant, () => {
      cluster.step(invariant, 'a', { lastReadId: 2 }, READ);
      leader.hears('b', 1, { confirms: [2] });
    });
  });
});

describe('S24, leases end before the promises that cover them', () => {
  /** Promised for 1000 ms: so long on a fast voter's clock is this on a slow leader's. */
  const worstMs = (1000 * 0.99) / 1.01;

  it('accepts a lease up to the worst of both clocks, from when its round left', () => {
    const invariant = leaseCovered();
    const leader = new Leader(invariant, 'a', 'b', 'c');
    leader.sends(1, 500);
    leader.hears('b', 1, { atMs: 540, leaseLeftMs: worstMs - 40 });
    leader.ticks(500 + worstMs, true);
    leader.serves(500 + worstMs);
    leader.ticks(600 + worstMs, false);
  });

  it('refuses one that takes clocks for alike', () => {
    const invariant = leaseCovered();
    const leader = new Leader(invariant, 'a', 'b', 'c');
    leader.sends(1, 500);
    expectBroken(invariant, () => {
      leader.hears('b', 1, { atMs: 540, leaseLeftMs: 990 - 40 });
    });
  });

  it('refuses one that runs from the receipt of an answer', () => {
    const invariant = leaseCovered();
    const leader = new Leader(invariant, 'a', 'b', 'c');
    leader.sends(1, 500);
    expectBroken(invariant, () => {
      leader.hears('b', 1, { atMs: 540, leaseLeftMs: worstMs - 10 });
    });
  });

  it('refuses one by fewer promises than block an election, or shorter ones', () => {
    for (const promiseMs of [0, 500, 1000]) {
      const invariant = leaseCovered();
      const leader = new Leader(invariant, 'a', 'b', 'c', 'd', 'e');
      leader.sends(1, 500);
      leader.hears('b', 1, { atMs: 510 });
      const violate = (): void => {
        leader.hears('c', 1, { atMs: 510, promiseMs, leaseLeftMs: worstMs - 10 });
      };
      if (promiseMs === 1000) violate();
      else expectBroken(invariant, violate);
    }
  });

  it('refuses one by promises of an earlier term, or for a round that never left', () => {
    for (const answer of [{ round: 1, term: 1 }, { round: 2 }]) {
      const invariant = leaseCovered();
      const leader = new Leader(invariant, 'a', 'b', 'c');
      leader.sends(1, 500);
      expectBroken(invariant, () => {
        leader.hears('b', answer.round, { ...answer, atMs: 510, leaseLeftMs: 1 });
      });
    }
  });

  it('refuses one that is held, or read by, after its cover, whatever end it names', () => {
    for (const holds of ['ticks', 'serves'] as const) {
      const invariant = leaseCovered();
      const leader = new Leader(invariant, 'a', 'b', 'c');
      leader.sends(1, 500);
      leader.hears('b', 1, { atMs: 510, leaseLeftMs: 1 });
      expectBroken(invariant, () => {
        leader[holds](501 + worstMs, true);
      });
    }
  });

  it('takes the bound that it is told, and leaves a cluster alone that needs no promise', () => {
    const invariant = leaseCovered(0.09);
    const leader = new Leader(invariant, 'a', 'b', 'c');
    leader.sends(1, 500);
    expect(() => {
      leader.hears('b', 1, { atMs: 500, leaseLeftMs: worstMs });
    }).toThrow('S24');
    new Leader(leaseCovered(), 'a', 'b').ticks(5000, true);
  });
});
