import {
  type CheckLimits,
  checkLinearizable,
  DEFAULT_CHECK_LIMITS,
  fencedLockModel,
  keyValueModel,
  type Model,
  type Operation,
  type Verdict,
} from '../linearizability/index.js';
import type { StormEvent } from '../storm/events.js';
import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { callOf, KvHistory } from './kv-history.js';
import { LockHistory } from './lock-history.js';
import { at } from './sentence.js';

/**
 * At the end of the run: is there an order of all that clients were told of keys, and one of all
 * that they were told of elections, which a single copy could have given (I12, L10)? Black box:
 * what the cluster did inside is not asked, except for what it does by itself (lease ends).
 */
export class Linearizability implements StormChecker, EntryReader {
  readonly ids = ['linearizability', 'undecided', 'I14'] as const;
  readonly wants = [
    'operation-invoked',
    'operation-returned',
    'leadership-won',
    'resource-write',
  ] as const;
  readonly #context: HistoryContext;
  readonly #limits: CheckLimits;
  readonly #keys: KvHistory;
  readonly #locks: LockHistory;

  constructor(context: HistoryContext, limits: CheckLimits = DEFAULT_CHECK_LIMITS) {
    this.#context = context;
    this.#limits = limits;
    this.#keys = new KvHistory(context);
    this.#locks = new LockHistory(context);
  }

  observe(event: StormEvent): void {
    this.#keys.follow(event);
    this.#locks.follow(event);
  }

  onSettled(entry: CanonicalEntry): void {
    this.#keys.followEntry(entry);
    this.#locks.followEntry(entry);
  }

  finish(): void {
    const operations = this.#keys.operations();
    this.#demandNoDeleteTooMany();
    this.#judge(keyValueModel, operations);
    this.#judge(fencedLockModel, this.#locks.operations());
  }

  /** The history cannot tell: in it, a delete that nobody saw between two puts is none. */
  #demandNoDeleteTooMany(): void {
    const left = this.#keys.deleteTooMany();
    if (left === undefined) return;
    const { revision, appliedAtMs, keys } = left;
    const what = `revision ${revision} (${at(appliedAtMs)}) deleted ${keys.join(', ')}`;
    this.#context.broken('I14', `${what}: done twice, or though its client was told otherwise`);
  }

  #judge<State extends object | string | number, Input, Output, Added>(
    model: Model<State, Input, Output, Added>,
    history: readonly Operation<Input, Output>[],
  ): void {
    const verdict = checkLinearizable(model, history, this.#limits);
    if (verdict.type === 'undecided') {
      const what = `whether the history of ${verdict.partition} (${model.name}) is linearizable`;
      this.#context.broken('undecided', `${what} was not decided in ${verdict.steps} steps`);
    } else if (verdict.type === 'not-linearizable') {
      this.#context.broken('linearizability', describeVerdict(model, verdict));
    }
  }
}

function describeVerdict<State extends object | string | number, Input, Output, Added>(
  model: Model<State, Input, Output, Added>,
  verdict: Extract<Verdict<Input | Added, Output>, { readonly type: 'not-linearizable' }>,
): string {
  const { partition, firstUnplaceable: stuck, longestPrefixes, states } = verdict;
  const { callMs, returnMs = Number.POSITIVE_INFINITY } = stuck;
  const call = model.describe(stuck.input, stuck.output);
  const when = `called ${at(callMs)}, returned ${at(returnMs)}`;
  const what = `${call} by ${stuck.process} (operation ${callOf(stuck.id)}; ${when}) has no place`;
  const length = longestPrefixes[0]?.length ?? 0;
  const state = states[0] ?? 'nothing';
  return `${what} in any order of ${partition}: after the best ${length} before it, ${state}`;
}
