import { describe, expect, test } from 'vitest';
import { bytes, campaignId, codeOf, refusalOf, TestLog } from './support.js';

/** A leads; B and C wait, in this order; each has a lease and a session of its own. */
function threeCandidates(): TestLog {
  const log = new TestLog();
  for (const name of ['a', 'b', 'c']) {
    log.grantLease(name, 10_000, name);
    log.campaign('e', name, name, name);
  }
  return log;
}

test('the first candidate is granted at once, with everything people and guards need', () => {
  const log = new TestLog();
  log.system({ type: 'set-wall-offset', wallOffsetMs: 1_800_000_000_000 });
  log.grantLease('l');
  log.pass(5);
  const leader = {
    election: 'e',
    candidate: 'c',
    holder: 'c',
    lease: 'l',
    token: 1001n,
    metadata: bytes('c'),
    grantedAtMs: 1005,
    grantedAtWallMs: 1_800_000_001_005,
    ending: false,
  };
  expect(log.campaign('e', 'c', 'l')).toEqual({
    type: 'campaign',
    revision: 1,
    state: { state: 'granted', leader },
  });
  expect(log.events).toEqual([{ type: 'granted', leader }]);
  expect(log.show('e')).toEqual({ election: 'e', leader, queue: [], paused: false });
});

test('those who come later queue in order of arrival (C5)', () => {
  const log = threeCandidates();
  expect(log.types()).toEqual(['queued']);
  expect(log.holder('e')).toBe('a');
  expect(log.show('e')?.queue).toEqual([
    { candidate: 'b', campaignId: 'b', lease: 'b', position: 1 },
    { candidate: 'c', campaignId: 'c', lease: 'c', position: 2 },
  ]);
});

test('the holder resigns and its successor is granted in the same entry (C5)', () => {
  const log = threeCandidates();
  expect(log.withdraw('e', 'a', 'a', 'a')).toMatchObject({ outcome: 'resigned', waitMs: 0 });
  expect(log.events).toMatchObject([
    { type: 'ended', campaignId: 'a', lease: 'a', token: 1001n, reason: 'user' },
    { type: 'granted', leader: { candidate: 'b', token: 1002n } },
  ]);
  expect(log.queue('e')).toEqual(['c']);
});

test('the lease of the holder expires and its successor is granted in the same entry (C5)', () => {
  const log = threeCandidates();
  log.pass(5000);
  log.renew('b', 1, 'b');
  log.renew('c', 1, 'c');
  log.pass(5000).tick();
  expect(log.events).toMatchObject([
    { type: 'ended', campaignId: 'a', reason: 'lease-expired' },
    { type: 'granted', leader: { candidate: 'b' } },
  ]);
});

test('one in the middle of the queue goes: the next moves up and waits (K-017, K-020)', () => {
  const log = threeCandidates();
  log.revoke('b', 'b');
  expect(log.events).toMatchObject([{ type: 'left', campaignId: 'b', reason: 'lease-revoked' }]);
  expect(log.holder('e')).toBe('a');
  expect(log.show('e')?.queue).toMatchObject([{ candidate: 'c', position: 1 }]);
  log.withdraw('e', 'a', 'a', 'a');
  expect(log.holder('e')).toBe('c');
});

test('there is one kind of token, numbered by grant and not by arrival (K-018)', () => {
  const log = threeCandidates();
  log.grantLease('z', 10_000, 'z');
  log.campaign('other', 'z', 'z', 'z');
  log.withdraw('e', 'a', 'a', 'a');
  log.withdraw('e', 'b', 'b', 'b');
  expect(log.tokenOf('other')).toBe(1002n);
  expect(log.tokenOf('e')).toBe(1004n);
});

test('a token is never minted on renewal or on a repeated campaign (C2)', () => {
  const log = threeCandidates();
  log.renew('a', 1, 'a');
  log.campaign('e', 'a', 'a', 'a');
  expect(log.tokenOf('e')).toBe(1001n);
  log.withdraw('e', 'a', 'a', 'a');
  expect(log.tokenOf('e')).toBe(1002n);
});

test('tokens go on growing where an election is removed and created anew (C2)', () => {
  const log = new TestLog();
  log.grantLease('l');
  log.campaign('e', 'one', 'l');
  log.revoke('l');
  log.pass(86_400_000).tick();
  expect(log.show('e')).toBeUndefined();
  log.grantLease('m', 10_000, 'later');
  log.campaign('e', 'two', 'm', 'later');
  expect(log.tokenOf('e')).toBe(1002n);
});

test('candidates whose leases end together are all gone before anybody is promoted', () => {
  const log = new TestLog();
  for (const name of ['a', 'b', 'c']) log.grantLease(name, 1000);
  log.grantLease('d', 5000);
  for (const name of ['a', 'b', 'c', 'd']) log.campaign('e', name, name);
  log.pass(1000).tick();
  expect(log.types()).toEqual(['ended', 'left', 'left', 'granted']);
  expect(log.holder('e')).toBe('d');
});

