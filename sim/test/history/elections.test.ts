import type {
  ByteString,
  CommandResult,
  FencingToken,
  LoggedCommand,
  Revision,
} from '@raftd/protocol';
import { it } from 'vitest';
import type { GuardSeen } from '../../src/storm/events.js';
import {
  campaignCommand,
  ended,
  expectBroken,
  expireCommand,
  granted,
  HandRun,
  leaderRecord,
  putCommand,
  renewCommand,
} from './support/hand-run.js';

/** a leads with token 101 on lease la, b and c wait. */
function queued(): HandRun {
  const run = new HandRun();
  for (const name of ['a', 'b', 'c']) {
    run.grantLease(name, `l${name}`, name === 'a' ? 500 : 5_000);
    run.campaign(name, `l${name}`, name);
  }
  return run;
}

function grantTo(name: string, token: bigint): CommandResult {
  const leader = leaderRecord(name, `l${name}`, token);
  return { type: 'campaign', revision: 1 as Revision, state: { state: 'granted', leader } };
}

it('accepts a hand-over in the entry that ends the holder', () => {
  const run = queued();
  run.trueMs = 500;
  run.commit(expireCommand('la', 0));
  run.finish();
});

it('L1: refuses a token that is not above all before it', () => {
  const run = queued();
  run.trueMs = 500;
  const events = [ended('a', 'la', 101n), granted('b', 'lb', 101n)];
  expectBroken('L1', () => run.forge(expireCommand('la', 0), { events }));
});

it('L1: refuses a second token of one campaign, and another one than was granted', () => {
  const run = queued();
  const again = run.from('a', campaignCommand('la', 'a'));
  expectBroken('L1', () => run.forge(again, { events: [granted('a', 'la', 102n)] }));
  const told = run.from('a', campaignCommand('la', 'a'));
  expectBroken('L1', () => run.forge(told, { result: grantTo('a', 102n) }));
});

it('L2: refuses a grant while the former has not ended', () => {
  const run = queued();
  const again = run.from('b', campaignCommand('lb', 'b'));
  const forged = { events: [granted('b', 'lb', 102n)], result: grantTo('b', 102n) };
  expectBroken('L2', () => run.forge(again, forged));
});

it('L2: refuses the end of a grant that is not current', () => {
  const run = queued();
  const withdraw = run.from('b', campaignCommand('lb', 'b'));
  expectBroken('L2', () => run.forge(withdraw, { events: [ended('b', 'lb', 77n)] }));
});

it('C1: refuses a grant whose lease is gone', () => {
  const run = queued();
  run.trueMs = 500;
  expectBroken('C1', () => run.forge(expireCommand('la', 0), {}));
});

it('C5: refuses that an entry leaves the election vacant while somebody waits', () => {
  const run = queued();
  run.trueMs = 500;
  expectBroken('C5', () => run.forge(expireCommand('la', 0), { events: [ended('a', 'la', 101n)] }));
});

it('C5: refuses that the second in line is granted before the first', () => {
  const run = queued();
  run.trueMs = 500;
  const events = [ended('a', 'la', 101n), granted('c', 'lc', 102n)];
  expectBroken('C5', () => run.forge(expireCommand('la', 0), { events }));
});

it('C5: accepts that one without time left is passed over, until a renewal gives it time', () => {
  const run = new HandRun();
  for (const name of ['a', 'b']) {
    run.grantLease(name, `l${name}`, 500);
    run.campaign(name, `l${name}`, name);
  }
  run.commit(expireCommand('la', 0), 600);
  run.commit(run.from('b', renewCommand('lb', 1)), 700);
  run.finish();
});

it('C3: accepts guarded writes of the holder, and refusals of others', () => {
  const run = queued();
  const guard = (token: bigint) => [{ election: 'e0', token }];
  run.commit(run.from('a', putCommand('k0', '1', guard(101n))));
  run.commit(run.from('b', putCommand('k0', '2', guard(100n))));
});

it('C3: refuses a write under a token that is not current at apply', () => {
  const run = queued();
  run.trueMs = 500;
  run.commit(expireCommand('la', 0));
  const put = run.from('a', putCommand('k0', '1', [{ election: 'e0', token: 101n }]));
  const result = { type: 'put', revision: 6 as Revision, version: 1 } as const;
  expectBroken('C3', () => run.forge(put, { result }));
});

