import {
  type Applied,
  type ChangeEvent,
  type CommandCodec,
  Coordinator,
  type LoggedCommand,
  type Query,
  type QueryResult,
  type SessionId,
} from '@raftd/coordinator';
import type { LeaseMachine } from '../../../src/explore/lease/lease-config.js';

const LATER_MS = 1_000_000;
const NEVER_LOGGED = 500;

/** The real state machine behind one that tells lies. */
class BrokenMachine implements LeaseMachine {
  protected readonly inner: Coordinator;
  protected readonly codec: CommandCodec;
  #index = 0;

  constructor(codec: CommandCodec) {
    this.codec = codec;
    this.inner = new Coordinator({ codec });
  }

  apply(_index: number, clusterTimeMs: number, payload: Uint8Array): Applied {
    if (payload.length === 0) return this.entry(clusterTimeMs, payload);
    return this.applied(clusterTimeMs, this.codec.decode(payload));
  }

  query(query: Query): QueryResult {
    return this.inner.query(query);
  }

  due(clusterTimeMs: number, wallTimeMs: number): readonly Uint8Array[] {
    return this.inner.due(clusterTimeMs, wallTimeMs);
  }

  needsTime(): boolean {
    return this.inner.needsTime();
  }

  stateHash(): string {
    return this.inner.stateHash();
  }

  checkInvariants(): void {
    this.inner.checkInvariants();
  }

  get revision(): Coordinator['revision'] {
    return this.inner.revision;
  }

  protected applied(clusterTimeMs: number, logged: LoggedCommand): Applied {
    return this.entry(clusterTimeMs, this.codec.encode(logged));
  }

  protected entry(clusterTimeMs: number, payload: Uint8Array): Applied {
    this.#index += 1;
    return this.inner.apply(this.#index, clusterTimeMs, payload);
  }
}

/** Other events than what happened. */
class LyingMachine extends BrokenMachine {
  readonly #tell: (events: readonly ChangeEvent[]) => readonly ChangeEvent[];

  constructor(
    codec: CommandCodec,
    tell: (events: readonly ChangeEvent[]) => readonly ChangeEvent[],
  ) {
    super(codec);
    this.#tell = tell;
  }

  protected override applied(clusterTimeMs: number, logged: LoggedCommand): Applied {
    const { result, changes } = super.applied(clusterTimeMs, logged);
    if (changes === undefined) return { result, changes };
    return { result, changes: { ...changes, events: this.#tell(changes.events) } };
  }
}

export function lying(
  tell: (events: readonly ChangeEvent[]) => readonly ChangeEvent[],
): (codec: CommandCodec) => LeaseMachine {
  return (codec) => new LyingMachine(codec, tell);
}

/** Takes every guarded write. */
export class UnguardedMachine extends BrokenMachine {
  protected override applied(clusterTimeMs: number, logged: LoggedCommand): Applied {
    const { stamp, command } = logged;
    if (stamp === undefined || command.type !== 'put') return super.applied(clusterTimeMs, logged);
    return super.applied(clusterTimeMs, { stamp, command: { ...command, guards: [] } });
  }
}

/** Takes a stranger for the owner of what he ends. */
export class OwnerlessMachine extends BrokenMachine {
  protected override applied(clusterTimeMs: number, logged: LoggedCommand): Applied {
    const { stamp, command } = logged;
    const ends = command.type === 'lease-revoke' || command.type === 'withdraw';
    if (stamp === undefined || !ends) return super.applied(clusterTimeMs, logged);
    const session = command.lease.replace('lease', 'session') as SessionId;
    const forged = { ...stamp, session, sequence: NEVER_LOGGED };
    return super.applied(clusterTimeMs, { stamp: forged, command });
  }
}

/** The replica that was asked what is due differs from one that was not. */
export class MovedByQuestions extends BrokenMachine {
  #asked = false;

  override due(clusterTimeMs: number, wallTimeMs: number): readonly Uint8Array[] {
    this.#asked = true;
    return super.due(clusterTimeMs, wallTimeMs);
  }

  override stateHash(): string {
    return this.#asked && this.needsTime() ? 'asked' : super.stateHash();
  }
}

/** Expires whatever is due, renewed since or not. */
export class UnconditionalMachine extends BrokenMachine {
  protected override applied(clusterTimeMs: number, logged: LoggedCommand): Applied {
    if (logged.command.type !== 'expire-leases') return super.applied(clusterTimeMs, logged);
    const names = logged.command.leases.map(({ lease }) => lease);
    for (const payload of this.inner.due(LATER_MS, LATER_MS)) {
      const { stamp, command } = this.codec.decode(payload);
      if (stamp !== undefined || command.type !== 'expire-leases') continue;
      const leases = command.leases.filter(({ lease }) => names.includes(lease));
      return super.applied(clusterTimeMs, { stamp, command: { ...command, leases } });
    }
    return super.applied(clusterTimeMs, logged);
  }
}

/** A renewal of a lease that is over grants it again. */
export class RevivingMachine extends BrokenMachine {
  protected override applied(clusterTimeMs: number, logged: LoggedCommand): Applied {
    const applied = super.applied(clusterTimeMs, logged);
    const { stamp, command } = logged;
    if (stamp === undefined || command.type !== 'lease-renew') return applied;
    if (applied.result.type !== 'lease-renew') return applied;
    const [renewal] = applied.result.renewals;
    if (renewal?.outcome !== 'not-found') return applied;
    const sequence = NEVER_LOGGED + renewal.attempt;
    super.applied(clusterTimeMs, {
      stamp: { ...stamp, sequence },
      command: { type: 'lease-grant', lease: renewal.lease, ttlMs: 1_000 },
    });
    return applied;
  }
}

/** Denies leases that live. */
export class DenyingMachine extends BrokenMachine {
  protected override applied(clusterTimeMs: number, logged: LoggedCommand): Applied {
    const applied = super.applied(clusterTimeMs, logged);
    if (applied.result.type !== 'lease-renew') return applied;
    const renewals = applied.result.renewals.map(({ lease, attempt }) => {
      return { outcome: 'not-found', lease, attempt } as const;
    });
    return { ...applied, result: { type: 'lease-renew', renewals } };
  }
}
