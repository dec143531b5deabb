import type { ByteString } from '@raftd/protocol';
import { describe, expect, it } from 'vitest';
import type { SeenRecord, WatchSeen } from '../../src/storm/events.js';
import { expectBroken, expireCommand, HandRun, revokeCommand } from './support/hand-run.js';

function seen(key: string, value: string, revision: number, version: number): SeenRecord {
  const createRevision = revision - version + 1;
  return { key, value, version, createRevision, modRevision: revision };
}

const GET = { type: 'get', key: 'k0', stale: false } as const;

describe('I12, reads', () => {
  it('accepts what stood at any time of the call, and anything older of a stale one', () => {
    const run = new HandRun();
    run.put('c1', 'k0', '1');
    const asked = run.invoke('c2', GET);
    run.put('c1', 'k0', '2');
    run.answer('c2', asked, { type: 'record', record: seen('k0', '1', 1, 1) });
    const stale = run.invoke('c2', { ...GET, stale: true });
    run.answer('c2', stale, { type: 'record', record: undefined });
    run.finish();
  });

  it('refuses what was no more when it was asked', () => {
    const run = new HandRun();
    run.put('c1', 'k0', '1');
    run.put('c1', 'k0', '2');
    const record = seen('k0', '1', 1, 1);
    const old = run.invoke('c2', GET);
    expectBroken('I12', () => run.answer('c2', old, { type: 'record', record }));
    const none = run.invoke('c2', GET);
    expectBroken('I12', () => run.answer('c2', none, { type: 'record', record: undefined }));
  });

  it('refuses a record that no entry made, of a stale read too', () => {
    const run = new HandRun();
    run.put('c1', 'k0', '1');
    const asked = run.invoke('c2', { ...GET, stale: true });
    const record = seen('k0', '7', 1, 1);
    expectBroken('I12', () => run.answer('c2', asked, { type: 'record', record }));
  });

  it('refuses a page that is old, lacks a record, or has one too many', () => {
    const run = new HandRun();
    run.put('c1', 'k0', '1');
    const range = { type: 'range', start: 'k', end: 'l' } as const;
    const [one, two] = [seen('k0', '1', 1, 1), seen('k1', '2', 2, 1)];
    const past = run.invoke('c2', range);
    run.put('c1', 'k1', '2');
    run.answer('c2', past, { type: 'page', revision: 1, records: [one] });
    const page = (revision: number, records: readonly SeenRecord[]) => () => {
      run.answer('c2', run.invoke('c2', range), { type: 'page', revision, records });
    };
    page(2, [one, two])();
    expectBroken('I12', page(1, [one]));
    expectBroken('I12', page(2, [two]));
    expectBroken('I12', page(2, [one, two, seen('k2', '3', 2, 1)]));
  });

  it('refuses what a transaction read at another revision', () => {
    const run = new HandRun();
    run.put('c1', 'k0', '1');
    run.put('c1', 'k0', '2');
    const call = { type: 'transact', compares: [], reads: ['k0'], writes: [] } as const;
    const answer = { type: 'transacted', revision: 2, succeeded: true } as const;
    run.answer('c2', run.invoke('c2', call), { ...answer, records: [seen('k0', '2', 2, 2)] });
    const asked = run.invoke('c2', call);
    expectBroken('I12', () => run.answer('c2', asked, { ...answer, records: [undefined] }));
    const old = { ...answer, records: [seen('k0', '1', 1, 1)] };
    const before = run.invoke('c2', call);
    expectBroken('I12', () => run.answer('c2', before, old));
  });

  it('refuses that a transaction shows, or is answered, what was no more when it was asked', () => {
    const run = new HandRun();
    run.put('c1', 'k0', '1');
    const call = { type: 'transact', compares: [], reads: ['k0'], writes: [] } as const;
    const answer = { type: 'transacted', revision: 1, succeeded: true } as const;
    const records = [seen('k0', '1', 1, 1)];
    const early = run.invoke('c2', call);
    run.put('c1', 'k0', '2');
    run.answer('c2', early, { ...answer, records });
    const late = run.invoke('c2', call);
    expectBroken('I12', () => run.answer('c2', late, { ...answer, records }));
    const refused = run.invoke('c2', { ...call, compares: [{ key: 'k0', version: 9 }] });
    const failed = { ...answer, succeeded: false, records: [] };
    expectBroken('I12', () => run.answer('c2', refused, failed));
  });

  it('shows a transaction what was there before its own writes', () => {
    const run = new HandRun({}, ['I14']);
    run.put('c1', 'k0', '1');
    run.put('c1', 'k0', '2');
    const writes = [{ key: 'k0', value: '2' }];
    const call = { type: 'transact', compares: [], reads: ['k0'], writes } as const;
    const answer = { type: 'transacted', revision: 2, succeeded: true } as const;
    const asked = run.invoke('c2', call);
    run.answer('c2', asked, { ...answer, records: [seen('k0', '1', 1, 1)] });
    const other = run.invoke('c2', call);
    const own = { ...answer, records: [seen('k0', '2', 2, 2)] };
    expectBroken('I12', () => run.answer('c2', other, own));
  });
});

