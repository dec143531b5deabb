import { Coordinator, DEFAULT_SETTINGS } from '../../src/index.js';
import type {
  ChangeEvent,
  ClientCommand,
  CommandResult,
  LoggedCommand,
  Stamp,
  SystemCommand,
} from '../../src/index.js';
import { isCommand, lease, session, TableCodec, token, TOKEN_BASE } from '../support.js';
import type { NaiveModel, NaiveOutcome } from './naive-model.js';
import { Renewers } from './renewers.js';

/** Short, so that sessions expire while leases live. */
export const SESSION_TTL_MS = 20_000;
export const SESSION_WINDOW = 6;
/** A digest reads the whole state; what differs once stays different until `replay`. */
const DIGEST_EVERY = 8;
export const CLIENTS = 3;
export const LEASES = 4;
export const ELECTIONS = ['alpha', 'beta'] as const;
export const KEYS = ['k0', 'k1', 'k2'] as const;

interface ClientSide {
  id: string;
  openedAtMs: number;
  sequence: number;
  generation: number;
}

export type Logged = Extract<LoggedCommand, { stamp: Stamp }>;

/**
 * Two replicas fed the same entries, and what clients and leaders remember. Every entry also goes
 * to the model, and both must say the same.
 */
export class World {
  readonly codec = new TableCodec();
  readonly replicas: readonly [Coordinator, Coordinator];
  readonly clients: ClientSide[] = [];
  readonly sent: Logged[] = [];
  /** System commands that leaders decided on, also those of deposed ones. */
  readonly decided: SystemCommand[] = [];
  readonly attempts = new Map<string, number>();
  readonly renewers = new Renewers();
  lastResult: CommandResult | undefined;
  readonly log: { readonly timeMs: number; readonly payload: Uint8Array }[] = [];
  readonly counts: Map<string, number>;
  readonly tokens: bigint[] = [];
  nowMs = 1000;
  /** Campaigns made up so far: each has an id of its own. */
  campaigns = 0;

  constructor(counts: Map<string, number>) {
    this.counts = counts;
    const options = { codec: this.codec };
    this.replicas = [new Coordinator(options), new Coordinator(options)];
    for (let at = 0; at < CLIENTS; at += 1) {
      this.clients.push({ id: '', openedAtMs: 0, sequence: 0, generation: 0 });
      this.openSession(at);
    }
    const settings = {
      ...DEFAULT_SETTINGS,
      sessionTtlMs: SESSION_TTL_MS,
      sessionWindow: SESSION_WINDOW,
    };
    this.#append({
      stamp: undefined,
      command: { type: 'initialize', tokenBase: token(TOKEN_BASE), settings, featureLevel: 1 },
    });
  }

  openSession(at: number): void {
    const client = this.#client(at);
    client.generation += 1;
    client.id = `client-${at}-${client.generation}`;
    client.openedAtMs = this.nowMs;
    client.sequence = 0;
  }

  stampFor(at: number): Stamp {
    const client = this.#client(at);
    client.sequence += 1;
    const { sequence, openedAtMs } = client;
    // The last two replies may have been lost: they are still waited for.
    return { session: session(client.id), openedAtMs, sequence, mark: Math.max(1, sequence - 2) };
  }

  nextAttempt(of: string): number {
    const attempt = (this.attempts.get(of) ?? 0) + 1;
    this.attempts.set(of, attempt);
    return attempt;
  }

  run(model: NaiveModel, at: number, command: ClientCommand): string {
    return this.resend(model, { stamp: this.stampFor(at), command });
  }

  resend(model: NaiveModel, logged: Logged): string {
    this.sent.push(logged);
    const real = this.#append(logged);
    const expected = model.client(this.nowMs, logged.stamp, logged.command);
    this.#compare(model, real, expected);
    return expected.reply;
  }

  propose(model: NaiveModel, command: SystemCommand): void {
    const real = this.#append({ stamp: undefined, command });
    this.#compare(model, real, model.system(this.nowMs, command));
  }

  due(aheadMs: number): readonly SystemCommand[] {
    const nowMs = this.nowMs + aheadMs;
    return this.replicas[0]
      .due(nowMs, nowMs)
      .filter(isCommand)
      .map((payload) => {
        const { stamp, command } = this.codec.decode(payload);
        if (stamp !== undefined) throw new Error('a leader proposes system commands only');
        this.decided.push(command);
        return command;
      });
  }

  /** A replica that was away applies the whole log and must be equal. */
  replay(): void {
    same('digests', this.replicas[1].stateHash(), this.replicas[0].stateHash());
    const late = new Coordinator({ codec: this.codec });
    this.log.forEach(({ timeMs, payload }, at) => late.apply(at + 1, timeMs, payload));
    same('digest after replay', late.stateHash(), this.replicas[0].stateHash());
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  #client(at: number): ClientSide {
    const client = this.clients[at];
    if (client === undefined) throw new Error(`no client ${at}`);
    return client;
  }

  #append(logged: LoggedCommand): CommandResult {
    const payload = this.codec.encode(logged);
    this.log.push({ timeMs: this.nowMs, payload });
    const [first, second] = this.replicas.map((replica) =>
      replica.apply(this.log.length, this.nowMs, payload),
    );
    if (first === undefined || second === undefined) throw new Error('two replicas');
    same('replies of replicas', describeReply(second.result), describeReply(first.result));
    if (this.log.length % DIGEST_EVERY === 0) {
      same('digests', this.replicas[1].stateHash(), this.replicas[0].stateHash());
    }
    this.replicas[0].checkInvariants();
    for (const event of first.changes?.events ?? []) this.#note(event);
    this.lastResult = first.result;
    return first.result;
  }

  /** C2 over everything that ever happened, straight from the events. */
  #note(event: ChangeEvent): void {
    if (event.type !== 'granted') return;
    const last = this.tokens.at(-1) ?? TOKEN_BASE;
    if (event.leader.token <= last) throw new Error(`token ${event.leader.token} after ${last}`);
    this.tokens.push(event.leader.token);
  }

  #compare(model: NaiveModel, real: CommandResult, expected: NaiveOutcome): void {
    for (const what of expected.happened) this.count(what);
    same('reply', describeReply(real), expected.reply);
    same('state', describeState(this.replicas[0]), describeModel(model));
    this.renewers.check(model);
  }
}

