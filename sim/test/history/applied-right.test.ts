import {
  type ByteString,
  type ClientCommand,
  type CommandResult,
  type Compare,
  type KeyRecord,
  type LeaseId,
  type Operation,
  type Revision,
  utf8ByteString,
} from '@raftd/protocol';
import { describe, expect, it } from 'vitest';
import type { Answer, Call, SeenStep } from '../../src/storm/events.js';
import {
  expectBroken,
  expireCommand,
  HandRun,
  keyRecord,
  putCommand,
  revokeCommand,
} from './support/hand-run.js';

type Txn = Extract<ClientCommand, { readonly type: 'txn' }>;
type Answered = Extract<Answer, { readonly type: 'steps' }>;
type Arms = Partial<Pick<Txn, 'compares' | 'success' | 'failure'>>;

const A = 'a' as ByteString;
const B = 'b' as ByteString;
const RANGE = { type: 'delete-range', start: A, end: undefined } as const;

/** `a` was put at revisions 1 and 2, `b` at 3. */
function filled(keysPerEntryMax = 10_000): HandRun {
  const run = new HandRun({ tight: { settings: { keysPerEntryMax }, core: {} } });
  run.put('c1', 'a', '9');
  run.put('c1', 'a', '10');
  run.put('c1', 'b', '3');
  return run;
}

function txn(arms: Arms): Txn {
  return { type: 'txn', compares: [], success: [], failure: [], guards: [], ...arms };
}

function put(key: ByteString, value: string, lease?: string): Operation {
  return { type: 'put', key, value: Buffer.from(value), lease: lease as LeaseId | undefined };
}

function result(succeeded: boolean, results: Extract<CommandResult, { type: 'txn' }>['results']) {
  return { type: 'txn', revision: 3 as Revision, succeeded, results } as const;
}

function compare(
  target: Exclude<Compare['target'], 'value'>,
  operator: Compare['operator'],
  operand: number,
): Compare {
  return { target, key: A, operator, operand };
}

