import {
  Coordinator,
  DEFAULT_SETTINGS,
  type ByteString,
  type CampaignId,
  type ChangeEvent,
  type ClientCommand,
  type CommandCodec,
  type CommandResult,
  type ElectionRecord,
  type FencingToken,
  type Guard,
  type KeyRecord,
  type LeaseId,
  type LeaseRecord,
  type LoggedCommand,
  type Query,
  type QueryResult,
  type Refusal,
  type SessionId,
  type Settings,
  type Stamp,
  type SystemCommand,
} from '../src/index.js';

/** Bytes that name an object of a table: the wire format is another package's affair. */
export class TableCodec implements CommandCodec {
  readonly #commands: LoggedCommand[] = [];

  encode(command: LoggedCommand): Uint8Array {
    this.#commands.push(command);
    const payload = new Uint8Array(4);
    new DataView(payload.buffer).setUint32(0, this.#commands.length - 1);
    return payload;
  }

  decode(payload: Uint8Array): LoggedCommand {
    const id = new DataView(payload.buffer, payload.byteOffset).getUint32(0);
    const command = this.#commands[id];
    if (command === undefined) throw new Error(`no command ${id}`);
    return command;
  }
}

export const key = (text: string): ByteString => text as ByteString;
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (value: Uint8Array | undefined): string => new TextDecoder().decode(value);
export const lease = (id: string): LeaseId => id as LeaseId;
export const campaignId = (id: string): CampaignId => id as CampaignId;
export const session = (id: string): SessionId => id as SessionId;
export const token = (value: bigint): FencingToken => value as FencingToken;

export const TOKEN_BASE = 1000n;

type Sub<T, K extends T extends { type: unknown } ? T['type'] : never> = Extract<T, { type: K }>;
export type ResultOf<K extends CommandResult['type']> = Sub<CommandResult, K>;

export interface TestOptions {
  readonly settings?: Partial<Settings>;
  /** False: the log is empty. */
  readonly initialize?: boolean;
  readonly featureLevelMax?: number;
}

/**
 * A log with two replicas that apply it: after every entry both must be sound and equal. The
 * clock is the test's.
 */
export class TestLog {
  readonly codec = new TableCodec();
  readonly coordinator: Coordinator;
  readonly replica: Coordinator;
  /** Events of the last entry. */
  events: readonly ChangeEvent[] = [];
  nowMs = 1000;
  wallMs = 1_800_000_000_000;
  readonly #sessions = new Map<string, { readonly openedAtMs: number; sequence: number }>();

  constructor(options: TestOptions = {}) {
    const { featureLevelMax } = options;
    const shared = featureLevelMax === undefined ? {} : { featureLevelMax };
    this.coordinator = new Coordinator({ codec: this.codec, ...shared });
    this.replica = new Coordinator({ codec: this.codec, ...shared });
    if (options.initialize === false) return;
    const settings = { ...DEFAULT_SETTINGS, ...options.settings };
    this.system({ type: 'initialize', tokenBase: token(TOKEN_BASE), settings, featureLevel: 1 });
  }

  /** Time passes without an entry. */
  pass(ms: number): this {
    this.nowMs += ms;
    return this;
  }

  apply(payload: Uint8Array): CommandResult {
    const index = this.coordinator.appliedIndex + 1;
    const { result, changes } = this.coordinator.apply(index, this.nowMs, payload);
    const other = this.replica.apply(index, this.nowMs, payload);
    if (changes?.revision !== other.changes?.revision) throw new Error('replicas disagree');
    this.coordinator.checkInvariants();
    if (this.coordinator.stateHash() !== this.replica.stateHash()) throw new Error('diverged');
    this.events = changes?.events ?? [];
    return result;
  }

  time(): CommandResult {
    return this.apply(new Uint8Array());
  }

  system(command: SystemCommand): CommandResult {
    return this.apply(this.codec.encode({ stamp: undefined, command }));
  }

  stamped(stamp: Stamp, command: ClientCommand): CommandResult {
    return this.apply(this.codec.encode({ stamp, command }));
  }

  /** The next command of a session that waits for one reply at a time. */
  run(command: ClientCommand, by = 'session-1'): CommandResult {
    return this.stamped(this.nextStamp(by), command);
  }