describe('L9, watches', () => {
  const put = (record: SeenRecord): WatchSeen => {
    const event = { type: 'put', revision: record.modRevision, record } as const;
    return { type: 'watch-event', watch: 1, event };
  };

  const gone = (reason: string): WatchSeen => {
    const event = { type: 'delete', revision: 4, key: 'k0', reason } as const;
    return { type: 'watch-event', watch: 1, event };
  };
  const FIRST = put(seen('k0', '1', 1, 1));
  const SECOND = put({ ...seen('k0', '3', 3, 2), createRevision: 1 });

  function open(run: HandRun, fromRevision: number | undefined): void {
    const scope = { type: 'keys', start: 'k0', end: 'k1', fromRevision } as const;
    run.tell({ type: 'watch-opened', client: 'c2', watch: 1, scope });
  }

  function stands(run: HandRun, fromRevision: number): void {
    run.tell({ type: 'watch-stands', watch: 1, fromRevision });
  }

  /** k0 at revisions 1 and 3, k1 at 2, k0 deleted at 4. */
  function change(run: HandRun): void {
    run.put('c1', 'k0', '1');
    run.put('c1', 'k1', '2');
    run.put('c1', 'k0', '3');
    const key = 'k0' as ByteString;
    run.commit(run.from('c1', { type: 'delete', key, guards: [] }));
  }

  function watched(): HandRun {
    const run = new HandRun();
    open(run, undefined);
    stands(run, 1);
    change(run);
    return run;
  }

  it('accepts what happened in its scope, each once', () => {
    const run = watched();
    for (const event of [FIRST, SECOND, gone('user')]) run.tell(event);
    run.tell({ type: 'watch-closed', watch: 1, code: 'COMPACTED' });
  });

  it('refuses an event that is skipped, repeated, out of scope, wrong or too early', () => {
    const run = watched();
    expectBroken('L9', () => run.tell(put(seen('k1', '2', 2, 1))));
    const other = watched();
    other.tell(FIRST);
    expectBroken('L9', () => other.tell(FIRST));
    const skipping = watched();
    skipping.tell(FIRST);
    expectBroken('L9', () => skipping.tell(gone('user')));
    const late = watched();
    for (const event of [FIRST, SECOND]) late.tell(event);
    expectBroken('L9', () => late.tell(gone('lease-expired')));
    expectBroken('L9', () => watched().tell(put(seen('k0', '9', 5, 1))));
  });

  it('refuses that the first event is not the first change after the beginning', () => {
    expectBroken('L9', () => watched().tell(SECOND));
    const run = new HandRun();
    change(run);
    open(run, 2);
    stands(run, 2);
    run.tell(SECOND);
    const skipping = new HandRun();
    change(skipping);
    open(skipping, 1);
    stands(skipping, 1);
    expectBroken('L9', () => skipping.tell(SECOND));
  });

  it('refuses a beginning that was not asked for, or that leaves out what comes next', () => {
    const run = new HandRun();
    change(run);
    open(run, 2);
    expectBroken('L9', () => stands(run, 3));
    open(run, undefined);
    expectBroken('L9', () => stands(run, 6));
    stands(run, 5);
    open(run, undefined);
    expectBroken('L9', () => run.tell(FIRST));
  });

  it('refuses that what was in the log once the core had converged is never shown', () => {
    const converged = (run: HandRun): HandRun => {
      run.tell({ type: 'phase', phase: 'converged' });
      return run;
    };
    const demand = (run: HandRun): void => run.tell({ type: 'phase', phase: 'all-shown' });
    const run = watched();
    for (const event of [FIRST, SECOND, gone('user')]) run.tell(event);
    converged(run);
    run.put('c1', 'k0', '4');
    demand(run);
    const silent = watched();
    for (const event of [FIRST, SECOND]) silent.tell(event);
    expectBroken('L9', () => demand(converged(silent)));
    const dead = watched();
    dead.tell({ type: 'client-killed', client: 'c2' });
    demand(converged(dead));
    const waiting = new HandRun();
    open(waiting, undefined);
    change(waiting);
    expectBroken('L9', () => demand(converged(waiting)));
  });
});

