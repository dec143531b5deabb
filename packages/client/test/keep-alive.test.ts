import type { ErrorBody, LeaseId, RenewalResult } from '@raftd/protocol';
import { DEFAULT_WIRE_LIMITS } from '@raftd/protocol';
import { describe, expect, it } from 'vitest';
import { Call, type CallBody } from '../src/call.js';
import { RaftdError } from '../src/errors.js';
import { HeldLease } from '../src/held-lease.js';
import { KeepAlive } from '../src/keep-alive.js';
import type { StartOptions } from '../src/requests.js';
import { type CorePorts, Timekeeper } from '../src/timekeeper.js';
import { World } from './harness/world.js';

const TTL = 12_000;

/** A keep-alive whose commands stop at this path until the test answers them. */
class Path {
  readonly world = new World();
  readonly ports: CorePorts;
  readonly keepAlive: KeepAlive;
  readonly leases: HeldLease[] = [];
  readonly sent: { readonly call: Call; readonly options: StartOptions }[] = [];

  constructor() {
    const outside = this.world.ports(() => {
      throw new Error('nothing is dialled here');
    });
    this.ports = { ...outside, time: new Timekeeper(outside.clock) };
    this.keepAlive = new KeepAlive(this.ports, {
      start: (body, options) => this.#start(body, options),
      suspect: () => undefined,
    });
  }

  hold(count: number): void {
    const granted = this.#start({ type: 'query', consistency: 'stale', query: QUERY }, IGNORED);
    this.sent.pop();
    for (let number = 1; number <= count; number += 1) {
      const id = `lease-${number}` as LeaseId;
      const lease = new HeldLease(this.ports, id, TTL, this.ports.time.now());
      this.leases.push(lease);
      this.keepAlive.add(lease, granted);
    }
  }

  renewals(index: number): readonly { readonly lease: LeaseId; readonly attempt: number }[] {
    const body = this.sent[index]?.call.body;
    if (body?.type !== 'command' || body.command.type !== 'lease-renew') return [];
    return body.command.renewals;
  }

  answer(index: number, change: Partial<RenewalResult & { outcome: 'renewed' }> = {}): void {
    const renewals = this.renewals(index).map(
      ({ lease, attempt }): RenewalResult => ({
        outcome: 'renewed',
        lease,
        attempt,
        applied: true,
        lastAttempt: attempt,
        ttlMs: TTL,
        ending: false,
        grants: [],
        ...change,
      }),
    );
    this.sent[index]?.options.resolve({ type: 'lease-renew', renewals });
  }

  fail(index: number, code: ErrorBody['code']): void {
    this.sent[index]?.options.reject(new RaftdError(code, 'as the test has it'));
  }

  #start(body: CallBody, options: StartOptions): Call {
    const ignore = (): void => undefined;
    const call = new Call(
      { onReply: ignore, onLost: ignore },
      {
        requestId: this.sent.length,
        body,
        startedAtMs: this.world.nowMs,
        deadlineMs: this.world.nowMs + TTL,
        single: true,
        via: undefined,
        vital: true,
        resolve: ignore,
        reject: ignore,
      },
    );
    call.firstSentAt = this.ports.time.now();
    this.sent.push({ call, options });
    return call;
  }
}

const QUERY = { type: 'lease-list', limit: 1 } as const;
const IGNORED: StartOptions = { resolve: () => undefined, reject: () => undefined };

describe('renewals', () => {
  it('are as few commands as the limit of one allows, each lease in one of them', async () => {
    const { renewalsMax } = DEFAULT_WIRE_LIMITS;
    const path = new Path();
    path.hold(2 * renewalsMax + 1);
    await path.world.advance(3_400);
    expect(path.sent.map((_, index) => path.renewals(index).length)).toEqual([
      renewalsMax,
      renewalsMax,
      1,
    ]);
    const named = path.sent.flatMap((_, index) => path.renewals(index).map(({ lease }) => lease));
    expect(new Set(named).size).toBe(2 * renewalsMax + 1);
  });

  it('are a round: due again after the last answer, or at once where one part failed', async () => {
    const path = new Path();
    path.hold(DEFAULT_WIRE_LIMITS.renewalsMax + 1);
    await path.world.advance(3_400);
    path.answer(1);
    path.answer(0);
    await path.world.advance(1_900);
    expect(path.sent).toHaveLength(2);
    await path.world.advance(1_400);
    expect(path.sent).toHaveLength(4);
    path.fail(2, 'UNAVAILABLE');
    path.answer(3);
    await path.world.advance(5);
    expect(path.sent).toHaveLength(6);
  });

  it('part of which has no answer are followed by another round after a sixth of the TTL', async () => {
    const path = new Path();
    path.hold(DEFAULT_WIRE_LIMITS.renewalsMax + 1);
    await path.world.advance(3_400);
    path.answer(1);
    await path.world.advance(TTL / 6);
    expect(path.sent).toHaveLength(4);
  });

  it('overtaken by a foreign one are sent again at once, alone, and above it', async () => {
    const path = new Path();
    path.hold(2);
    await path.world.advance(3_400);
    const [first, second] = path.leases;
    const [one, other] = path.renewals(0);
    if (one === undefined || other === undefined) throw new Error('two leases are renewed');
    const rest = { outcome: 'renewed', ttlMs: TTL, ending: false, grants: [] } as const;
    path.sent[0]?.options.resolve({
      type: 'lease-renew',
      renewals: [
        { ...rest, ...one, applied: true, lastAttempt: one.attempt },
        { ...rest, ...other, applied: false, lastAttempt: 70 },
      ],
    });
    expect(path.sent).toHaveLength(2);
    expect(path.renewals(1)).toEqual([{ lease: second?.id, attempt: 71 }]);
    expect(first?.attempt).toBe(1);
  });

  it('overtaken again and again are not raced: each further round waits', async () => {
    const path = new Path();
    path.hold(1);
    await path.world.advance(3_400);
    for (let round = 0; round < 5; round += 1) {
      const { length } = path.sent;
      path.answer(length - 1, { applied: false, lastAttempt: 100 * (round + 1) });
      const atOnce = path.sent.length > length;
      expect(atOnce).toBe(round === 0);
      await path.world.advance(600);
      expect(path.sent.length).toBe(length + 1);
    }
  });

  it('of a lease lost meanwhile are not sent again', async () => {
    const path = new Path();
    path.hold(2);
    await path.world.advance(3_400);
    path.leases[0]?.lose('resigned');
    path.answer(0, { applied: false, lastAttempt: 9 });
    expect(path.renewals(1).map(({ lease }) => lease)).toEqual(['lease-2']);
  });
});
