import { InvalidOption, type RaftOptions } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import type { WorldProfile } from '../../src/index.js';
import { checkedWorld, coreWith, coreWithin } from './worlds.js';

const PROFILES: readonly (readonly [
  profile: Partial<WorldProfile>,
  option: string,
  rule: RegExp,
])[] = [
  [{ heartbeatMs: 0 }, 'heartbeatMs', /is 0, not a positive integer/],
  [{ electionTimeoutMs: 0.5 }, 'electionTimeoutMs', /is 0.5, not a positive integer/],
  [{ heartbeatMs: 200 }, 'electionTimeoutMs', /is 300, below twice heartbeatMs \(200\)/],
  [{ clockRateBound: 0.2 }, 'clockRateBound', /is 0.2, not within \[0, 0.1\)/],
  [{ clockRateBound: -0.1 }, 'clockRateBound', /is -0.1/],
  [{ inflightMessagesMax: 0 }, 'limits.inflightMessagesMax', /is 0/],
];

function refusalOf(start: () => void): InvalidOption {
  try {
    start();
  } catch (error) {
    if (error instanceof InvalidOption) return error;
    throw error;
  }
  throw new Error('it started');
}

describe('nodes whose options cannot work do not start, and say which', () => {
  it.each(PROFILES)('%o', (profile, option, rule) => {
    const refusal = refusalOf(() => checkedWorld(profile).start());
    expect(refusal).toMatchObject({ code: 'INVALID_OPTION', option });
    expect(refusal.message).toMatch(rule);
  });

  it('a leader that would ask for longer promises than its voters honour', () => {
    const slow = { heartbeatMs: 10_000, electionTimeoutMs: 90_000 };
    expect(() => checkedWorld(slow).start()).not.toThrow();
    const refusal = refusalOf(() => checkedWorld({ ...slow, leaseReads: true }).start());
    expect(refusal.message).toBe('electionTimeoutMs is 90000, above limits.promiseMsMax (60000)');
  });

  it('a node without a name, and one with a limit of nothing', () => {
    const nameless = { createCore: coreWith(() => ({ id: '' as RaftOptions['id'] })) };
    expect(refusalOf(() => checkedWorld({}, nameless).start()).option).toBe('id');
    const limited = { createCore: coreWithin({ logBytesMax: -1 }) };
    expect(refusalOf(() => checkedWorld({}, limited).start()).option).toBe('limits.logBytesMax');
  });
});