describe('L9, observers', () => {
  const leader = (token: bigint | undefined): WatchSeen => {
    return { type: 'watch-event', watch: 1, event: { type: 'leader', token } };
  };

  /** Vacant, 101 until 500 ms, 102 until 1,500 ms, then vacant. */
  function observed(windowEventsMax: number): HandRun {
    const run = new HandRun({ windowEventsMax });
    const scope = { type: 'election', election: 'e0' } as const;
    run.tell({ type: 'watch-opened', client: 'c2', watch: 1, scope });
    run.grantLease('a', 'la', 500);
    run.grantLease('b', 'lb', 1_500);
    run.campaign('a', 'la', 'a');
    run.campaign('b', 'lb', 'b');
    run.commit(expireCommand('la', 0), 500);
    run.commit(expireCommand('lb', 0), 1_500);
    return run;
  }

  it('accepts every hand-over from any beginning on', () => {
    const run = observed(1_000);
    for (const token of [undefined, 101n, 102n, undefined]) run.tell(leader(token));
    const late = observed(1_000);
    for (const token of [102n, undefined]) late.tell(leader(token));
    late.tell({ type: 'watch-closed', watch: 1, code: undefined });
  });

  it('refuses a hand-over that is skipped, or told again', () => {
    const run = observed(1_000);
    run.tell(leader(101n));
    expectBroken('L9', () => run.tell(leader(undefined)));
    const again = observed(1_000);
    again.tell(leader(102n));
    expectBroken('L9', () => again.tell(leader(101n)));
    expectBroken('L9', () => observed(1_000).tell(leader(103n)));
  });

  it('refuses that the last hand-over before the core converged is never told', () => {
    const converged = (run: HandRun): void => run.tell({ type: 'phase', phase: 'converged' });
    const demand = (run: HandRun): void => run.tell({ type: 'phase', phase: 'all-shown' });
    const run = observed(1_000);
    for (const token of [102n, undefined]) run.tell(leader(token));
    converged(run);
    run.grantLease('c', 'lc', 1_500);
    run.campaign('c', 'lc', 'c');
    demand(run);
    const silent = observed(1_000);
    silent.tell(leader(102n));
    converged(silent);
    expectBroken('L9', () => demand(silent));
    const mute = observed(1_000);
    converged(mute);
    expectBroken('L9', () => demand(mute));
    const dead = observed(1_000);
    dead.tell({ type: 'client-killed', client: 'c2' });
    converged(dead);
    demand(dead);
  });

  // Seed 0x00092986
  it('accepts silence of an observer that began anew and found all as it was', () => {
    const shownVacant = (windowEventsMax: number): HandRun => {
      const run = new HandRun({ windowEventsMax });
      const scope = { type: 'election', election: 'e0' } as const;
      run.tell({ type: 'watch-opened', client: 'c2', watch: 1, scope });
      run.tell(leader(undefined));
      run.grantLease('a', 'la', 500);
      run.campaign('a', 'la', 'a');
      run.commit(run.from('a', revokeCommand('la')));
      run.tell({ type: 'phase', phase: 'converged' });
      return run;
    };
    shownVacant(1).tell({ type: 'phase', phase: 'all-shown' });
    expectBroken('L9', () => shownVacant(2).tell({ type: 'phase', phase: 'all-shown' }));
  });

  // Seed 0x0009288f: the observer began anew right after its leader was marked.
  it('accepts that an observer begins anew with the ending of what came next', () => {
    const run = new HandRun({ windowEventsMax: 5 });
    const scope = { type: 'election', election: 'e0' } as const;
    run.tell({ type: 'watch-opened', client: 'c2', watch: 1, scope });
    run.tell(leader(undefined));
    for (const value of ['1', '2', '3']) run.put('c1', 'k0', value);
    run.grantLease('a', 'la', 500);
    run.grantLease('b', 'lb', 1_500);
    run.campaign('a', 'la', 'a');
    run.campaign('b', 'lb', 'b');
    run.commit(run.from('c', revokeCommand('la')));
    run.tell(leader(101n));
    run.commit(expireCommand('la', 0), 500);
    run.tell(leader(102n));
  });

  it('accepts a gap where the window of the nodes has moved on', () => {
    const run = observed(1);
    run.tell(leader(101n));
    run.tell(leader(undefined));
    expect(() => run.finish()).not.toThrow();
  });
});