  nextStamp(by = 'session-1'): Stamp {
    const open = this.#sessions.get(by) ?? { openedAtMs: this.nowMs, sequence: 0 };
    this.#sessions.set(by, open);
    open.sequence += 1;
    const { openedAtMs, sequence } = open;
    return { session: session(by), openedAtMs, sequence, mark: sequence };
  }

  /** What a leader would do on its tick: propose and apply all that is due; `events` of it all. */
  tick(): readonly SystemCommand[] {
    const due = this.due();
    const events: ChangeEvent[] = [];
    for (const command of due) {
      this.system(command);
      events.push(...this.events);
    }
    this.events = events;
    return due;
  }

  due(): readonly SystemCommand[] {
    const payloads = this.coordinator.due(this.nowMs, this.wallMs + this.nowMs);
    return payloads.filter(isCommand).map((payload) => {
      const logged = this.codec.decode(payload);
      if (logged.stamp !== undefined) throw new Error('a leader proposes system commands only');
      return logged.command;
    });
  }

  // ---- verbs ----

  put(
    at: string,
    value = 'v',
    options: { lease?: string; guards?: Guard[]; by?: string } = {},
  ): CommandResult {
    const bound = options.lease === undefined ? undefined : lease(options.lease);
    const guards = options.guards ?? [];
    const command = {
      type: 'put',
      key: key(at),
      value: bytes(value),
      lease: bound,
      guards,
    } as const;
    return this.run(command, options.by);
  }

  grantLease(id: string, ttlMs = 10_000, by = 'session-1'): CommandResult {
    return this.run({ type: 'lease-grant', lease: lease(id), ttlMs }, by);
  }

  renew(id: string, attempt: number, by = 'session-1'): CommandResult {
    return this.run({ type: 'lease-renew', renewals: [{ lease: lease(id), attempt }] }, by);
  }

  revoke(id: string, by = 'session-1'): CommandResult {
    return this.run({ type: 'lease-revoke', lease: lease(id) }, by);
  }

  /** The candidate is named like its campaign. */
  campaign(election: string, id: string, on: string, by = 'session-1'): CommandResult {
    return this.run(
      {
        type: 'campaign',
        election,
        lease: lease(on),
        candidate: id,
        metadata: bytes(id),
        campaignId: campaignId(id),
      },
      by,
    );
  }

  withdraw(election: string, id: string, on: string, by = 'session-1'): CommandResult {
    const named = { election, lease: lease(on), campaignId: campaignId(id) };
    return this.run({ type: 'withdraw', ...named }, by);
  }

  advance(resource: string, election: string, value: bigint, by = 'session-1'): CommandResult {
    return this.run({ type: 'fence-advance', resource, election, token: token(value) }, by);
  }

  // ---- looks ----

  query<K extends Query['type']>(query: Sub<Query, K>): QueryResult {
    return this.coordinator.query(query);
  }

  get(at: string): KeyRecord | undefined {
    const result = this.coordinator.query({ type: 'get', key: key(at) });
    if (result.type !== 'get') throw new Error(result.type);
    return result.record;
  }

  show(name: string): ElectionRecord | undefined {
    const result = this.coordinator.query({ type: 'election-show', election: name });
    if (result.type !== 'election-show') throw new Error(result.type);
    return result.election;
  }

  showLease(id: string): LeaseRecord | undefined {
    const result = this.coordinator.query({ type: 'lease-show', lease: lease(id) });
    if (result.type !== 'lease-show') throw new Error(result.type);
    return result.lease;
  }

  holder(name: string): string | undefined {
    return this.show(name)?.leader?.candidate;
  }

  tokenOf(name: string): bigint {
    const current = this.show(name)?.leader?.token;
    if (current === undefined) throw new Error(`nobody leads ${name}`);
    return current;
  }

  queue(name: string): readonly string[] {
    return (this.show(name)?.queue ?? []).map(({ candidate }) => candidate);
  }

  types(): readonly string[] {
    return this.events.map(({ type }) => type);
  }
}

/** The rest of what is due only carries time. */
export function isCommand(payload: Uint8Array): boolean {
  return payload.length > 0;
}

export function refusalOf(result: CommandResult): Refusal {
  if (result.type !== 'refused') throw new Error(`not refused: ${result.type}`);
  return result.refusal;
}

export function codeOf(result: CommandResult): string {
  return result.type === 'refused' ? result.refusal.code : result.type;
}
