import { describe, expect, it } from 'vitest';
import { lengthOf } from '../../src/planted/counterexample.js';

describe('the length of a counterexample', () => {
  it('counts all that happened, and what an adversary decided of it', () => {
    const trace = [
      'three elections, three values, a crash',
      'n1 begins an election and asks n2',
      'n1: the write lands',
      'n1: a client proposes value 1',
      'n2 receives append-request of n1',
      'n2: the write lands',
      'n1 crashes and restarts',
    ];
    expect(lengthOf(trace)).toEqual({ steps: 6, decisions: 3 });
  });

  it('counts no step that only says which world it is, and a request once', () => {
    const asked = ['lease-grant of A is applied', 'the answer to lease-grant of A is heard'];
    expect(lengthOf(['variant 1', 'variant 2', ...asked])).toEqual({ steps: 2, decisions: 1 });
    expect(lengthOf([...asked, 'A sends renewal 1'])).toEqual({ steps: 3, decisions: 1 });
  });
});
