import type {
  ByteString,
  CampaignId,
  ClientCommand,
  FencingToken,
  LeaseId,
  LoggedCommand,
  Operation,
  SessionId,
  Stamp,
} from '@raftd/coordinator';
import type { Dice, Weighted } from '../storm/planner/dice.js';
import { strangeSystemCommand } from './strange-system.js';

/** What a stranger may know of the cluster. */
export interface Surroundings {
  readonly clusterTimeMs: number;
  tokenOf(election: string): bigint;
}

interface OpenSession {
  readonly id: SessionId;
  readonly openedAtMs: number;
  next: number;
  usedAtMs: number;
}

type Kind = ClientCommand['type'] | 'system';

const KINDS: readonly Weighted<Kind>[] = [
  [12, 'put'],
  [4, 'delete'],
  [5, 'delete-range'],
  [16, 'txn'],
  [20, 'lease-grant'],
  [10, 'lease-renew'],
  [6, 'lease-revoke'],
  [18, 'campaign'],
  [8, 'withdraw'],
  [10, 'fence-advance'],
  [3, 'session-touch'],
  [3, 'session-close'],
  [9, 'system'],
];

const SESSIONS = 4;
const NEW_SESSION_PERCENT = 2;
/** Most sessions are left in peace once they are over. */
const OVER_AFTER_MS = 500;
const OVER_PERCENT = 90;
const LONG_AGO_MS = 1_000_000;
const REPEAT_PERCENT = 8;
const ODD_STAMP_PERCENT = 10;
const ODD_ARGUMENT_PERCENT = 6;
const REMEMBERED = 24;
const KEYS = ['a', 'aa', 'ab', 'b', 'c', 'd'] as const;
const OPERATORS = ['=', '!=', '<', '>'] as const;
const TARGETS = ['value', 'version', 'create-revision', 'mod-revision'] as const;

/** Asks for anything at any time: what it may not, what is long over, and what makes no sense. */
export class StrangeClient {
  readonly #dice: Dice;
  readonly #around: Surroundings;
  readonly #sessions: OpenSession[] = [];
  readonly #recent: LoggedCommand[] = [];
  #opened = 0;

  constructor(dice: Dice, around: Surroundings) {
    this.#dice = dice;
    this.#around = around;
  }

  next(): LoggedCommand {
    const dice = this.#dice;
    if (this.#recent.length > 0 && dice.percent(REPEAT_PERCENT)) return dice.pick(this.#recent);
    const kind = dice.weighted(KINDS);
    if (kind === 'system') {
      const last = this.#recent.at(-1)?.stamp?.session;
      return strangeSystemCommand(dice, { ...this.#known(), lastSession: last });
    }
    const logged = { stamp: this.#stamp(), command: this.#command(kind) };
    if (kind === 'session-close' && dice.percent(OVER_PERCENT)) this.#leave(logged.stamp.session);
    this.#recent.push(logged);
    if (this.#recent.length > REMEMBERED) this.#recent.shift();
    return logged;
  }

  #known(): Surroundings {
    const { clusterTimeMs } = this.#around;
    return { clusterTimeMs, tokenOf: (election) => this.#around.tokenOf(election) };
  }

  // ---- who asks ----

  #stamp(): Stamp {
    const dice = this.#dice;
    const session = this.#session();
    const stamp = {
      session: session.id,
      openedAtMs: session.openedAtMs,
      sequence: session.next,
      mark: Math.max(1, session.next - dice.whole(0, 3)),
    };
    session.next += 1;
    return dice.percent(ODD_STAMP_PERCENT) ? this.#oddStamp(stamp) : stamp;
  }

  #session(): OpenSession {
    const dice = this.#dice;
    const { clusterTimeMs } = this.#around;
    const known = this.#sessions.length === 0 ? undefined : dice.pick(this.#sessions);
    if (known === undefined || dice.percent(NEW_SESSION_PERCENT)) return this.#open();
    if (clusterTimeMs - known.usedAtMs > OVER_AFTER_MS && dice.percent(OVER_PERCENT)) {
      this.#leave(known.id);
      return this.#open();
    }
    known.usedAtMs = clusterTimeMs;
    return known;
  }

  #open(): OpenSession {
    const { clusterTimeMs } = this.#around;
    this.#opened += 1;
    const openedAtMs = clusterTimeMs - (this.#odd() ? LONG_AGO_MS : 0);
    const id = `s${this.#opened}` as SessionId;
    const session = { id, openedAtMs, next: 1, usedAtMs: clusterTimeMs };
    this.#sessions.push(session);
    if (this.#sessions.length > SESSIONS) this.#sessions.shift();
    return session;
  }

  #leave(id: SessionId): void {
    const at = this.#sessions.findIndex((session) => session.id === id);
    if (at >= 0) this.#sessions.splice(at, 1);
  }

  #oddStamp(stamp: Stamp): Stamp {
    const { sequence } = stamp;
    return this.#dice.pick([
      { ...stamp, session: '' as SessionId },
      { ...stamp, openedAtMs: 0.5 },
      { ...stamp, session: 'tomorrow' as SessionId, openedAtMs: Number.MAX_SAFE_INTEGER },
      { ...stamp, sequence: sequence + 0.5 },
      { ...stamp, sequence: 1, mark: 1 },
      { ...stamp, sequence: sequence + 1_000, mark: 1 },
      { ...stamp, mark: 0 },
      { ...stamp, mark: sequence + 1 },
      { ...stamp, mark: Number.NaN },
    ]);
  }

