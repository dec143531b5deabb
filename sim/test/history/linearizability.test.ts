import type { ByteString } from '@raftd/coordinator';
import { it } from 'vitest';
import {
  deleteCommand,
  expectBroken,
  expireCommand,
  HandRun,
  putCommand,
  revokeCommand,
} from './support/hand-run.js';

/** Everything that would speak before the end. */
const ONLY_AT_THE_END = ['I12', 'I14', 'L10'];

const AT_E0 = { type: 'look', at: { type: 'election', election: 'e0' }, stale: false } as const;

const GET = { type: 'get', key: 'k0', stale: false } as const;

it('accepts a history with writes of unknown outcome, done and not done', () => {
  const run = new HandRun();
  run.put('c1', 'k0', '1');
  run.trueMs = 10;
  run.invoke('c1', { type: 'put', key: 'k0', value: '2', guarded: undefined });
  run.invoke('c2', { type: 'put', key: 'k0', value: '3', guarded: undefined });
  run.trueMs = 20;
  run.commit(run.from('c1', putCommand('k0', '2')));
  const read = run.invoke('c2', GET);
  run.trueMs = 30;
  const record = { key: 'k0', value: '2', version: 2, createRevision: 1, modRevision: 2 };
  run.answer('c2', read, { type: 'record', record });
  run.finish();
});

it('refuses a read of what was overwritten before', () => {
  const run = new HandRun({}, ONLY_AT_THE_END);
  run.put('c1', 'k0', '1');
  run.trueMs = 10;
  run.put('c1', 'k0', '2');
  run.trueMs = 20;
  const read = run.invoke('c2', GET);
  run.trueMs = 30;
  const record = { key: 'k0', value: '1', version: 1, createRevision: 1, modRevision: 1 };
  run.answer('c2', read, { type: 'record', record });
  expectBroken('linearizability', () => run.finish());
});

it('refuses a range that lacks a record', () => {
  const run = new HandRun({}, ONLY_AT_THE_END);
  run.put('c1', 'k0', '1');
  run.trueMs = 10;
  const range = run.invoke('c2', { type: 'range', start: 'k', end: 'l' });
  run.trueMs = 20;
  run.answer('c2', range, { type: 'page', revision: 1, records: [] });
  expectBroken('linearizability', () => run.finish());
});

it('accepts that an election passes on, and guarded writes while it is held', () => {
  const run = new HandRun();
  const won = { type: 'leadership-won', election: 'e0', ttlMs: 500 } as const;
  const isHeld = (): boolean => false;
  for (const name of ['a', 'b']) {
    run.grantLease(name, `l${name}`, name === 'a' ? 500 : 5_000);
    run.campaign(name, `l${name}`, name);
  }
  run.tell({ ...won, client: 'a', token: 101n, holder: 'a', lease: 'la', isHeld });
  const put = run.invoke('a', {
    type: 'put',
    key: 'k0',
    value: '1',
    guarded: { election: 'e0', token: 101n },
  });
  run.commit(run.from('a', putCommand('k0', '1', [{ election: 'e0', token: 101n }])));
  run.answer('a', put, { type: 'written', revision: run.revision, version: 1 });
  run.trueMs = 500;
  run.commit(expireCommand('la', 0));
  run.tell({ ...won, client: 'b', token: 102n, holder: 'b', lease: 'lb', isHeld });
  run.finish();
});

it('refuses an election that two have won at once', () => {
  const run = new HandRun({}, [...ONLY_AT_THE_END, 'L4']);
  const won = { type: 'leadership-won', election: 'e0', ttlMs: 500 } as const;
  const isHeld = (): boolean => false;
  run.grantLease('a', 'la', 500);
  run.campaign('a', 'la', 'a');
  run.trueMs = 10;
  run.tell({ ...won, client: 'a', token: 101n, holder: 'a', lease: 'la', isHeld });
  run.trueMs = 20;
  run.tell({ ...won, client: 'b', token: 102n, holder: 'b', lease: 'lb', isHeld });
  expectBroken('linearizability', () => run.finish());
});

it('accepts a delete that found nothing, right after one of unknown outcome', () => {
  const run = new HandRun();
  run.put('c1', 'k0', '1');
  run.trueMs = 10;
  run.invoke('c1', { type: 'delete', key: 'k0' });
  run.trueMs = 20;
  const told = run.invoke('c2', { type: 'delete', key: 'k0' });
  run.commit(run.from('c1', deleteCommand('k0')));
  run.trueMs = 30;
  run.answer('c2', told, { type: 'deleted', revision: run.revision, deleted: 0 });
  run.finish();
});

it('accepts a win that is told only after a stranger has marked it', () => {
  const run = new HandRun();
  run.grantLease('a', 'la', 5_000);
  const campaign = run.invoke('a', { type: 'other', name: 'campaign' });
  run.trueMs = 10;
  run.campaign('a', 'la', 'a');
  run.trueMs = 20;
  run.commit(run.from('b', revokeCommand('la')));
  run.trueMs = 30;
  run.answer('a', campaign, { type: 'nothing' });
  const won = { type: 'leadership-won', election: 'e0', ttlMs: 5_000 } as const;
  const isHeld = (): boolean => true;
  run.tell({ ...won, client: 'a', token: 101n, holder: 'a', lease: 'la', isHeld });
  run.finish();
});

it('accepts a win that others saw first, where one moment answers several campaigns', () => {
  const run = new HandRun({}, ['I12', 'L10']);
  run.grantLease('a', 'la', 5_000);
  const first = run.invoke('a', { type: 'other', name: 'campaign' });
  run.trueMs = 10;
  run.campaign('a', 'la', 'a');
  run.trueMs = 20;
  const look = run.invoke('b', AT_E0);
  run.trueMs = 30;
  const leader = {
    candidate: 'a',
    holder: 'a',
    lease: 'la',
    token: 101n,
    metadata: '' as ByteString,
    grantedAtMs: 0,
    grantedAtWallMs: 0,
    ending: false,
  };
  const elections = [{ election: 'e0', leader, queue: [] }];
  run.answer('b', look, { type: 'elections', elections, more: false });
  run.trueMs = 40;
  const second = run.invoke('a', { type: 'other', name: 'campaign' });
  run.trueMs = 50;
  // Cut off all the while, it hears of everything at once.
  run.answer('a', first, { type: 'nothing' });
  run.answer('a', second, { type: 'nothing' });
  const won = { type: 'leadership-won', election: 'e0', ttlMs: 5_000 } as const;
  const isHeld = (): boolean => true;
  run.tell({ ...won, client: 'a', token: 101n, holder: 'a', lease: 'la', isHeld });
  run.finish();
});
