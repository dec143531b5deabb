import type { ByteString } from '@raftd/protocol';
import { beforeEach, describe, it } from 'vitest';
import type { Answer, Call, SeenElection, SeenLease } from '../../src/storm/events.js';
import {
  expectBroken,
  expireCommand,
  HandRun,
  putCommand,
  renewCommand,
  revokeCommand,
} from './support/hand-run.js';

const AT_ELECTION = {
  type: 'look',
  at: { type: 'election', election: 'e0' },
  stale: false,
} as const;
const AT_ELECTIONS = { type: 'look', at: { type: 'elections' }, stale: false } as const;
const AT_LEASE = { type: 'look', at: { type: 'lease', lease: 'la' }, stale: false } as const;
const AT_LEASES = { type: 'look', at: { type: 'leases' }, stale: false } as const;

/** As `campaignCommand` has it. */
const METADATA = '' as ByteString;

function leader(name: string, token: bigint, ending = false): SeenElection['leader'] {
  const facts = { candidate: name, metadata: METADATA, grantedAtMs: name === 'b' ? 500 : 0 };
  return { token, holder: name, lease: `l${name}`, ending, ...facts };
}

function election(held: SeenElection['leader'], queue: readonly string[] = []): Answer {
  const elections = [{ election: 'e0', leader: held, queue }];
  return { type: 'elections', elections, more: false };
}

function lease(shown: Partial<SeenLease> = {}): SeenLease {
  const grants = shown.grants ?? ['a'];
  return { lease: 'la', ttlMs: 500, remainingMs: 500, attempt: 0, ending: false, ...shown, grants };
}

function leases(shown: readonly SeenLease[], more = false): Answer {
  return { type: 'leases', leases: shown, more };
}

/** a leads e0 with token 101 on a lease of 500 ms; b waits on one of 5,000. */
function contested(except: readonly string[] = []): HandRun {
  const run = new HandRun({}, except);
  for (const [name, ttlMs] of [
    ['a', 500],
    ['b', 5_000],
  ] as const) {
    run.grantLease(name, `l${name}`, ttlMs);
    run.campaign(name, `l${name}`, name);
  }
  run.trueMs = 100;
  return run;
}

let run: HandRun;

beforeEach(() => {
  run = contested();
});

function look(call: Call, answer: Answer, at: HandRun = run): void {
  at.answer('c', at.invoke('c', call), answer);
}

/** The lease of a ends, and b leads with token 102. */
function passOn(at: HandRun = run): void {
  at.trueMs = 500;
  at.commit(expireCommand('la', 0));
  at.trueMs = 600;
}

describe('I12, looks at elections', () => {
  it('accepts what stood at any time of the look', () => {
    look(AT_ELECTION, election(leader('a', 101n), ['b']));
    const before = run.invoke('c', AT_ELECTION);
    const after = run.invoke('c', AT_ELECTIONS);
    passOn();
    run.answer('c', before, election(leader('a', 101n), ['b']));
    run.answer('c', after, election(leader('b', 102n)));
    run.commit(run.from('x', revokeCommand('lb')));
    look(AT_ELECTION, election(leader('b', 102n, true)));
    run.finish();
  });

  it('refuses who led before it was asked, and a mark that is not shown', () => {
    passOn();
    expectBroken('I12', () => look(AT_ELECTION, election(leader('a', 101n), ['b'])));
    run.commit(run.from('x', revokeCommand('lb')));
    expectBroken('I12', () => look(AT_ELECTION, election(leader('b', 102n))));
  });

  it('refuses a leader of another name, with other metadata, or led since another time', () => {
    const right = leader('a', 101n);
    if (right === undefined) throw new Error('a leads');
    look(AT_ELECTION, election(right, ['b']));
    for (const wrong of [{ candidate: 'x' }, { metadata: 'x' as ByteString }, { grantedAtMs: 1 }]) {
      expectBroken('I12', () => look(AT_ELECTION, election({ ...right, ...wrong }, ['b'])));
    }
  });

  it('refuses a queue that never stood so', () => {
    expectBroken('I12', () => look(AT_ELECTION, election(leader('a', 101n))));
    expectBroken('I12', () => look(AT_ELECTION, election(leader('a', 101n), ['b', 'c'])));
  });

  it('refuses that an election with a leader is missing, unless the list goes on', () => {
    const elections = [{ election: 'd0', leader: undefined, queue: [] }];
    look(AT_ELECTIONS, { type: 'elections', elections, more: true });
    for (const shown of [elections, []]) {
      const list = { type: 'elections', elections: shown, more: false } as const;
      expectBroken('I12', () => look(AT_ELECTIONS, list));
    }
  });

  it('accepts of a stale one whatever once stood, and nothing else', () => {
    passOn();
    const stale = { ...AT_ELECTION, stale: true } as const;
    look(stale, election(undefined));
    look(stale, election(leader('a', 101n), ['b']));
    expectBroken('I12', () => look(stale, election(leader('a', 102n))));
  });
});

