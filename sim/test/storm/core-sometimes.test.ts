import type { LogIndex, Message, NodeId, Term } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import type { Invariant } from '../../src/invariants/invariant.js';
import { CoreSometimes } from '../../src/storm/sometimes/core-sometimes.js';
import { type Sometimes, SometimesTally } from '../../src/storm/sometimes/sometimes.js';
import { type HandNode, HandCluster, leading, log } from '../support/cluster-by-hand.js';

/** Three nodes, told of vote requests by hand. */
class Ballot {
  readonly #cluster = new HandCluster('n1', 'n2', 'n3');
  readonly #tally = new SometimesTally();
  readonly #counted = new CoreSometimes(this.#cluster, this.#tally);
  readonly #teller: Invariant = {
    id: 'S0',
    onStepped: (event) => {
      this.#counted.observe(event);
    },
  };

  step(node: string, change: Partial<HandNode>): void {
    this.#cluster.step(this.#teller, node, change);
  }

  /** What a request for the vote of `node` leaves it as. */
  ask(node: string, from: string, term: number, end: readonly [number, number], after: object) {
    const message: Message = {
      type: 'vote-request',
      from: from as NodeId,
      to: node as NodeId,
      term: term as Term,
      lastIndex: end[0] as LogIndex,
      lastTerm: end[1] as Term,
    };
    this.#cluster.step(this.#teller, node, { term, ...after }, { type: 'message', message });
  }

  count(name: Sometimes): number {
    this.#counted.finish();
    return this.#tally.counts[name];
  }
}

describe('a split vote', () => {
  it('is none if one alone asks and nobody answers', () => {
    const ballot = new Ballot();
    ballot.step('n1', { term: 2, role: 'candidate', votedFor: 'n1' });
    ballot.step('n1', { role: 'pre-candidate' });
    expect(ballot.count('split vote')).toBe(0);
  });

  it('is a term whose votes two have and that nobody wins', () => {
    const ballot = new Ballot();
    ballot.step('n1', { term: 2, role: 'candidate', votedFor: 'n1' });
    ballot.ask('n1', 'n2', 2, [0, 0], {});
    expect(ballot.count('split vote')).toBe(1);
  });

  it('is none if one of the two wins, however late', () => {
    const ballot = new Ballot();
    ballot.step('n1', { term: 2, role: 'candidate', votedFor: 'n1' });
    ballot.ask('n1', 'n2', 2, [0, 0], {});
    ballot.step('n2', leading('n2', 2));
    expect(ballot.count('split vote')).toBe(0);
  });
});

describe('a vote refused for the log', () => {
  it('is one that somebody behind asks for', () => {
    for (const end of [[2, 1] as const, [1, 2] as const]) {
      const ballot = new Ballot();
      ballot.step('n1', { term: 2, entries: log(1, 2) });
      ballot.ask('n1', 'n2', 3, end, {});
      expect(ballot.count('vote refused for the log')).toBe(1);
    }
  });

  it('is none that is withheld from somebody who is up to date', () => {
    const ballot = new Ballot();
    ballot.step('n1', { term: 2, entries: log(1, 2) });
    ballot.ask('n1', 'n2', 3, [2, 2], {});
    expect(ballot.count('vote refused for the log')).toBe(0);
  });
});
