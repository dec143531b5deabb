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

  it('counts no step that only says which world it is, and each of a scope that says none', () => {
    expect(lengthOf(['variant 3', 'A asks for a lease'])).toEqual({ steps: 1, decisions: 1 });
    expect(
      lengthOf(['A asks for a lease', 'the leader decides it', 'time passes: step 1']),
    ).toEqual({ steps: 3, decisions: 1 });
  });
});
