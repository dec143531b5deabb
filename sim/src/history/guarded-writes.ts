import { byteString, type Guard, type LoggedCommand, utf8ByteString } from '@raftd/protocol';
import type { Call, GuardSeen, OperationReturned, StormEvent } from '../storm/events.js';
import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { writeName } from './exactly-once.js';
import { at } from './sentence.js';

type Command = LoggedCommand['command'];
type FenceAdvance = Extract<Command, { readonly type: 'fence-advance' }>;

/** A write as its client asked for it. */
interface AskedWrite {
  readonly client: string;
  readonly operation: number;
  /** Undefined: without a guard. */
  readonly guarded: GuardSeen | undefined;
}

/**
 * C3: a guarded write changes something only if, at its place in the log, its grant is current and
 * not ending; it is FENCED only if that is not so; and the guard that the log has is the one that
 * the client gave. A fence kept for a resource moves for such a grant alone, of the election to
 * which it was bound first, and always for such a grant.
 */
export class GuardedWrites implements StormChecker, EntryReader {
  readonly ids = ['C3'] as const;
  readonly wants = ['operation-invoked', 'operation-returned'] as const;
  readonly finish: () => void = nothingLeft;
  readonly #context: HistoryContext;
  /** By what they would write. */
  readonly #writes = new Map<string, AskedWrite>();
  /** Calls under way that may be told FENCED. */
  readonly #guarded = new Map<number, AskedWrite>();
  /** The election to which each resource is bound. */
  readonly #fences = new Map<string, string>();

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  observe(event: StormEvent): void {
    if (event.type === 'operation-returned') this.#onReturned(event);
    if (event.type !== 'operation-invoked') return;
    const { client, operation, call } = event;
    const guarded = 'guarded' in call ? call.guarded : undefined;
    const asked: AskedWrite = { client, operation, guarded };
    if (guarded !== undefined && call.type !== 'fence-advance') this.#guarded.set(operation, asked);
    for (const { key, value } of writesOf(call)) {
      this.#writes.set(writeName(utf8ByteString(key), utf8ByteString(value)), asked);
    }
  }

  onEntry(entry: CanonicalEntry): void {
    const command = entry.logged?.command;
    if (command === undefined) return;
    if ('guards' in command) {
      this.#checkCarried(entry, command, command.guards);
      if (!entry.isRepeat) this.#checkGuards(entry, command.guards);
    }
    if (command.type === 'fence-advance' && !entry.isRepeat) this.#checkFence(entry, command);
  }

  /** A grant that is over never comes back: it was so already when the client was told. */
  #onReturned({ operation, outcome }: OperationReturned): void {
    const asked = this.#guarded.get(operation);
    this.#guarded.delete(operation);
    if (asked?.guarded === undefined || outcome.type !== 'failed') return;
    if (outcome.code !== 'FENCED' || !this.#isInForce(asked.guarded)) return;
    const told = `the write ${by(asked)} was FENCED (${at(this.#context.probe.trueMs)})`;
    this.#broken(`${told} although ${this.#standing(asked.guarded)}`);
  }

  #checkCarried(entry: CanonicalEntry, command: Command, guards: readonly Guard[]): void {
    const asked = this.#writerOf(command);
    if (asked === undefined) return;
    const { guarded } = asked;
    const isCarried =
      guarded === undefined
        ? guards.length === 0
        : guards.length === 1 && guards.every((guard) => isSameGuard(guard, guarded));
    if (isCarried) return;
    const inLog = guards.map(describeGuard).join(' and ');
    const what = `entry ${entry.index} (${at(entry.appliedAtMs)}), the write ${by(asked)},`;
    const given = guarded === undefined ? 'none' : describeGuard(guarded);
    this.#broken(`${what} is guarded by ${inLog === '' ? 'nothing' : inLog}; given was ${given}`);
  }

  #writerOf(command: Command): AskedWrite | undefined {
    for (const { key, value } of putsOf(command)) {
      const asked = this.#writes.get(writeName(key, byteString(value)));
      if (asked !== undefined) return asked;
    }
    return undefined;
  }

  #checkGuards(entry: CanonicalEntry, guards: readonly Guard[]): void {
    const failing = guards.find((guard) => !this.#isInForce(guard));
    if (failing === undefined ? !isFenced(entry) : entry.result.type === 'refused') return;
    const what = `entry ${entry.index} (${at(entry.appliedAtMs)})`;
    if (failing === undefined) {
      const all = guards.map((guard) => this.#standing(guard)).join(', ');
      this.#broken(`${what} was FENCED although ${all === '' ? 'it has no guard' : all}`);
    } else {
      const sentence = `${what} wrote under token ${failing.token}`;
      const when = `when ${this.#standing(failing)}`;
      this.#broken(`${sentence}, ${when}: a guard holds at apply or not at all`);
    }
  }

  #checkFence(entry: CanonicalEntry, command: FenceAdvance): void {
    const { resource, election, token } = command;
    const isMoved = entry.result.type === 'fence-advance';
    if (!isMoved && !isFenced(entry)) return;
    const bound = this.#fences.get(resource);
    const isOfAnother = bound !== undefined && bound !== election;
    const isDue = this.#isInForce(command) && !isOfAnother;
    if (isMoved) this.#fences.set(resource, bound ?? election);
    if (isMoved === isDue) return;
    const moving = `moving the fence of ${resource} to ${token}`;
    const what = `entry ${entry.index} (${at(entry.appliedAtMs)}), ${moving},`;
    const verdict = isMoved ? 'was accepted, when' : 'was FENCED although';
    const why = isOfAnother ? `${resource} is bound to ${bound}` : this.#standing(command);
    this.#broken(`${what} ${verdict} ${why}`);
  }

  #isInForce({ election, token }: GuardSeen): boolean {
    const grant = this.#context.log.elections.get(election)?.grant;
    return grant !== undefined && grant.token === token && !grant.isEnding;
  }

  #standing({ election, token }: GuardSeen): string {
    const grant = this.#context.log.elections.get(election)?.grant;
    if (grant === undefined) return `nobody led ${election}`;
    if (grant.token !== token) return `the grant of ${election} was token ${grant.token}`;
    return grant.isEnding
      ? `token ${token} of ${election} was ending`
      : `token ${token} was current`;
  }

  #broken(sentence: string): void {
    this.#context.broken('C3', sentence);
  }
}

function isFenced({ result }: CanonicalEntry): boolean {
  return result.type === 'refused' && result.refusal.code === 'FENCED';
}

function writesOf(call: Call): readonly { readonly key: string; readonly value: string }[] {
  switch (call.type) {
    case 'put':
      return [call];
    case 'transact':
      return call.writes;
    case 'odd-transaction':
      return [...call.then, ...call.otherwise].filter((one) => one.type === 'put');
    default:
      return [];
  }
}

/** What a command may write, in either arm of a transaction. */
function putsOf(command: Command): readonly Put[] {
  if (command.type === 'put') return [command];
  if (command.type !== 'txn') return [];
  return [...command.success, ...command.failure].filter((one) => one.type === 'put');
}

type Put = Pick<Extract<Command, { readonly type: 'put' }>, 'key' | 'value'>;

function isSameGuard(one: GuardSeen, other: GuardSeen): boolean {
  return one.election === other.election && one.token === other.token;
}

function describeGuard({ election, token }: GuardSeen): string {
  return `token ${token} of ${election}`;
}

function by({ client, operation }: AskedWrite): string {
  return `of ${client} (operation ${operation})`;
}
