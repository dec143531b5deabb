import type { RenewalResult } from '../../src/index.js';
import { lease } from '../support.js';
import type { NaiveModel } from './naive-model.js';
import type { World } from './world.js';

/** The lease's own client, and somebody else who renews the same lease and knows nothing of it. */
export const RENEWERS = ['own', 'foreign'] as const;
type Renewer = (typeof RENEWERS)[number];

interface Sent {
  readonly by: Renewer;
  readonly lease: string;
  readonly attempt: number;
  readonly atMs: number;
}

/**
 * What clients believe of their leases, by the client's rule (DESIGN §8): the deadline counts from
 * the send of an attempt that the reply says was applied, and never moves back. Replies come at
 * once here, and renewals arrive late, in any order.
 */
export class Renewers {
  readonly #pending: Sent[] = [];
  readonly #attempts = new Map<string, number>();
  readonly #untilMs = new Map<string, number>();

  send(world: World, by: Renewer, id: string, jump: number): void {
    const key = `${by} ${id}`;
    const attempt = (this.#attempts.get(key) ?? 0) + 1 + jump;
    this.#attempts.set(key, attempt);
    this.#pending.push({ by, lease: id, attempt, atMs: world.nowMs });
  }

  arrive(world: World, model: NaiveModel, nth: number): void {
    const at = nth % Math.max(1, this.#pending.length);
    const [sent] = this.#pending.splice(at, 1);
    if (sent === undefined) return;
    const { attempt } = sent;
    const renewals = [{ lease: lease(sent.lease), attempt }];
    world.run(model, sent.by === 'own' ? 0 : 1, { type: 'lease-renew', renewals });
    const result = world.lastResult;
    if (result?.type !== 'lease-renew') return;
    for (const renewal of result.renewals) this.#hear(world, sent, renewal);
  }

  #hear(world: World, sent: Sent, result: RenewalResult): void {
    if (result.outcome !== 'renewed') return;
    const key = `${sent.by} ${sent.lease}`;
    this.#attempts.set(key, Math.max(this.#attempts.get(key) ?? 0, result.lastAttempt));
    if (result.applied) {
      const untilMs = sent.atMs + result.ttlMs;
      this.#untilMs.set(key, Math.max(this.#untilMs.get(key) ?? 0, untilMs));
      return;
    }
    if (!result.ending) world.count(`${sent.by} renewal overtaken`);
  }

  /** A lease id that was granted anew is another lease. */
  forget(id: string): void {
    for (const by of RENEWERS) this.#untilMs.delete(`${by} ${id}`);
  }

  /** Nobody believes in a lease for longer than it lives (C18). */
  check(model: NaiveModel): void {
    for (const { id, expiresAtMs } of model.leases) {
      for (const by of RENEWERS) {
        const untilMs = this.#untilMs.get(`${by} ${id}`) ?? 0;
        if (untilMs <= expiresAtMs) continue;
        throw new Error(`${by}: ${id} is believed until ${untilMs}, it ends at ${expiresAtMs}`);
      }
    }
  }
}
