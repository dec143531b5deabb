import { Configurations } from './configurations.js';
import { bitKey } from './hash.js';
import type { Hint, Model, Partition } from './model.js';
import type { History, Operation } from './operation.js';
import { isUnknown } from './operation.js';
import { Ranks } from './ranks.js';
import { byCall, HEAD, Timeline } from './timeline.js';
import { Unknowns } from './unknowns.js';
import type { CheckLimits } from './verdict.js';

export type SearchEnd = 'found' | 'none' | 'spent';

/** How far a dead end came; compared field by field, `entry` first. */
export interface Reach {
  /** The return in the timeline that nothing gets past. */
  readonly entry: number;
  readonly placed: number;
  readonly taken: number;
}

export interface Prefix<State, Input, Output> {
  readonly operations: History<Input, Output>;
  readonly state: State;
}

const NOWHERE: Reach = { entry: HEAD, placed: -1, taken: 0 };

/**
 * The search of Wing and Gong with Lowe's cache, as Porcupine runs it: place any operation that is
 * called before the first return left, if the model agrees; go back where none is left to place.
 * Known outcomes are tried by time of call; an unknown one takes effect only where no known one
 * can be placed, and never has to.
 */
export class Search<State extends object | string | number, Input, Output> {
  steps = 0;
  /** The furthest dead end so far. */
  reach: Reach = NOWHERE;
  readonly prefixes: Prefix<State, Input, Output>[] = [];

  readonly #model: Model<State, Input, Output>;
  readonly #limits: CheckLimits;
  readonly #known: History<Input, Output>;
  readonly #unknown: History<Input, Output>;
  readonly #timeline: Timeline;
  readonly #unknowns: Unknowns;
  readonly #ranks: Ranks;
  readonly #seen: Configurations<State>;

  #state: State;
  readonly #placed: Int32Array;
  #placedHash = 0;
  #placedCount = 0;
  #highWord = 0;
  /** What to try next: an entry of the timeline, an unknown outcome, a choice of either. */
  #entry: number;
  #candidate = 0;
  #choice = 0;

  /** The way here; an unknown outcome n stands as ~n. */
  readonly #path: number[] = [];
  readonly #choices: number[] = [];
  readonly #highWords: number[] = [];
  readonly #states: State[] = [];