it('C3: refuses that the holder is fenced', () => {
  const run = queued();
  const put = run.from('a', putCommand('k0', '1', [{ election: 'e0', token: 101n }]));
  const refusal = { code: 'FENCED', election: 'e0', current: undefined } as const;
  expectBroken('C3', () => run.forge(put, { result: { type: 'refused', refusal } }));
});

const GUARDED = { election: 'e0', token: 101n } as const;

it('C3: refuses that a guard is lost, exchanged for the newest, or put where none was given', () => {
  const asked = (guarded: GuardSeen | undefined): HandRun => {
    const run = queued();
    run.invoke('a', { type: 'put', key: 'k0', value: '2', guarded });
    return run;
  };
  const commit = (run: HandRun, guards: readonly GuardSeen[]): void => {
    run.commit(run.from('a', putCommand('k0', '2', guards)));
  };
  commit(asked(GUARDED), [GUARDED]);
  commit(asked(undefined), []);
  expectBroken('C3', () => commit(asked(GUARDED), []));
  expectBroken('C3', () => commit(asked({ ...GUARDED, token: 100n }), [GUARDED]));
  expectBroken('C3', () => commit(asked({ ...GUARDED, election: 'e1' }), [GUARDED]));
  expectBroken('C3', () => commit(asked(undefined), [GUARDED]));
});

it('C3: refuses that a transaction loses its guard, whichever arm would write', () => {
  for (const arm of ['success', 'failure'] as const) {
    const run = queued();
    const nothing = { compares: [], then: [], otherwise: [] } as const;
    const asked = { type: 'put', key: 'x0', value: '7' } as const;
    const named = arm === 'success' ? { then: [asked] } : { otherwise: [asked] };
    run.invoke('a', { type: 'odd-transaction', ...nothing, ...named, guarded: GUARDED });
    const put = { type: 'put', key: 'x0' as ByteString, value: Buffer.from('7') } as const;
    const none = { compares: [], success: [], failure: [], guards: [] };
    const txn = { type: 'txn', ...none, [arm]: [{ ...put, lease: undefined }] } as const;
    expectBroken('C3', () => run.commit(run.from('a', txn)));
  }
});

it('C3: refuses that a client is told FENCED while its grant is current', () => {
  const run = queued();
  const put = { type: 'put', key: 'k0', value: '2', guarded: GUARDED } as const;
  const asked = run.invoke('a', put);
  expectBroken('C3', () => run.fail('a', asked, 'rejected', 'FENCED'));
  const late = run.invoke('a', put);
  run.trueMs = 500;
  run.commit(expireCommand('la', 0));
  run.fail('a', late, 'rejected', 'FENCED');
});

it('C3: refuses a fence that is moved by who may not, or not moved by who may', () => {
  const advance = (run: HandRun, election: string, token: bigint): LoggedCommand => {
    const guard = { election, token: token as FencingToken };
    return run.from('a', { type: 'fence-advance', resource: 'r0', ...guard });
  };
  const refusal = { code: 'FENCED', election: 'e0', current: undefined } as const;
  const fenced = { result: { type: 'refused', refusal } } as const;
  const moved = { result: { type: 'fence-advance', token: 101n as FencingToken } } as const;
  const run = queued();
  run.commit(advance(run, 'e0', 101n));
  run.commit(advance(run, 'e0', 100n));
  run.commit(advance(run, 'e1', 100n));
  expectBroken('C3', () => run.forge(advance(run, 'e0', 101n), fenced));
  expectBroken('C3', () => run.forge(advance(run, 'e0', 100n), moved));
  expectBroken('C3', () => run.forge(advance(run, 'e1', 100n), moved));
});

it('L10: refuses a win that no entry has granted, or that was granted to another', () => {
  const run = queued();
  const won = { type: 'leadership-won', client: 'a', election: 'e0', ttlMs: 500 } as const;
  const isHeld = (): boolean => true;
  run.tell({ ...won, token: 101n, holder: 'a', lease: 'la', isHeld });
  expectBroken('L10', () => {
    run.tell({ ...won, token: 102n, holder: 'b', lease: 'lb', isHeld });
  });
  expectBroken('L10', () => {
    run.tell({ ...won, token: 101n, holder: 'b', lease: 'lb', isHeld });
  });
});
