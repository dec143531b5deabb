import type { LeaseId, LiveGrant } from '@raftd/protocol';
import type { LogIndex, NodeId } from '@raftd/raft';
import { it } from 'vitest';
import type { Stepped } from '../../src/world/events.js';
import {
  ended,
  expectBroken,
  expireCommand,
  HandRun,
  renewCommand,
  revokeCommand,
} from './support/hand-run.js';

const LEASE = 'l1' as LeaseId;

function leading(): HandRun {
  const run = new HandRun();
  run.grantLease('c1', 'l1', 1_000);
  run.campaign('c1', 'l1', 'a');
  return run;
}

function renewed(attempt: number, applied: boolean) {
  const grants = [] as const;
  const [outcome, lease] = ['renewed', LEASE] as const;
  const result = { outcome, lease, attempt, applied, lastAttempt: attempt, ending: false } as const;
  return { type: 'lease-renew', renewals: [{ ...result, ttlMs: 1_000, grants }] } as const;
}

it('accepts renewals, an expiry that comes too late for one, and one in its time', () => {
  const run = leading();
  run.trueMs = 900;
  run.commit(run.from('c1', renewCommand('l1', 1)));
  run.trueMs = 1_100;
  run.commit(expireCommand('l1', 0));
  run.commit(expireCommand('l1', 1));
  run.trueMs = 1_900;
  run.commit(expireCommand('l1', 1));
  run.commit(run.from('c1', renewCommand('l1', 2)));
  run.finish();
});

it('L6: refuses an expiry that ends a lease renewed since (K-001)', () => {
  const run = leading();
  run.commit(run.from('c1', renewCommand('l1', 1)));
  run.trueMs = 1_000;
  expectBroken('L6', () => run.forge(expireCommand('l1', 0), { events: [ended('a', 'l1', 101n)] }));
});

it('L6: refuses that a renewal finds a living lease gone', () => {
  const run = leading();
  const renewals = [{ outcome: 'not-found', lease: LEASE, attempt: 1 }] as const;
  const renew = run.from('c1', renewCommand('l1', 1));
  expectBroken('L6', () => run.forge(renew, { result: { type: 'lease-renew', renewals } }));
});

it('L7: refuses an expiry before its time', () => {
  const run = leading();
  run.trueMs = 999;
  expectBroken('L7', () => run.forge(expireCommand('l1', 0), { events: [ended('a', 'l1', 101n)] }));
});

it('L6, L7: refuses that a lease on which nothing lives expires early, or though it was renewed', () => {
  const run = new HandRun();
  run.grantLease('c1', 'l1', 1_000);
  run.trueMs = 999;
  expectBroken('L7', () => run.forge(expireCommand('l1', 0), { leasesGone: ['l1'] }));
  const other = new HandRun();
  other.grantLease('c1', 'l1', 1_000);
  other.commit(other.from('c1', renewCommand('l1', 1)));
  other.trueMs = 1_000;
  expectBroken('L6', () => other.forge(expireCommand('l1', 0), { leasesGone: ['l1'] }));
});

it('L7: refuses that a new renewal moves nothing', () => {
  const run = leading();
  const renew = run.from('c1', renewCommand('l1', 1));
  expectBroken('L7', () => run.forge(renew, { result: renewed(1, false) }));
});

it('L8: refuses that an old renewal moves a lease, and one after the end revives it', () => {
  const run = leading();
  run.commit(run.from('c1', renewCommand('l1', 2)));
  const old = run.from('c1', renewCommand('l1', 1));
  expectBroken('L8', () => run.forge(old, { result: renewed(1, true) }));
  run.trueMs = 1_000;
  run.commit(expireCommand('l1', 1), 5_000);
  const late = run.from('c1', renewCommand('l1', 3));
  expectBroken('L8', () => run.forge(late, { result: renewed(3, true) }, 5_000));
});