describe('I15, what an entry must come to', () => {
  const held: readonly Compare[] = [
    compare('version', '=', 2),
    compare('create-revision', '=', 1),
    compare('mod-revision', '>', 1),
    compare('mod-revision', '<', 3),
    compare('mod-revision', '!=', 1),
    { target: 'value', key: A, operator: '<', operand: Buffer.from('9') },
    { target: 'value', key: 'z' as ByteString, operator: '!=', operand: Buffer.from('9') },
    { target: 'version', key: 'z' as ByteString, operator: '=', operand: 0 },
  ];
  const failed: readonly Compare[] = [
    compare('mod-revision', '=', 1),
    compare('mod-revision', '>', 2),
    compare('mod-revision', '<', 2),
    compare('version', '!=', 2),
    { target: 'value', key: A, operator: '>', operand: Buffer.from('9') },
    { target: 'value', key: 'z' as ByteString, operator: '=', operand: new Uint8Array() },
  ];

  it('agrees with the machine on every comparison, and refuses the contrary of each', () => {
    for (const [compares, succeeds] of [
      ...held.map((one) => [[one], true] as const),
      ...failed.map((one) => [[one], false] as const),
    ]) {
      const right = filled();
      const done = right.commit(right.from('c1', txn({ compares })));
      expect(done.result).toMatchObject({ succeeded: succeeds });
      const wrong = filled();
      const command = wrong.from('c1', txn({ compares }));
      expectBroken('I15', () => wrong.forge(command, { result: result(!succeeds, []) }));
    }
  });

  it('agrees with the machine on each step of either arm, also where one undoes another', () => {
    const steps: readonly Operation[] = [
      put(A, '1'),
      { type: 'get', key: A },
      { type: 'delete', key: A },
      put(A, '2'),
      RANGE,
      { type: 'get', key: B },
      put('c' as ByteString, '3'),
      RANGE,
    ];
    for (const arms of [{ success: steps }, { compares: failed, failure: steps }]) {
      const run = filled();
      const { result: told } = run.commit(run.from('c1', txn(arms)));
      expect(told).toMatchObject({ results: { length: steps.length } });
    }
  });

  it('refuses results that are left out, or tell something else', () => {
    const get: Operation = { type: 'get', key: B };
    const record = keyRecord('b', '3', 3);
    const wrong: readonly (KeyRecord | undefined)[] = [
      undefined,
      { ...record, value: Buffer.from('4') },
      { ...record, version: 2 },
      { ...record, createRevision: 2 as Revision },
      { ...record, modRevision: 4 as Revision },
      { ...record, lease: 'la' as LeaseId },
    ];
    for (const compares of [[], failed]) {
      const isThen = compares.length === 0;
      const run = filled();
      const command = txn({ compares, [isThen ? 'success' : 'failure']: [get] });
      run.forge(run.from('c1', command), { result: result(isThen, [{ type: 'get', record }]) });
      for (const results of [[], ...wrong.map((one) => [{ type: 'get', record: one } as const])]) {
        const other = filled();
        const told = result(isThen, results);
        expectBroken('I15', () => other.forge(other.from('c1', command), { result: told }));
      }
    }
  });

  it('refuses a change that is left out, one too many, and one that differs', () => {
    const event = { type: 'put', record: keyRecord('c', '1', 4) } as const;
    const told = { type: 'put', revision: 4 as Revision, version: 1 } as const;
    const stray = { type: 'delete', key: B, reason: 'user' } as const;
    const events = [
      [],
      [event, stray],
      [{ ...event, record: keyRecord('c', '1', 4, 2) }],
      [{ ...event, record: { ...event.record, lease: 'la' as LeaseId } }],
    ];
    for (const wrong of events) {
      const run = filled();
      const command = run.from('c1', putCommand('c', '1'));
      expectBroken('I15', () => run.forge(command, { result: told, events: wrong }));
    }
    const run = filled();
    const touch = run.from('c1', { type: 'session-touch' });
    expectBroken('I15', () => run.forge(touch, { events: [stray] }));
  });

  it('refuses that a range is said to be gone where an entry could not take all of it', () => {
    const right = filled(1);
    const command = { ...RANGE, guards: [] } as const;
    const { result: told } = right.commit(right.from('c1', command));
    expect(told).toMatchObject({ deleted: 1, more: true });
    const events = [{ type: 'delete', key: A, reason: 'user' } as const];
    for (const other of [{ more: false }, { deleted: 2 }, { revision: 3 as Revision }]) {
      const run = filled(1);
      const forged = { ...(told as Extract<CommandResult, { type: 'delete-range' }>), ...other };
      expectBroken('I15', () => {
        run.forge(run.from('c1', command), { result: forged, events });
      });
    }
  });

  it('refuses a refusal that nothing calls for, and a deed that had to be refused', () => {
    const refused = {
      type: 'refused',
      refusal: { code: 'LIMIT_EXCEEDED', field: 'keysPerEntryMax', limit: 1 },
    } as const;
    const one = txn({ success: [put(A, '1')] });
    const two = txn({
      success: [
        { type: 'get', key: A },
        { type: 'get', key: B },
      ],
    });
    const right = filled(1);
    right.commit(right.from('c1', one));
    expect(right.commit(right.from('c1', two)).result).toMatchObject(refused);
    const run = filled(1);
    expectBroken('I15', () => run.forge(run.from('c1', one), { result: refused }));
    const none = { type: 'get', record: undefined } as const;
    const other = filled(1);
    const told = result(true, [none, none]);
    expectBroken('I15', () => other.forge(other.from('c1', two), { result: told }));
    const unleased = filled();
    const record = { ...keyRecord('c', '1', 4), lease: 'la' as LeaseId };
    const bound = { ...putCommand('c', '1'), lease: 'la' as LeaseId } as ClientCommand;
    unleased.commit(unleased.from('c1', bound));
    expectBroken('I15', () => {
      const done = { type: 'put', revision: 4 as Revision, version: 1 } as const;
      unleased.forge(unleased.from('c1', bound), {
        result: done,
        events: [{ type: 'put', record }],
      });
    });
  });
});