test('dead waiters cost nothing when the holder leaves (K-023)', () => {
  const log = new TestLog();
  log.grantLease('a', 60_000);
  log.campaign('e', 'a', 'a');
  for (let at = 0; at < 20; at += 1) {
    log.grantLease(`dead${at}`, 1000);
    log.campaign('e', `dead${at}`, `dead${at}`);
  }
  log.grantLease('live', 60_000);
  log.campaign('e', 'live', 'live');
  // Their expiries are due but not applied yet.
  log.pass(1000);
  log.withdraw('e', 'a', 'a');
  expect(log.holder('e')).toBe('live');
});

describe('a candidate whose lease has no time left', () => {
  function vacantWithExpired(): TestLog {
    const log = new TestLog();
    log.grantLease('a', 60_000);
    log.grantLease('b', 1000);
    log.campaign('e', 'a', 'a');
    log.campaign('e', 'b', 'b');
    log.pass(1000);
    log.withdraw('e', 'a', 'a');
    return log;
  }

  test('is passed over and keeps its place', () => {
    const log = vacantWithExpired();
    expect(log.holder('e')).toBeUndefined();
    expect(log.queue('e')).toEqual(['b']);
  });

  test('is granted by the renewal that gives it time, and the reply names the grant', () => {
    const log = vacantWithExpired();
    expect(log.renew('b', 1)).toMatchObject({
      renewals: [{ outcome: 'renewed', grants: [{ election: 'e', campaignId: 'b' }] }],
    });
    expect(log.types()).toEqual(['granted']);
    expect(log.holder('e')).toBe('b');
  });

  test('is overtaken by one who comes later with time', () => {
    const log = vacantWithExpired();
    log.grantLease('c');
    expect(log.campaign('e', 'c', 'c')).toMatchObject({ state: { state: 'granted' } });
    log.renew('b', 1);
    expect(log.queue('e')).toEqual(['b']);
  });

  test('is never granted by its own campaign', () => {
    const log = new TestLog();
    log.grantLease('l', 1000);
    log.pass(1000);
    expect(log.campaign('e', 'c', 'l')).toMatchObject({ state: { state: 'queued', position: 1 } });
    log.tick();
    expect(log.types()).toEqual(['left']);
  });
});

describe('a campaign id', () => {
  test('stands for one campaign: asking again tells where it stands', () => {
    const log = threeCandidates();
    const again = log.campaign('e', 'c', 'c', 'other-session');
    expect(again).toMatchObject({ state: { state: 'queued', position: 2 } });
    expect(log.events).toEqual([]);
    expect(log.campaign('e', 'a', 'a')).toMatchObject({ state: { state: 'granted' } });
    expect(log.queue('e')).toEqual(['b', 'c']);
  });

  test('is refused to another lease and to another election', () => {
    const log = threeCandidates();
    for (const taken of ['a', 'b']) {
      log.grantLease(`new-${taken}`);
      expect(refusalOf(log.campaign('e', taken, `new-${taken}`))).toEqual({
        code: 'CAMPAIGN_EXISTS',
        campaignId: taken,
      });
    }
    expect(codeOf(log.campaign('f', 'a', 'a'))).toBe('CAMPAIGN_EXISTS');
  });

  test('that was withdrawn never campaigns again (C6)', () => {
    const log = threeCandidates();
    for (const id of ['b', 'a']) {
      log.withdraw('e', id, id, id);
      expect(refusalOf(log.campaign('e', id, id, id))).toEqual({
        code: 'CAMPAIGN_WITHDRAWN',
        campaignId: id,
      });
    }
    expect(log.holder('e')).toBe('c');
  });

  test('withdrawn before it arrived is refused when it does (K-050)', () => {
    const log = new TestLog();
    log.grantLease('l');
    expect(log.withdraw('e', 'c', 'l')).toMatchObject({ outcome: 'not-found' });
    expect(codeOf(log.campaign('e', 'c', 'l'))).toBe('CAMPAIGN_WITHDRAWN');
    expect(log.show('e')).toBeUndefined();
  });
});

test('a second campaign of the same lease is a candidate of its own', () => {
  const log = new TestLog();
  log.grantLease('l');
  log.campaign('e', 'one', 'l');
  expect(log.campaign('e', 'two', 'l')).toMatchObject({ state: { state: 'queued', position: 1 } });
  log.withdraw('e', 'one', 'l');
  expect(log.holder('e')).toBe('two');
  log.campaign('e', 'three', 'l');
  log.revoke('l');
  expect(log.show('e')).toMatchObject({ leader: undefined, queue: [] });
});

