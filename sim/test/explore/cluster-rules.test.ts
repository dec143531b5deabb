import type { NodeId } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import { ClusterRules } from '../../src/explore/cluster/cluster-rules.js';
import type { NodeFacts } from '../../src/explore/cluster/facts.js';

describe('S7 between nodes', () => {
  const leaderLog = [ofTerm(1), ofTerm(3)];

  it('takes an acknowledgement of what the leader has', () => {
    expect(judge(facts({ diskLog: leaderLog }), 2)).toBeUndefined();
  });

  it('is broken by one of as many entries that are not those of the leader', () => {
    const other = [ofTerm(1), ofTerm(2)];
    expect(judge(facts({ diskLog: other }), 2)).toMatchObject({ invariant: 'S7' });
    expect(judge(facts({ diskLog: other }), 1)).toBeUndefined();
  });

  it('asks nothing of one to a leader that has gone on', () => {
    const gone = facts({ role: 'follower', term: 4, log: leaderLog });
    expect(judge(facts({}), 2, gone)).toBeUndefined();
  });

  function judge(follower: NodeFacts, index: number, leader = leading()) {
    const nodes = [leader, follower, facts({})];
    const space = {
      ids: ['n1', 'n2', 'n3'] as NodeId[],
      node: (number: number) => ({ position: number, facts: nodes[number] ?? facts({}) }),
    };
    const acknowledged = [{ term: 3, leader: 0, index }];
    return new ClusterRules(space).brokenByAcknowledged([0, 1, 2], 1, acknowledged);
  }

  function leading(): NodeFacts {
    return facts({ role: 'leader', log: leaderLog, diskLog: leaderLog });
  }
});

/** The code of a no-op. */
function ofTerm(term: number): number {
  return term * 256;
}

function facts(change: Partial<NodeFacts>): NodeFacts {
  return {
    term: 3,
    votedFor: undefined,
    role: 'follower',
    hears: undefined,
    commitIndex: 0,
    appliedIndex: 0,
    log: [],
    diskTerm: 3,
    diskVote: undefined,
    diskLog: [],
    matches: [],
    ...change,
  };
}
