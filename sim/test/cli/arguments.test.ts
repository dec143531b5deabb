import { describe, expect, it } from 'vitest';
import {
  decimal,
  oneOf,
  parseSeed,
  seedAt,
  showSeed,
  wholeNumber,
} from '../../src/cli/arguments.js';
import { defaultSeed, seedOfCommit } from '../../src/cli/run-seed.js';

describe('arguments', () => {
  it('a seed is decimal or hexadecimal, and shown as the latter', () => {
    expect(parseSeed('0xCBFE011')).toBe(0xcbfe011);
    expect(parseSeed('4294967295')).toBe(0xffff_ffff);
    expect(showSeed(7)).toBe('0x00000007');
  });

  it.each(['', '-1', '1.5', '4294967296', '0x100000000', 'n1'])('%j is no seed', (text) => {
    expect(() => parseSeed(text)).toThrow(/hexadecimal after 0x, up to 0xffffffff/);
  });

  it('after the last seed comes 0 again', () => {
    expect(seedAt(0xffff_fffe, 3)).toBe(1);
  });

  it('a number out of range is told the range', () => {
    const seeds = wholeNumber('--seeds', { min: 1, max: 10 });
    expect(seeds('10')).toBe(10);
    expect(() => seeds('11')).toThrow('--seeds 11: from 1 to 10');
    expect(() => seeds('two')).toThrow('--seeds two: a whole number is wanted');
    expect(decimal('--minutes', { min: 0, max: 5 })('0.5')).toBe(0.5);
  });

  it('an unknown name is told the names', () => {
    expect(() => oneOf('--class', ['a', 'b'])('z')).toThrow('--class z: there are a, b');
  });

  it('a run without a seed takes it from RAFTD_SEED, else from the commit', () => {
    expect(defaultSeed({ RAFTD_SEED: '0x10' })).toEqual({ seed: 16, origin: 'RAFTD_SEED' });
    expect(() => defaultSeed({ RAFTD_SEED: 'today' })).toThrow('seed today');
    expect(seedOfCommit('cbfe0113a0')).toBe(0xcbfe0113);
  });
});
