import type { ClientCommand, LeaseId } from '@raftd/protocol';
import { describe, it } from 'vitest';
import { expectBroken, expireCommand, HandRun, keyRecord, putCommand } from './support/hand-run.js';

const GET = { type: 'get', key: 'l0', stale: false } as const;
const PUT = { type: 'put', key: 'l0', value: '1', guarded: undefined, lease: 'la' } as const;
const WRITTEN = { type: 'written', revision: 1, version: 1 } as const;
const RECORD = { key: 'l0', value: '1', version: 1, createRevision: 1, modRevision: 1 } as const;

/** Everything that would speak before the end. */
const ONLY_AT_THE_END = ['I12', 'I14', 'L7'];

function leasedPut(lease: string): ClientCommand {
  return { ...putCommand('l0', '1'), lease: lease as LeaseId } as ClientCommand;
}

/** A key that was bound to a lease of 1,000 ms, and the answer to it. */
function boundRun(except: readonly string[] = []): HandRun {
  const run = new HandRun({}, except);
  run.grantLease('c1', 'la', 1_000);
  const put = run.invoke('c1', PUT);
  run.commit(run.from('c1', leasedPut('la')));
  run.answer('c1', put, WRITTEN);
  return run;
}

function look(run: HandRun, record: typeof RECORD | undefined): void {
  const read = run.invoke('c2', GET);
  const shown = record === undefined ? undefined : { ...record, lease: 'la' };
  run.answer('c2', read, { type: 'record', record: shown });
}

describe('a key that is bound to a lease', () => {
  it('is there until its lease ends, and goes with it unasked', () => {
    const run = boundRun();
    run.trueMs = 500;
    look(run, RECORD);
    run.trueMs = 1_000;
    run.commit(expireCommand('la', 0));
    run.trueMs = 1_500;
    look(run, undefined);
    run.finish();
  });

  it('linearizability: is not gone while its lease lives', () => {
    const run = boundRun(ONLY_AT_THE_END);
    run.trueMs = 500;
    look(run, undefined);
    run.trueMs = 1_000;
    run.commit(expireCommand('la', 0));
    expectBroken('linearizability', () => run.finish());
  });

  it('linearizability: does not come back once it was seen to be gone', () => {
    const run = boundRun(ONLY_AT_THE_END);
    run.trueMs = 1_000;
    run.commit(expireCommand('la', 0));
    run.trueMs = 1_500;
    look(run, undefined);
    run.trueMs = 1_600;
    look(run, RECORD);
    expectBroken('linearizability', () => run.finish());
  });

  it('I12: is not shown after a node has applied its end', () => {
    const run = boundRun();
    run.trueMs = 1_000;
    run.commit(expireCommand('la', 0));
    expectBroken('I12', () => look(run, RECORD));
  });

  it('I12: is shown with its lease', () => {
    const run = boundRun();
    const read = run.invoke('c2', GET);
    expectBroken('I12', () => run.answer('c2', read, { type: 'record', record: RECORD }));
  });

  it('I14: was written if that was answered', () => {
    const run = new HandRun();
    run.grantLease('c1', 'la');
    const put = run.invoke('c1', PUT);
    expectBroken('I14', () => run.answer('c1', put, WRITTEN));
  });

  it('I14: has the lease that its client asked for, and a plain key none', () => {
    const run = new HandRun();
    run.grantLease('c1', 'la');
    run.grantLease('c1', 'lb');
    run.invoke('c1', PUT);
    expectBroken('I14', () => run.commit(run.from('c1', leasedPut('lb'))));
    const lost = new HandRun();
    lost.grantLease('c1', 'la');
    lost.invoke('c1', PUT);
    const events = [{ type: 'put', record: keyRecord('l0', '1', 1) }] as const;
    expectBroken('I14', () => lost.forge(lost.from('c1', leasedPut('la')), { events }));
    const plain = new HandRun();
    plain.grantLease('c1', 'la');
    plain.invoke('c1', { ...PUT, lease: undefined });
    expectBroken('I14', () => plain.commit(plain.from('c1', leasedPut('la'))));
  });
});
