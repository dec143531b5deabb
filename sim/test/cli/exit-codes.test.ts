import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../src/cli/exit-codes.js';

describe('the exit code of a failure', () => {
  it.each([
    ['undecided', 1],
    ['assertion', 127],
    ['crash', 127],
    ['liveness', 128],
    ['S10', 129],
    ['linearizability', 129],
  ])('found by %s is %i', (checker, code) => {
    expect(exitCodeOf(checker)).toBe(code);
  });
});
