import type { LeaderHint, Welcome } from '@raftd/protocol';
import { describe, expect, it } from 'vitest';
import { backOffMs } from '../src/back-off.js';
import { Endpoints, parseEndpoints } from '../src/endpoints.js';
import { RaftdError } from '../src/errors.js';

const hint = (term: number, id: string): LeaderHint =>
  ({ term, id, address: `${id}:7400` }) as LeaderHint;

const welcome = (nodeId: string, leader: LeaderHint | undefined): Welcome =>
  ({
    type: 'welcome',
    protocolVersion: 1,
    clusterId: 'c',
    nodeId,
    leader,
    members: ['n1', 'n2', 'n3'].map((id) => ({ id, address: `${id}:7400` })),
    clusterTimeMs: 0,
    featureLevel: 1,
  }) as unknown as Welcome;

describe('endpoints', () => {
  it('are a list in one string, several strings, bare or with ws://', () => {
    const three = ['n1:1', 'n2:2', '[::1]:3'];
    expect(parseEndpoints('ws://n1:1,n2:2, ws://[::1]:3/')).toEqual(three);
    expect(parseEndpoints(['n1:1', 'ws://n2:2', '[::1]:3', 'n1:1'])).toEqual(three);
  });

  it.each(['', 'n1', 'n1:0', 'n1:70000', 'wss://n1:1', 'http://n1:1', 'n1:1 n2:2', 'ws://n1:1/x'])(
    'are refused by name when malformed: %j',
    (text) => {
      expect(() => parseEndpoints(text)).toThrow(RaftdError);
      expect(() => parseEndpoints(text)).toThrow(/endpoints/);
    },
  );

  it('K-077: a redirect to the leader of an older term is ignored', () => {
    const endpoints = new Endpoints(['n1:7400'], () => 0);
    expect(endpoints.noteLeader(hint(9, 'n2'), undefined)).toBe(true);
    expect(endpoints.noteLeader(hint(8, 'n3'), undefined)).toBe(false);
    expect(endpoints.leaderAddress()).toBe('n2:7400');
  });

  it('do not go back to a leader that failed on the word of others, but on its own', () => {
    const endpoints = new Endpoints(['n1:7400'], () => 0);
    endpoints.noteLeader(hint(9, 'n2'), undefined);
    endpoints.failed('n2:7400');
    expect(endpoints.leaderAddress()).toBeUndefined();
    expect(endpoints.noteLeader(hint(9, 'n2'), 'n3' as never)).toBe(false);
    expect(endpoints.noteLeader(hint(9, 'n2'), 'n2' as never)).toBe(true);
    expect(endpoints.leaderAddress()).toBe('n2:7400');
    endpoints.failed('n2:7400');
    expect(endpoints.noteLeader(hint(10, 'n3'), 'n1' as never)).toBe(true);
    expect(endpoints.leaderAddress()).toBe('n3:7400');
  });

  it('take every address in turn, and those that members name on top', () => {
    const endpoints = new Endpoints(['seed:1', 'n2:7400'], () => 0);
    expect([endpoints.next(), endpoints.next(), endpoints.next()]).toEqual([
      'seed:1',
      'n2:7400',
      'seed:1',
    ]);
    endpoints.welcomed('seed:1', welcome('n1', undefined));
    expect(endpoints.addresses).toEqual(['seed:1', 'n2:7400', 'n3:7400']);
  });

  it('reach a node where it was reached before, not where it says it is', () => {
    const endpoints = new Endpoints(['localhost:17400'], () => 0);
    endpoints.welcomed('localhost:17400', welcome('n1', hint(3, 'n1')));
    expect(endpoints.leaderAddress()).toBe('localhost:17400');
  });
});

describe('back-off', () => {
  it('is full jitter between a floor and a doubling ceiling with a cap', () => {
    expect(backOffMs(0, () => 0)).toBe(10);
    expect(backOffMs(0, () => 1)).toBe(25);
    expect(backOffMs(3, () => 1)).toBe(200);
    expect(backOffMs(60, () => 1)).toBe(500);
    expect(backOffMs(60, () => 0)).toBe(10);
  });
});