export function same(what: string, real: string, expected: string): void {
  if (real !== expected) throw new Error(`${what}: ${real}\nexpected: ${expected}`);
}

/** The model's words for a reply. */
function describeReply(result: CommandResult): string {
  switch (result.type) {
    case 'put':
      return `put ${result.version}`;
    case 'delete':
      return `delete ${result.deleted}`;
    case 'lease-grant':
      return `lease-grant ${result.ttlMs}`;
    case 'lease-renew':
      return `lease-renew ${result.renewals.map(describeRenewal).join('; ')}`;
    case 'lease-revoke':
    case 'withdraw':
      return `${result.type} ${result.outcome} ${result.waitMs}`;
    case 'campaign':
      if (result.state.state === 'granted') return `campaign granted ${result.state.leader.token}`;
      return `campaign queued ${result.state.state === 'queued' ? result.state.position : '?'}`;
    case 'fence-advance':
      return `fence-advance ${result.token}`;
    case 'refused':
      return result.refusal.code === 'FENCED'
        ? `FENCED ${result.refusal.election} ${result.refusal.current}`
        : result.refusal.code;
    default:
      return result.type;
  }
}

function describeRenewal(
  renewal: Extract<CommandResult, { type: 'lease-renew' }>['renewals'][number],
): string {
  if (renewal.outcome === 'not-found') return 'not-found';
  const grants = renewal.grants.map(
    ({ election, campaignId, token: value, ending }) =>
      `${election}=${campaignId}/${value}${ending ? '!' : ''}`,
  );
  const moved = renewal.applied ? 'moved' : `kept by ${renewal.lastAttempt}`;
  return `${renewal.ending ? 'ending' : 'renewed'} ${moved} ${grants.join(',')}`;
}

/** Everything a client can see. */
function describeState(coordinator: Coordinator): string {
  const lines: string[] = [];
  for (const name of ELECTIONS) {
    const shown = coordinator.query({ type: 'election-show', election: name });
    if (shown.type !== 'election-show') throw new Error(shown.type);
    const leader = shown.election?.leader;
    const held = leader === undefined ? '-' : `${leader.holder}/${leader.token}/${leader.ending}`;
    const queue = (shown.election?.queue ?? []).map(({ campaignId }) => campaignId);
    lines.push(`${name} ${shown.election === undefined ? 'unknown' : held} [${queue.join()}]`);
  }
  for (let at = 0; at < LEASES; at += 1) {
    const shown = coordinator.query({ type: 'lease-show', lease: lease(`lease-${at}`) });
    const record = shown.type === 'lease-show' ? shown.lease : undefined;
    if (record === undefined) continue;
    lines.push(`${record.lease} ${record.remainingMs} ${record.attempt} ${record.ending}`);
  }
  for (const key of KEYS) {
    const shown = coordinator.query({ type: 'get', key: key as never });
    if (shown.type !== 'get' || shown.record === undefined) continue;
    lines.push(`${key} ${shown.record.version} ${shown.record.lease}`);
  }
  return lines.join('\n');
}

function describeModel(model: NaiveModel): string {
  const lines: string[] = [];
  for (const name of ELECTIONS) {
    const holder = model.holder(name);
    const held =
      holder === undefined ? '-' : `${holder.id}/${holder.token}/${holder.endsAtMs !== undefined}`;
    const isKnown = model.vacantSinceMs.has(name);
    const queue = model.queue(name).map(({ id }) => id);
    lines.push(`${name} ${isKnown ? held : 'unknown'} [${queue.join()}]`);
  }
  for (let at = 0; at < LEASES; at += 1) {
    const found = model.lease(`lease-${at}`);
    if (found === undefined) continue;
    const remainingMs = found.expiresAtMs - model.nowMs;
    lines.push(`${found.id} ${remainingMs} ${found.attempt} ${found.ending}`);
  }
  for (const key of KEYS) {
    const record = model.keys.get(key);
    if (record !== undefined) lines.push(`${key} ${record.version} ${record.lease}`);
  }
  return lines.join('\n');
}