  constructor(
    model: Model<State, Input, Output>,
    partition: Partition<Input, Output>,
    limits: CheckLimits,
  ) {
    const sorted = sortByCall(partition);
    const known = sorted.filter(({ operation }) => !isUnknown(operation));
    const unknown = sorted.filter(({ operation }) => isUnknown(operation));
    this.#model = model;
    this.#limits = limits;
    this.#known = known.map(({ operation }) => operation);
    this.#unknown = unknown.map(({ operation }) => operation);
    this.#timeline = new Timeline(this.#known);
    this.#ranks = new Ranks(
      this.#known,
      known.map(({ hint }) => hint),
    );
    this.#unknowns = new Unknowns(
      this.#unknown,
      unknown.map(({ hint }) => hint),
    );
    this.#seen = new Configurations(model.covers, model.hash);
    this.#placed = new Int32Array((this.#known.length + 31) >>> 5);
    this.#state = model.init(partition);
    this.#entry = this.#timeline.next[HEAD] as number;
  }

  /** `record`: dead ends that came exactly as far are kept as `prefixes`. */
  run(record?: Reach): SearchEnd {
    while (this.#placedCount < this.#known.length) {
      if (this.#isSpent()) return 'spent';
      if (this.#placeKnown() || this.#takeUnknown()) continue;
      this.#noteDeadEnd(record);
      if (!this.#goBack()) return 'none';
    }
    return 'found';
  }

  /** Whose return is `entry` of the timeline. */
  ownerOf(entry: number): Operation<Input, Output> {
    return this.#known[this.#timeline.owner[entry] as number] as Operation<Input, Output>;
  }

  #isSpent(): boolean {
    return this.steps >= this.#limits.stepsMax || this.#seen.wordsUsed > this.#limits.cacheWordsMax;
  }

  /** Ends on the first return left if there is no operation to place before it. */
  #placeKnown(): boolean {
    const { isCall, owner, next } = this.#timeline;
    for (; isCall[this.#entry] === 1; this.#entry = next[this.#entry] as number) {
      const number = owner[this.#entry] as number;
      if (this.#ranks.hasTurn(number) && this.#try(number, this.#known[number])) return true;
    }
    return false;
  }

  #takeUnknown(): boolean {
    const { owner, atMs } = this.#timeline;
    const limitMs = atMs[this.#entry] as number;
    if (this.#ranks.waitsBeyond(owner[this.#entry] as number, limitMs)) return false;
    const { size, callMs } = this.#unknowns;
    for (; this.#candidate < size; this.#candidate += 1) {
      const number = this.#candidate;
      if ((callMs[number] as number) > limitMs) return false;
      if (this.#unknowns.isNext(number) && this.#try(~number, this.#unknown[number])) return true;
    }
    return false;
  }

  /** All choices from `#choice` on; `#choice` is 0 again if none does. */
  #try(step: number, operation: Operation<Input, Output> | undefined): boolean {
    const { input, output } = operation as Operation<Input, Output>;
    const choices = this.#model.choices?.(input, output) ?? 1;
    for (; this.#choice < choices; this.#choice += 1) {
      this.steps += 1;
      const state = this.#model.step(this.#state, input, output, this.#choice);
      if (state !== undefined && this.#enter(step, state)) return true;
    }
    this.#choice = 0;
    return false;
  }

  #enter(step: number, state: State): boolean {
    const before = this.#state;
    const highWord = this.#highWord;
    this.#toggle(step);
    this.#state = state;
    if (step >= 0) this.#highWord = Math.max(highWord, step >>> 5);
    if (!this.#isNew()) {
      this.#state = before;
      this.#highWord = highWord;
      this.#toggle(step);
      return false;
    }
    this.#path.push(step);
    this.#choices.push(this.#choice);
    this.#highWords.push(highWord);
    this.#states.push(before);
    this.#entry = this.#timeline.next[HEAD] as number;
    this.#candidate = 0;
    this.#choice = 0;
    return true;
  }

  #isNew(): boolean {
    const first = this.#timeline.next[HEAD] as number;
    const low = first === HEAD ? this.#known.length - 1 : (this.#timeline.owner[first] as number);
    const lowWord = low >>> 5;
    return this.#seen.add({
      placedHash: this.#placedHash,
      placed: this.#placed,
      lowWord,
      highWord: Math.max(this.#highWord, lowWord),
      taken: this.#unknowns.taken,
      state: this.#state,
    });
  }

  #goBack(): boolean {
    const step = this.#path.pop();
    const state = this.#states.pop();
    if (step === undefined || state === undefined) return false;
    this.#state = state;
    this.#choice = (this.#choices.pop() ?? 0) + 1;
    this.#highWord = this.#highWords.pop() ?? 0;
    this.#toggle(step);
    this.#candidate = step < 0 ? ~step : 0;
    this.#entry = step < 0 ? this.#firstReturn() : (this.#timeline.callOf[step] as number);
    return true;
  }

  /** Places the operation, or takes it out. */
  #toggle(step: number): void {
    if (step < 0) {
      this.#unknowns.flip(~step);
      return;
    }
    const word = step >>> 5;
    const bit = 1 << (step & 31);
    const isOut = ((this.#placed[word] as number) & bit) === 0;
    this.#placed[word] = (this.#placed[word] as number) ^ bit;
    this.#placedHash ^= bitKey(step);
    this.#placedCount += isOut ? 1 : -1;
    if (isOut) {
      this.#timeline.lift(step);
      this.#ranks.place(step);
    } else {
      this.#timeline.unlift(step);
      this.#ranks.unplace(step);
    }
  }

  #firstReturn(): number {
    const { isCall, next } = this.#timeline;
    let entry = next[HEAD] as number;
    while (isCall[entry] === 1) entry = next[entry] as number;
    return entry;
  }

  #noteDeadEnd(record: Reach | undefined): void {
    const { placed, entry, taken } = this.reach;
    const placedNow = this.#placedCount;
    const takenNow = this.#path.length - placedNow;
    const further = this.#entry - entry || placedNow - placed || taken - takenNow;
    if (further > 0) this.reach = { entry: this.#entry, placed: placedNow, taken: takenNow };
    if (record === undefined || this.prefixes.length >= this.#limits.prefixesMax) return;
    if (record.entry !== this.#entry || record.placed !== placedNow) return;
    if (record.taken !== takenNow) return;
    const operations = this.#path.map(
      (step) => (step < 0 ? this.#unknown[~step] : this.#known[step]) as Operation<Input, Output>,
    );
    this.prefixes.push({ operations, state: this.#state });
  }
}

function sortByCall<Input, Output>({
  operations,
  hints,
}: Partition<Input, Output>): { operation: Operation<Input, Output>; hint: Hint | undefined }[] {
  const placed = operations.map((operation, index) => ({ operation, hint: hints?.[index] }));
  return placed.sort((a, b) => byCall(a.operation, b.operation));
}
