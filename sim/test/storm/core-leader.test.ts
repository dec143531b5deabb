import type { LogIndex, NodeId, Term } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import { type CoreMember, leaderOfCore, progressOf } from '../../src/storm/core-leader.js';

interface Given {
  readonly role?: 'leader' | 'follower';
  readonly term?: number;
  readonly leader?: string;
  readonly commitIndex?: number;
  readonly commitTerm?: number;
}

function member(id: string, given: Given = {}): CoreMember {
  const { role = 'follower', term = 4, leader = 'n1', commitIndex = 9, commitTerm = 4 } = given;
  const view = {
    role,
    term: term as Term,
    leaderId: leader as NodeId,
    commitIndex: commitIndex as LogIndex,
  };
  return { id: id as NodeId, view, commitTerm };
}

const LEADER = member('n1', { role: 'leader' });
const BEFORE = { commitIndex: 9, term: 4 };

describe('the leader of a healthy core', () => {
  it('is followed by all of it and has committed in its term', () => {
    expect(leaderOfCore([LEADER, member('n2'), member('n3')], BEFORE)).toBe('n1');
  });

  it.each([
    ['is of an earlier term than one of them knew', [LEADER, member('n2', { term: 5 })]],
    ['has one who follows another', [LEADER, member('n2', { leader: 'n3' })]],
    ['has one who is of an earlier term', [LEADER, member('n2', { term: 3 })]],
    ['has one who is down', [LEADER, { ...member('n2'), view: undefined }]],
    ['is none by its role', [member('n1'), member('n2')]],
    [
      'has committed nothing in its term',
      [member('n1', { role: 'leader', commitTerm: 3 }), member('n2')],
    ],
    [
      'lacks what was committed before',
      [member('n1', { role: 'leader', commitIndex: 8 }), member('n2', { commitIndex: 9 })],
    ],
  ])('is nobody if he %s', (_, core: readonly CoreMember[]) => {
    expect(leaderOfCore(core, progressOf([...core, member('n9')]))).toBeUndefined();
  });

  it('is not one who was deposed unawares before the core was healed', () => {
    const stale = member('n1', { role: 'leader', term: 3, commitTerm: 3 });
    expect(leaderOfCore([stale, member('n2', { term: 3 })], BEFORE)).toBeUndefined();
  });
});
