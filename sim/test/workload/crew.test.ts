import { describe, expect, it } from 'vitest';
import type { OperationReturned } from '../../src/storm/events.js';
import { OPERATIONS_MAX } from '../../src/workload/client-life.js';
import type { ClientOperation } from '../../src/workload/operation.js';
import { operate, playScript, READY_MS, type Scripted, type Seen } from './scripted-storm.js';

const LEAD: ClientOperation = {
  type: 'lead',
  election: 0,
  ttlMs: 1_000,
  holdMs: 12_000,
  workEveryMs: 20,
  careless: false,
  waitMs: undefined,
  end: 'resign',
};

function returned(seen: Seen, operation: number): OperationReturned['outcome'] | undefined {
  return seen.of('operation-returned').find((event) => event.operation === operation)?.outcome;
}

describe('a crew of real clients', () => {
  it('records a put that crossed, and a get that sees it', async () => {
    const seen = await playScript({
      commands: [
        [READY_MS, operate(0, { type: 'put', key: 3 })],
        [READY_MS + 500, operate(1, { type: 'get', key: 3, stale: false })],
      ],
    });
    expect(seen.result.failure).toBeUndefined();
    expect(seen.of('operation-invoked').map(({ client, call }) => [client, call])).toEqual([
      ['c1', { type: 'put', key: 'k3', value: '1', guarded: undefined }],
      ['c2', { type: 'get', key: 'k3', stale: false }],
    ]);
    expect(returned(seen, 1)).toMatchObject({ answer: { type: 'written', version: 1 } });
    expect(returned(seen, 2)).toMatchObject({
      answer: { type: 'record', record: { key: 'k3', value: '1', version: 1 } },
    });
  });

  it('does so through the codec as well', async () => {
    const seen = await playScript({
      seed: 2,
      profile: { encoded: true },
      commands: [
        [READY_MS, operate(0, { type: 'transact', reads: [1], writes: [0, 1] })],
        [READY_MS + 500, operate(0, { type: 'range' })],
      ],
    });
    expect(seen.result.failure).toBeUndefined();
    expect(returned(seen, 1)).toMatchObject({ answer: { succeeded: true, records: [undefined] } });
    expect(returned(seen, 2)).toMatchObject({
      answer: {
        type: 'page',
        records: [
          { key: 'k0', value: '1' },
          { key: 'k1', value: '1' },
        ],
      },
    });
  });

  it('leaves the operation of a killed client open for ever, and its next life works', async () => {
    const seen = await playScript({
      commands: [
        [READY_MS, operate(0, { type: 'put', key: 0 })],
        [READY_MS + 0.1, { type: 'kill-client', client: 0 }],
        [READY_MS + 0.2, operate(0, { type: 'put', key: 1 })],
        [READY_MS + 500, { type: 'start-client', client: 0 }],
        [READY_MS + 1_000, operate(0, { type: 'put', key: 2 })],
      ],
    });
    const keys = seen.of('operation-invoked').map(({ call }) => 'key' in call && call.key);
    expect(keys).toEqual(['k0', 'k2']);
    expect(returned(seen, 1)).toBeUndefined();
    expect(returned(seen, 2)).toMatchObject({ type: 'answered' });
    expect(seen.of('client-started').filter(({ client }) => client === 'c1')).toHaveLength(2);
  });

  it('lets a careless leader that was frozen write with a stale token: it is refused', async () => {
    const seen = await playScript({
      commands: [
        [READY_MS, operate(0, { ...LEAD, careless: true })],
        [READY_MS + 500, operate(1, LEAD)],
        [READY_MS + 2_000, { type: 'freeze-client', client: 'holder' }],
        [READY_MS + 5_000, { type: 'thaw-client', client: 0, timersFirst: true }],
      ],
    });
    const [first, second] = seen.of('leadership-won');
    expect([first?.client, second?.client]).toEqual(['c1', 'c2']);
    expect(seen.of('client-frozen').map(({ client }) => client)).toEqual(['c1']);
    const refused = seen.of('resource-write').filter(({ accepted }) => !accepted);
    expect(refused.map(({ client, token }) => [client, token])).toContainEqual([
      'c1',
      first?.token,
    ]);
  });

  it('catches a leader between asking and writing: what it writes after the thaw is refused', async () => {
    const refused: boolean[] = [];
    for (const offsetMs of [0, 10, 20]) {
      const freezeMs = READY_MS + 2_000 + offsetMs;
      const seen = await playScript({
        commands: [
          [READY_MS, operate(0, LEAD)],
          [READY_MS + 500, operate(1, LEAD)],
          [freezeMs, { type: 'freeze-client', client: 0 }],
          [freezeMs + 3_000, { type: 'thaw-client', client: 0, timersFirst: true }],
        ],
      });
      const writes = seen.of('resource-write').filter(({ accepted }) => !accepted);
      refused.push(writes.length > 0);
      for (const write of writes) expect(write).toMatchObject({ client: 'c1', asked: true });
      expect(seen.of('leadership-ended').map(({ client }) => client)).toContain('c1');
    }
    expect(refused).toContain(true);
  });

  it('lets a cut connection stay up until the client finds its silence', async () => {
    const seen = await playScript({
      commands: [
        [READY_MS, operate(0, { type: 'put', key: 0 })],
        [READY_MS + 1_000, { type: 'cut-client', client: 0, node: 'all' }],
        [READY_MS + 1_100, operate(0, { type: 'put', key: 1 })],
        [READY_MS + 14_000, { type: 'mend-client', client: 0 }],
        [READY_MS + 16_000, operate(0, { type: 'put', key: 2 })],
      ],
    });
    expect(returned(seen, 1)).toMatchObject({ type: 'answered' });
    expect(returned(seen, 2)).toMatchObject({ type: 'failed', class: 'indeterminate' });
    expect(returned(seen, 3)).toMatchObject({ type: 'answered' });
    expect(seen.result.faults['client-cut']).toBe(1);
  });

  it('takes no more operations than a client may have at once', async () => {
    const many = Array.from(
      { length: 3 * OPERATIONS_MAX },
      (_, at): Scripted => [READY_MS + at / 100, operate(0, { type: 'put', key: at % 10 })],
    );
    const seen = await playScript({
      commands: [[READY_MS - 1, { type: 'cut-client', client: 0, node: 'all' }], ...many],
    });
    expect(seen.of('operation-invoked')).toHaveLength(OPERATIONS_MAX);
  });

  it('shows a watch every change, in order, from its opening on', async () => {
    const puts = Array.from(
      { length: 20 },
      (_, at): Scripted => [READY_MS + 500 + 10 * at, operate(0, { type: 'put', key: at % 3 })],
    );
    const seen = await playScript({
      commands: [[READY_MS, operate(1, { type: 'watch', from: 0, to: 9, forMs: 5_000 })], ...puts],
      afterMs: 6_000,
    });
    const revisions = seen
      .of('watch-event')
      .map(({ event }) => (event.type === 'put' ? event.revision : 0));
    expect(revisions).toHaveLength(20);
    expect(revisions).toEqual(revisions.toSorted((one, other) => one - other));
    expect(seen.of('watch-closed')).toEqual([{ type: 'watch-closed', watch: 1, code: undefined }]);
  });

  it('winds down once the world is healed: every call of the living is settled', async () => {
    const seen = await playScript({
      commands: [
        [READY_MS, operate(0, { ...LEAD, holdMs: 90_000 })],
        [READY_MS + 100, operate(1, { ...LEAD, end: 'abandon' })],
        [READY_MS + 200, operate(1, { type: 'observe', election: 0, forMs: 90_000 })],
        [READY_MS + 300, operate(2, { type: 'put', key: 0 })],
        [READY_MS + 300.1, { type: 'kill-client', client: 2 }],
        [READY_MS + 400, { type: 'cut-client', client: 0, node: 'all' }],
        [READY_MS + 500, { type: 'freeze-client', client: 1 }],
      ],
      liveness: { core: [0, 1], broken: [{ node: 2, how: 'isolated' }] },
    });
    expect(seen.result.failure).toBeUndefined();
    const settled = new Set(seen.of('operation-returned').map(({ operation }) => operation));
    const open = seen.of('operation-invoked').filter(({ operation }) => !settled.has(operation));
    expect(open.map(({ client }) => client)).toEqual(['c3']);
    expect(seen.of('watch-closed')).toHaveLength(1);
  });

  it('does the same again under the same seed', async () => {
    const commands: readonly Scripted[] = [
      [READY_MS, operate(0, LEAD)],
      [READY_MS + 100, operate(1, { type: 'observe', election: 0, forMs: 9_000 })],
      [READY_MS + 3_000, { type: 'kill-client', client: 'holder' }],
      [READY_MS + 5_000, operate(2, { ...LEAD, end: 'abandon', holdMs: 500 })],
    ];
    const script = { commands, afterMs: 6_000 };
    const [one, other] = [await playScript(script), await playScript(script)];
    expect(one.result).toEqual(other.result);
    expect(one.events.length).toBe(other.events.length);
    expect(one.of('watch-event')).toEqual(other.of('watch-event'));
    expect(one.of('watch-event').length).toBeGreaterThan(2);
  });
});
