import { describe, expect, it } from 'vitest';
import type { ClientOperation } from '../../src/workload/operation.js';
import { operate, playScript, READY_MS, type Seen } from './scripted-storm.js';

const PUT_LEASED: ClientOperation = {
  type: 'put-leased',
  key: 2,
  ttlMs: 1_000,
  holdMs: 2_000,
  end: 'revoke',
};

const LEAD: ClientOperation = {
  type: 'lead',
  election: 1,
  ttlMs: 2_000,
  holdMs: 4_000,
  workEveryMs: 500,
  careless: false,
  waitMs: undefined,
  end: 'resign',
};

function answersTo(seen: Seen, type: string): readonly unknown[] {
  const asked = seen.of('operation-invoked').filter(({ call }) => call.type === type);
  return asked.map(({ operation }) => {
    const returned = seen.of('operation-returned').find((one) => one.operation === operation);
    return returned?.outcome.type === 'answered' ? returned.outcome.answer : undefined;
  });
}

describe('a crew of real clients, keys on leases and looks', () => {
  it('records a put on a lease with its lease, and gets that see it come and go', async () => {
    const read: ClientOperation = { type: 'get-leased', key: 2, stale: false };
    const seen = await playScript({
      commands: [
        [READY_MS, operate(0, PUT_LEASED)],
        [READY_MS + 1_000, operate(1, read)],
        [READY_MS + 4_000, operate(1, read)],
      ],
    });
    expect(seen.result.failure).toBeUndefined();
    const put = seen.of('operation-invoked').find(({ call }) => call.type === 'put');
    const call = put?.call;
    expect(call).toMatchObject({ key: 'l2', lease: expect.any(String) as string });
    const lease = call?.type === 'put' ? call.lease : undefined;
    expect(answersTo(seen, 'put')).toMatchObject([{ type: 'written', version: 1 }]);
    expect(answersTo(seen, 'get')).toEqual([
      { type: 'record', record: expect.objectContaining({ key: 'l2', lease }) as object },
      { type: 'record', record: undefined },
    ]);
  });

  it('records what looks at elections and leases were shown', async () => {
    const looks = Array.from(
      { length: 40 },
      (_, turn) =>
        [READY_MS + 1_000 + 50 * turn, operate(1, { type: 'show-election', election: 1 })] as const,
    );
    const seen = await playScript({ commands: [[READY_MS, operate(0, LEAD)], ...looks] });
    expect(seen.result.failure).toBeUndefined();
    const [won] = seen.of('leadership-won');
    const shown = answersTo(seen, 'look');
    const leader = expect.objectContaining({ token: won?.token, holder: won?.holder }) as object;
    expect(shown).toContainEqual({
      type: 'elections',
      elections: [{ election: 'e1', leader, queue: [] }],
      more: false,
    });
    const lease = { lease: won?.lease, grants: [won?.holder] };
    const leases = [expect.objectContaining(lease) as object];
    expect(shown).toContainEqual({ type: 'leases', leases, more: false });
  });
});
