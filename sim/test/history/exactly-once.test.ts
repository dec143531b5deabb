import { it } from 'vitest';
import { deleteCommand, expectBroken, HandRun, keyRecord, putCommand } from './support/hand-run.js';

const PUT = { type: 'put', key: 'k0', value: '1', guarded: undefined } as const;

it('accepts a retry that only repeats its answer', () => {
  const run = new HandRun();
  const operation = run.invoke('c1', PUT);
  const put = run.from('c1', putCommand('k0', '1'));
  run.commit(put);
  run.commit(put);
  run.answer('c1', operation, { type: 'written', revision: 1, version: 1 });
  run.finish();
});

it('I14: refuses a request that takes effect again', () => {
  const run = new HandRun();
  const put = run.from('c1', putCommand('k0', '1'));
  run.commit(put);
  const events = [{ type: 'put', record: keyRecord('k0', '1', 2, 2) }] as const;
  expectBroken('I14', () => run.forge(put, { events }));
});

it('I14: refuses a value that is written twice, by whatever request', () => {
  const run = new HandRun();
  run.commit(run.from('c1', putCommand('k0', '1')));
  expectBroken('I14', () => run.commit(run.from('c2', putCommand('k0', '1'))));
});

it('I14: refuses an answer before any node has applied the write, or with another place', () => {
  const run = new HandRun();
  const operation = run.invoke('c1', PUT);
  const written = { type: 'written', revision: 1, version: 1 } as const;
  expectBroken('I14', () => run.answer('c1', operation, written));
  const other = run.invoke('c1', { ...PUT, value: '2' });
  run.commit(run.from('c1', putCommand('k0', '2')));
  expectBroken('I14', () => run.answer('c1', other, { ...written, version: 2 }));
});

it('I14: refuses that what was rejected happened, before or after', () => {
  const run = new HandRun();
  const early = run.invoke('c1', PUT);
  run.commit(run.from('c1', putCommand('k0', '1')));
  expectBroken('I14', () => run.fail('c1', early, 'rejected', 'UNAVAILABLE'));
  const late = run.invoke('c1', { ...PUT, value: '2' });
  run.fail('c1', late, 'rejected', 'UNAVAILABLE');
  expectBroken('I14', () => run.commit(run.from('c1', putCommand('k0', '2'))));
});

it('I14: accepts that an unknown outcome happens late, or never', () => {
  const run = new HandRun();
  const late = run.invoke('c1', PUT);
  run.fail('c1', late, 'indeterminate', 'OUTCOME_UNKNOWN');
  run.commit(run.from('c1', putCommand('k0', '1')));
  const never = run.invoke('c1', { ...PUT, value: '2' });
  run.fail('c1', never, 'indeterminate', 'OUTCOME_UNKNOWN');
  run.finish();
});

it('I14: refuses that a transaction whose comparison failed wrote, and a part of one', () => {
  const run = new HandRun();
  const compares = [{ key: 'k0', version: 0 }];
  const writes = [
    { key: 'k0', value: '1' },
    { key: 'k1', value: '1' },
  ];
  const call = { type: 'transact', compares, reads: [], writes } as const;
  const denied = run.invoke('c1', call);
  const answer = { type: 'transacted', revision: 0, succeeded: false, records: [] } as const;
  run.answer('c1', denied, answer);
  expectBroken('I14', () => run.commit(run.from('c1', putCommand('k1', '1'))));
  const half = run.invoke('c1', {
    ...call,
    writes: writes.map(({ key }) => ({ key, value: '2' })),
  });
  run.commit(run.from('c1', putCommand('k0', '2')));
  const done = { ...answer, revision: run.revision, succeeded: true };
  expectBroken('I14', () => run.answer('c1', half, done));
});

it('I14: refuses a count of deletes that the log does not have', () => {
  const run = new HandRun();
  run.put('c1', 'k0', '1');
  const operation = run.invoke('c1', { type: 'delete', key: 'k0' });
  const deleted = { type: 'deleted', revision: 1, deleted: 1 } as const;
  expectBroken('I14', () => run.answer('c1', operation, deleted));
});

it('I14: refuses that a request which comes again is answered otherwise', () => {
  const run = new HandRun();
  const put = run.from('c1', putCommand('k0', '1'));
  const { result } = run.commit(put);
  run.forge(put, { result });
  run.forge(put, { result: { type: 'refused', refusal: { code: 'SESSION_EXPIRED' } } });
  expectBroken('I14', () => run.forge(put, { result: { type: 'done' } }));
});

it('I14: refuses a delete that was done twice, and one whose client was told that it was not', () => {
  const call = { type: 'delete', key: 'k0' } as const;
  const twice = new HandRun();
  twice.put('c1', 'k0', '1');
  const operation = twice.invoke('c1', call);
  twice.commit(twice.from('c1', deleteCommand('k0')));
  twice.put('c1', 'k0', '2');
  twice.commit(twice.from('c1', deleteCommand('k0')));
  const { revision } = twice;
  twice.answer('c1', operation, { type: 'deleted', revision, deleted: 1 });
  expectBroken('I14', () => twice.finish());
  const denied = new HandRun();
  denied.put('c1', 'k0', '1');
  denied.fail('c1', denied.invoke('c1', call), 'rejected', 'UNAVAILABLE');
  denied.commit(denied.from('c1', deleteCommand('k0')));
  expectBroken('I14', () => denied.finish());
});