describe('I12, looks at leases', () => {
  const b = lease({ lease: 'lb', ttlMs: 5_000, remainingMs: 5_000, grants: [] });

  it('accepts what stood at any time of the look', () => {
    const now = { remainingMs: 400 } as const;
    run.commit(undefined);
    look(AT_LEASE, leases([lease(now)]));
    look(AT_LEASES, leases([lease(now), { ...b, remainingMs: 4_900 }]));
    look(AT_LEASES, leases([lease(now)], true));
    const before = run.invoke('c', AT_LEASE);
    run.commit(run.from('a', renewCommand('la', 1)));
    run.answer('c', before, leases([lease(now)]));
    look(AT_LEASE, leases([lease({ attempt: 1 })]));
    run.finish();
  });

  it('refuses a renewal that is not shown, and a mark', () => {
    run.commit(run.from('a', renewCommand('la', 1)));
    expectBroken('I12', () => look(AT_LEASE, leases([lease()])));
    run.commit(run.from('x', revokeCommand('la')));
    expectBroken('I12', () => look(AT_LEASE, leases([lease({ attempt: 1 })])));
  });

  it('refuses a lease that had ended, and that a living one is not there', () => {
    expectBroken('I12', () => look(AT_LEASE, leases([])));
    passOn();
    look(AT_LEASE, leases([]));
    expectBroken('I12', () => look(AT_LEASE, leases([lease({ remainingMs: 0 })])));
  });

  it('refuses more time left than at any time of the look, and less', () => {
    run.commit(undefined);
    expectBroken('I12', () => look(AT_LEASE, leases([lease({ remainingMs: 401 })])));
    expectBroken('I12', () => look(AT_LEASE, leases([lease({ remainingMs: 399 })])));
  });

  it('refuses a list that lacks one, or has them in another order', () => {
    expectBroken('I12', () => look(AT_LEASES, leases([lease()])));
    expectBroken('I12', () => look(AT_LEASES, leases([b, lease()])));
  });

  it('refuses that a lease does not show who leads on it', () => {
    expectBroken('I12', () => look(AT_LEASE, leases([lease({ grants: [] })])));
  });
});

describe('linearizability of elections', () => {
  /** Everything that would speak before the end. */
  const ONLY_AT_THE_END = ['I12', 'C3', 'L3', 'L10'];
  const guarded = { election: 'e0', token: 101n } as const;
  const PUT = { type: 'put', key: 'k0', value: '1', guarded } as const;

  beforeEach(() => {
    run = contested(ONLY_AT_THE_END);
  });

  it('accepts looks, writes and refusals in the order of the grants', () => {
    look(AT_ELECTION, election(leader('a', 101n), ['b']));
    const before = run.invoke('a', PUT);
    run.commit(run.from('a', putCommand('k0', '1', [guarded])));
    run.answer('a', before, { type: 'written', revision: run.revision, version: 1 });
    passOn();
    look(AT_ELECTION, election(leader('b', 102n)));
    run.fail('a', run.invoke('a', { ...PUT, value: '2' }), 'rejected', 'FENCED');
    const refused = { type: 'resource-write', client: 'a', asked: true, accepted: false } as const;
    run.tell({ ...refused, election: 'e0', token: 101n });
    run.finish();
  });

  it('refuses that nobody is said to hold what somebody holds, whoever was told of it', () => {
    look(AT_ELECTION, election(undefined));
    expectBroken('linearizability', () => run.finish());
  });

  it('refuses that the former holder is shown after the present one', () => {
    passOn();
    look(AT_ELECTION, election(leader('b', 102n)));
    run.trueMs = 700;
    look(AT_ELECTION, election(leader('a', 101n), ['b']));
    expectBroken('linearizability', () => run.finish());
  });

  it('refuses that a write in the name of the present grant is FENCED', () => {
    run.fail('a', run.invoke('a', PUT), 'rejected', 'FENCED');
    run.trueMs = 200;
    expectBroken('linearizability', () => run.finish());
  });

  it('refuses that a resource refuses the present grant', () => {
    const refused = { type: 'resource-write', client: 'a', asked: true, accepted: false } as const;
    run.tell({ ...refused, election: 'e0', token: 101n });
    run.trueMs = 200;
    expectBroken('linearizability', () => run.finish());
  });

  it('does not ask stale looks', () => {
    passOn();
    look({ ...AT_ELECTION, stale: true }, election(leader('a', 101n), ['b']));
    run.finish();
  });
});
