import type { LeaseId } from '@raftd/protocol';
import type { Answer, Call, CallOptions } from './call.js';
import type { ClientCore } from './core.js';
import { LeaseLostError, mayHaveHappened } from './errors.js';
import { checkTtl, HeldLease } from './held-lease.js';
import { mismatch } from './keys.js';
import { revoke } from './release.js';

export interface GrantOptions extends CallOptions {
  readonly ttlMs: number;
  readonly id?: LeaseId | undefined;
}

/**
 * Grants a lease and keeps it alive. It counts from the send of the *first* attempt: a retried
 * grant returns the first outcome. One that took longer than it is worth is given back (K-054).
 */
export async function grantLease(core: ClientCore, options: GrantOptions): Promise<HeldLease> {
  const { ports } = core;
  checkTtl(options.ttlMs, ports.log);
  const id = options.id ?? (ports.randomId() as LeaseId);
  const command = { type: 'lease-grant', lease: id, ttlMs: options.ttlMs } as const;
  let granting: Call | undefined;
  try {
    return await new Promise<HeldLease>((resolve, reject) => {
      const onAnswer = (answer: Answer): void => {
        const call = granting;
        const firstSentAt = call?.firstSentAt;
        if (answer.type !== 'lease-grant' || call === undefined || firstSentAt === undefined) {
          return reject(mismatch('lease-grant', answer.type));
        }
        // What was granted counts, not what was asked for (K-011).
        const lease = new HeldLease(ports, id, answer.ttlMs, firstSentAt);
        if (!lease.check()) {
          core.background(revoke(core, id));
          return reject(new LeaseLostError(id, 'expired'));
        }
        core.keepAlive.add(lease, call);
        resolve(lease);
      };
      granting = core.requests.start(
        { type: 'command', lane: 'control', command },
        { signal: options.signal, timeoutMs: options.timeoutMs, resolve: onAnswer, reject },
      );
    });
  } catch (error) {
    // Whoever chose the id may still want the lease; nobody else can know a random one.
    const sent = granting?.firstSentAt !== undefined;
    if (options.id === undefined && sent && mayHaveHappened(error)) {
      core.background(revoke(core, id));
    }
    throw error;
  }
}