describe('withdraw', () => {
  test('takes out exactly the campaign that it names (C7)', () => {
    const log = threeCandidates();
    expect(log.withdraw('e', 'a', 'b', 'b')).toMatchObject({ outcome: 'not-found' });
    expect(log.withdraw('f', 'a', 'a', 'a')).toMatchObject({ outcome: 'not-found' });
    expect(log.withdraw('e', 'a', 'gone', 'a')).toMatchObject({ outcome: 'not-found' });
    expect(log.holder('e')).toBe('a');
    expect(log.withdraw('e', 'b', 'b', 'b')).toMatchObject({ outcome: 'removed' });
    expect(log.queue('e')).toEqual(['c']);
  });

  test('changes nothing when repeated (C7)', () => {
    const log = threeCandidates();
    log.withdraw('e', 'a', 'a', 'a');
    const revision = log.coordinator.revision;
    expect(log.withdraw('e', 'a', 'a', 'a')).toEqual({
      type: 'withdraw',
      revision,
      outcome: 'not-found',
      waitMs: 0,
    });
    expect(log.holder('e')).toBe('b');
  });

  test('from the queue needs no owner', () => {
    const log = threeCandidates();
    expect(log.withdraw('e', 'b', 'b', 'operator')).toMatchObject({ outcome: 'removed' });
    expect(log.events).toMatchObject([{ type: 'left', campaignId: 'b', reason: 'user' }]);
  });

  test('always succeeds; it is the campaigns of a lease that are limited', () => {
    const log = new TestLog({ settings: { withdrawalsPerLeaseMax: 2 } });
    log.grantLease('l');
    log.campaign('e', 'one', 'l');
    log.withdraw('e', 'two', 'l');
    expect(log.withdraw('e', 'three', 'l')).toMatchObject({ outcome: 'not-found' });
    expect(log.withdraw('e', 'one', 'l')).toMatchObject({ outcome: 'resigned' });
    expect(refusalOf(log.campaign('e', 'three', 'l'))).toEqual({
      code: 'CAPACITY_REACHED',
      what: 'withdrawalsPerLeaseMax',
      limit: 2,
    });
  });
});

test('names must not be empty', () => {
  const log = new TestLog();
  log.grantLease('l');
  expect(refusalOf(log.campaign('', 'c', 'l'))).toMatchObject({ field: 'election' });
  expect(refusalOf(log.campaign('e', '', 'l'))).toMatchObject({ field: 'campaignId' });
  expect(codeOf(log.campaign('e', 'c', 'gone'))).toBe('LEASE_NOT_FOUND');
});

test('elections and candidates are limited', () => {
  const log = new TestLog({ settings: { electionsMax: 1, candidatesPerElectionMax: 1 } });
  log.grantLease('l');
  log.campaign('e', 'one', 'l');
  log.campaign('e', 'two', 'l');
  expect(refusalOf(log.campaign('e', 'three', 'l'))).toMatchObject({
    what: 'candidatesPerElectionMax',
  });
  expect(refusalOf(log.campaign('f', 'four', 'l'))).toMatchObject({ what: 'electionsMax' });
});

test('where a campaign stands can be asked for by id', () => {
  const log = threeCandidates();
  const ask = (election: string, id: string): unknown =>
    log.query({ type: 'campaign-show', election, campaignId: campaignId(id) });
  expect(ask('e', 'a')).toMatchObject({ state: { state: 'granted' } });
  expect(ask('e', 'c')).toMatchObject({ state: { state: 'queued', position: 2 } });
  expect(ask('e', 'x')).toMatchObject({ state: { state: 'absent' } });
  expect(ask('none', 'a')).toMatchObject({ state: { state: 'absent' } });
});

describe('a vacant election', () => {
  test('is removed after a day without holder and queue, its fences stay', () => {
    const log = new TestLog();
    log.grantLease('l');
    log.campaign('e', 'c', 'l');
    log.advance('db', 'e', 1001n);
    log.revoke('l');
    expect(log.show('e')).toEqual({ election: 'e', leader: undefined, queue: [], paused: false });
    log.pass(86_399_999);
    expect(log.due().map(({ type }) => type)).not.toContain('remove-elections');
    log.pass(1);
    log.tick();
    expect(log.show('e')).toBeUndefined();
    expect(log.events).toEqual([]);
  });

  test('is not removed by a command that came too early, or too late', () => {
    const log = new TestLog();
    log.grantLease('l', 86_400_000);
    log.campaign('e', 'one', 'l');
    log.withdraw('e', 'one', 'l');
    log.pass(86_399_999);
    log.system({ type: 'remove-elections', elections: ['e', 'unknown'] });
    expect(log.show('e')).toBeDefined();
    log.campaign('e', 'two', 'l', 'later');
    log.pass(1);
    log.system({ type: 'remove-elections', elections: ['e'] });
    expect(log.show('e')).toBeDefined();
  });
});