/** A leader of term 1 appends one entry now. */
function appended(index: number, clusterTimeMs: number, kind = 'no-op'): Stepped {
  const at = { term: 1, votedFor: undefined, role: 'leader', leaderId: undefined } as const;
  const last = { commitIndex: 0, appliedIndex: 0, lastIndex: index, electionDeadlineMs: undefined };
  const payload = new Uint8Array();
  const entry = { index, term: 1, kind, clusterTimeMs, payload };
  return {
    type: 'stepped',
    node: 'n1' as NodeId,
    cause: { type: 'propose' },
    before: undefined,
    after: { ...at, ...last },
    view: { entryAt: (asked: LogIndex) => ((asked as number) === index ? entry : undefined) },
    log: { truncatedFrom: undefined, removed: 0, appendedFrom: index },
  } as unknown as Stepped;
}

it('L7: refuses cluster time that runs faster than the fastest clock may', () => {
  const run = new HandRun({ nodeSkews: [0, 1, 0] });
  const propose = (trueMs: number, index: number, stampMs: number): void => {
    run.trueMs = trueMs;
    run.tell(appended(index, stampMs));
    run.commit(undefined, stampMs);
  };
  propose(1_000, 2, 500);
  propose(2_000, 3, 1_510);
  propose(9_000, 4, 1_600);
  expectBroken('L7', () => propose(10_000, 5, 2_613));
});

it('L7: refuses cluster time that is slower than the slowest clock under a steady leader', () => {
  const run = new HandRun({ nodeSkews: [0, -1, 0] });
  const propose = (trueMs: number, index: number, stampMs: number): void => {
    run.trueMs = trueMs;
    run.tell(appended(index, stampMs, 'command'));
  };
  propose(1_000, 2, 500);
  propose(1_100, 3, 599);
  propose(5_000, 4, 800);
  propose(5_150, 5, 948);
  expectBroken('L7', () => propose(5_250, 6, 1_045));
  const still = new HandRun();
  still.tell(appended(2, 500, 'command'));
  still.trueMs = 100;
  expectBroken('L7', () => still.tell(appended(3, 500, 'command')));
});

// Seed 0xf761cd52: a deposed leader had stamped the same command alike, half a second before.
it('L7: does not judge a stamp that two leaders gave to the same command', () => {
  const run = new HandRun();
  run.trueMs = 1_000;
  run.tell(appended(2, 500));
  run.tell(appended(3, 600));
  run.trueMs = 1_600;
  run.tell(appended(2, 500));
  run.tell(appended(3, 600));
  run.commit(undefined, 500);
  run.commit(undefined, 600);
  run.trueMs = 1_700;
  run.tell(appended(4, 601));
  run.commit(undefined, 601);
  run.finish();
});

it('L11: refuses, in liveness mode, a lease that is not ended long after its time', () => {
  const run = leading();
  run.tell({ type: 'phase', phase: 'liveness', core: [] });
  run.commit(undefined, 2_000);
  run.trueMs = 6_001;
  run.commit(undefined, 8_000);
  expectBroken('L11', () => run.commit(undefined, 8_001));
});

it('L11: refuses a lease that no leader ends, though none proposes anything any more', () => {
  const run = leading();
  run.tell({ type: 'phase', phase: 'liveness', core: [] });
  run.commit(undefined, 500);
  run.trueMs = 60_000;
  expectBroken('L11', () => run.finish());
});

it('L7: refuses a renewal that does not name a grant on its lease, L8: one that names another', () => {
  const run = leading();
  const renew = (attempt: number, grants: readonly LiveGrant[]): void => {
    const { renewals } = renewed(attempt, true);
    const named = renewals.map((renewal) => ({ ...renewal, grants }));
    const logged = run.from('c1', renewCommand('l1', attempt));
    run.forge(logged, { result: { type: 'lease-renew', renewals: named } });
  };
  const live = { election: 'e0', campaignId: 'a', token: 101n, ending: false } as LiveGrant;
  renew(1, [live]);
  expectBroken('L7', () => renew(2, []));
  expectBroken('L8', () => renew(3, [{ ...live, ending: true }]));
  expectBroken('L7', () => run.forge(run.from('c1', renewCommand('l1', 4)), NOT_ANSWERED));
  run.forge(run.from('c1', revokeCommand('l1')), { events: [ended('a', 'l1', 101n)] });
  expectBroken('L8', () => renew(5, [live]));
});

const NOT_ANSWERED = { result: { type: 'lease-renew', renewals: [] } } as const;