describe('I14, what a client is told of a transaction', () => {
  const call: Extract<Call, { readonly type: 'odd-transaction' }> = {
    type: 'odd-transaction',
    compares: [{ target: 'mod-revision', key: 'a', operator: '>', operand: 1 }],
    then: [
      { type: 'put', key: 'c', value: '4' },
      { type: 'get', key: 'b' },
      { type: 'delete', key: 'b' },
      { type: 'delete-range', start: 'a', end: 'z' },
    ],
    otherwise: [],
    guarded: undefined,
  };
  const command = txn({
    compares: [compare('mod-revision', '>', 1)],
    success: [
      put('c' as ByteString, '4'),
      { type: 'get', key: B },
      { type: 'delete', key: B },
      { ...RANGE, end: 'z' as ByteString },
    ],
  });
  const seen = { key: 'b', value: '3', version: 1, createRevision: 3, modRevision: 3 } as const;
  const steps: readonly SeenStep[] = [
    { type: 'put', version: 1 },
    { type: 'get', record: seen },
    { type: 'delete', deleted: 1 },
    { type: 'delete-range', deleted: 2, more: false },
  ];
  const right: Answered = { type: 'steps', revision: 4, succeeded: true, steps };

  function answered(answer: Answered, asked = call, done: Txn = command): void {
    const run = filled();
    const operation = run.invoke('c1', asked);
    run.commit(run.from('c1', done));
    run.answer('c1', operation, answer);
    run.finish();
  }

  it('is what was applied', () => {
    answered(right);
  });

  it('is refused where it differs in anything', () => {
    const wrong = [
      { ...right, revision: 3 },
      { ...right, succeeded: false },
      { ...right, steps: steps.slice(1) },
      { ...right, steps: steps.toReversed() },
      ...(
        [
          [0, { type: 'put', version: 2 }],
          [1, { type: 'get', record: undefined }],
          [1, { type: 'get', record: { ...seen, createRevision: 1 } }],
          [2, { type: 'delete', deleted: 0 }],
          [3, { type: 'delete-range', deleted: 2, more: true }],
          [3, { type: 'delete-range', deleted: 1, more: false }],
        ] as const
      ).map(([place, step]) => ({ ...right, steps: steps.with(place, step) })),
    ];
    for (const answer of wrong) expectBroken('I14', () => answered(answer));
  });

  it('is refused where the log has another command than the client asked for', () => {
    const calls: readonly (typeof call)[] = [
      { ...call, compares: [] },
      { ...call, compares: [{ target: 'mod-revision', key: 'a', operator: '!=', operand: 1 }] },
      { ...call, compares: [{ target: 'version', key: 'a', operator: '>', operand: 1 }] },
      { ...call, then: [{ type: 'put', key: 'c', value: '5' }, ...call.then.slice(1)] },
      { ...call, otherwise: [{ type: 'get', key: 'a' }] },
    ];
    for (const other of calls) expectBroken('I14', () => answered(right, other));
  });

  it('is not that of an entry from before the call', () => {
    const run = filled();
    run.commit(run.from('c1', command));
    const operation = run.invoke('c1', call);
    expectBroken('I14', () => run.answer('c1', operation, right));
  });

  it('says of a range what the entry left of it', () => {
    for (const more of [true, false]) {
      const run = filled(1);
      const operation = run.invoke('c1', { type: 'delete-range', start: 'a', end: 'z' });
      run.commit(run.from('c1', { ...RANGE, end: utf8ByteString('z'), guards: [] }));
      const answer = { type: 'deleted', revision: 4, deleted: 1, more } as const;
      if (more) {
        run.answer('c1', operation, answer);
        run.finish();
      } else expectBroken('I14', () => run.answer('c1', operation, answer));
    }
  });
});

describe('L11, which keys go with a lease', () => {
  const bound = (lease: string | undefined): ClientCommand =>
    ({ ...putCommand('a', lease ?? 'none'), lease }) as ClientCommand;

  it('are those that were put on it last', () => {
    const run = new HandRun();
    run.grantLease('c1', 'la');
    run.grantLease('c1', 'lb');
    run.commit(run.from('c1', bound('la')));
    run.commit(run.from('c1', bound('lb')));
    expect(run.commit(run.from('c1', revokeCommand('la'))).changes).toBeUndefined();
    run.trueMs = 1_000;
    expect(run.commit(expireCommand('lb', 0)).changes?.events).toHaveLength(1);
  });

  it('are never keys that were put on another since (as L6 sees it), or on none', () => {
    for (const [next, id] of [
      ['lb', 'L6'],
      [undefined, 'L11'],
    ] as const) {
      const run = new HandRun();
      run.grantLease('c1', 'la');
      run.grantLease('c1', 'lb');
      run.commit(run.from('c1', bound('la')));
      run.commit(run.from('c1', bound(next)));
      run.trueMs = 1_000;
      const events = [{ type: 'delete', key: A, reason: 'lease-expired' } as const];
      const leasesGone = ['la'];
      expectBroken(id, () => run.forge(expireCommand('la', 0), { events, leasesGone }));
    }
  });

  it('go entry by entry where there are more than one entry may touch', () => {
    const run = new HandRun({ tight: { settings: { keysPerEntryMax: 1 }, core: {} } });
    for (const lease of ['la', 'lb']) {
      run.grantLease('c1', lease);
      const put = { ...putCommand(lease, lease), lease: lease as LeaseId } as ClientCommand;
      run.commit(run.from('c1', put));
    }
    run.trueMs = 1_000;
    const leases = ['la', 'lb'].map((lease) => ({ lease: lease as LeaseId, renewals: 0 }));
    const expire = { stamp: undefined, command: { type: 'expire-leases', leases } } as const;
    expect(run.commit(expire).changes?.events).toHaveLength(1);
    expect(run.commit(expire).changes?.events).toHaveLength(1);
    run.finish();
  });
});