  // ---- what is asked ----

  #command(type: ClientCommand['type']): ClientCommand {
    const dice = this.#dice;
    switch (type) {
      case 'put':
        return { ...this.#put(), guards: this.#guards() };
      case 'delete':
        return { type, key: this.#key(), guards: this.#guards() };
      case 'delete-range':
        return { ...this.#deleteRange(), guards: this.#guards() };
      case 'txn':
        return this.#txn();
      case 'lease-grant':
        return {
          type,
          lease: this.#lease(),
          ttlMs: this.#odd() ? dice.pick(ODD_TTLS) : dice.pick([5, 300, 2_000, 2_000]),
        };
      case 'lease-renew':
        return { type, renewals: this.#renewals() };
      case 'lease-revoke':
        return { type, lease: this.#lease() };
      case 'campaign': {
        const named = { election: this.#election(), lease: this.#lease() };
        const metadata = new Uint8Array(dice.whole(0, 8));
        return { type, ...named, candidate: 'x', metadata, campaignId: this.#campaign() };
      }
      case 'withdraw':
        return {
          type,
          election: this.#election(),
          lease: this.#lease(),
          campaignId: this.#campaign(),
        };
      case 'fence-advance': {
        const election = this.#election();
        const resource = this.#odd() ? '' : `r${dice.whole(1, 4)}`;
        return { type, resource, election, token: this.#token(election) };
      }
      case 'session-touch':
      case 'session-close':
        return { type };
      default:
        return type satisfies never;
    }
  }

  #txn(): ClientCommand {
    const dice = this.#dice;
    const some = <Item>(most: number, make: () => Item): readonly Item[] =>
      Array.from({ length: dice.whole(0, most) }, make);
    return {
      type: 'txn',
      compares: some(2, () => this.#compare()),
      success: some(4, () => this.#operation()),
      failure: some(2, () => this.#operation()),
      guards: this.#guards(),
    };
  }

  #compare(): Extract<ClientCommand, { readonly type: 'txn' }>['compares'][number] {
    const dice = this.#dice;
    const key = this.#key();
    const target = dice.pick(TARGETS);
    const operator = dice.pick(OPERATORS);
    if (target === 'value') return { key, target, operator, operand: this.#value() };
    return { key, target, operator, operand: dice.pick([0, 1, 2, 50, -1]) };
  }

  #operation(): Operation {
    switch (this.#dice.pick(['put', 'put', 'get', 'get', 'delete', 'delete-range'] as const)) {
      case 'put':
        return this.#put();
      case 'get':
        return { type: 'get', key: this.#key() };
      case 'delete':
        return { type: 'delete', key: this.#key() };
      case 'delete-range':
        return this.#deleteRange();
    }
  }

  #put(): Extract<Operation, { readonly type: 'put' }> {
    const lease = this.#dice.percent(40) ? this.#lease() : undefined;
    return { type: 'put', key: this.#key(), value: this.#value(), lease };
  }

  /** Also backwards, where there is nothing. */
  #deleteRange(): Extract<Operation, { readonly type: 'delete-range' }> {
    const end = this.#dice.percent(50) ? this.#key() : undefined;
    return { type: 'delete-range', start: this.#key(), end };
  }

  #guards(): readonly { readonly election: string; readonly token: FencingToken }[] {
    if (!this.#dice.percent(10)) return [];
    const election = this.#election();
    return [{ election, token: this.#token(election) }];
  }

  #renewals(): readonly { readonly lease: LeaseId; readonly attempt: number }[] {
    const dice = this.#dice;
    return Array.from({ length: dice.whole(0, 3) }, () => {
      const attempt = this.#odd() ? dice.pick([0, -1, 1.5, Number.NaN]) : dice.whole(1, 30);
      return { lease: this.#lease(), attempt };
    });
  }

  // ---- with what ----

  #odd(): boolean {
    return this.#dice.percent(ODD_ARGUMENT_PERCENT);
  }

  #key(): ByteString {
    return (this.#odd() ? '' : this.#dice.pick(KEYS)) as ByteString;
  }

  /** Equal ones, beginnings of each other, and differences late in them. */
  #value(): Uint8Array {
    const value = new Uint8Array(this.#dice.pick([0, 1, 1, 2, 60]));
    if (value.length > 0) value[value.length - 1] = this.#dice.whole(0, 2);
    return value;
  }

  #lease(): LeaseId {
    return (this.#odd() ? '' : `l${this.#dice.whole(1, 5)}`) as LeaseId;
  }

  #election(): string {
    return this.#odd() ? '' : `e${Math.floor(this.#dice.skewed(1, 5))}`;
  }

  #campaign(): CampaignId {
    return (this.#odd() ? '' : `c${this.#dice.whole(1, 16)}`) as CampaignId;
  }

  #token(election: string): FencingToken {
    const current = this.#around.tokenOf(election);
    const token = this.#dice.percent(70)
      ? current
      : this.#dice.pick([0n, 1n, current - 1n, NEVER_GRANTED]);
    return token as FencingToken;
  }
}

/** Above every token, and too large for most numbers. */
const NEVER_GRANTED = 1n << 60n;

const ODD_TTLS: readonly number[] = [0, -5, 1.5, 1e9, Number.NaN];
