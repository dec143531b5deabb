import { Configurations } from './configurations.js';
import { bitKey } from './hash.js';
import type { Hint, Model, Partition, Unasked } from './model.js';
import type { History, Operation } from './operation.js';
import { CLUSTER_PROCESS, isUnknown } from './operation.js';
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
  /** What happened unasked stands among them as an operation of the cluster. */
  readonly operations: History<Input, Output>;
  readonly state: State;
}

/** The candidate before the first unknown outcome: what the system may do unasked. */
const UNASKED = -1;
/** How it stands in a path: below all ~n. */
const UNASKED_STEP = -(2 ** 30);

/** So much of reading and passing over is the work of one step, roughly. */
const WORK_PER_STEP = 64;

const NOWHERE: Reach = { entry: HEAD, placed: -1, taken: 0 };

/**
 * The search of Wing and Gong with Lowe's cache, as Porcupine runs it: place any operation that is
 * called before the first return left, if the model agrees; go back where none is left to place.
 * Known outcomes are tried by time of call; an unknown one takes effect only where no known one
 * can be placed, and never has to; what the system does unasked is tried just before those. A read
 * that fits is placed at once for good: from any order that has it later it can be moved here.
 */
export class Search<State extends object | string | number, Input, Output, Added> {
  steps = 0;
  /** The furthest dead end so far. */
  reach: Reach = NOWHERE;
  readonly prefixes: Prefix<State, Input | Added, Output>[] = [];

  readonly #model: Model<State, Input, Output, Added>;
  readonly #limits: CheckLimits;
  readonly #known: History<Input, Output>;
  readonly #unknown: History<Input, Output>;
  readonly #timeline: Timeline;
  readonly #unknowns: Unknowns;
  readonly #ranks: Ranks;
  readonly #seen: Configurations<State>;
  /** Of one state; so much a step on it reads. */
  readonly #stateWords: number;
  /** What was passed over in looking for a step, and words read. */
  #passed = 0;

  #state: State;
  readonly #placed: Int32Array;
  #placedHash = 0;
  #placedCount = 0;
  #highWord = 0;
  /** What to try next: an entry of the timeline, an unknown outcome, a choice of either. */
  #entry: number;
  #candidate: number = UNASKED;
  #choice = 0;

  /** The way here; an unknown outcome n stands as ~n, what happened unasked as UNASKED_STEP. */
  readonly #path: number[] = [];
  readonly #choices: number[] = [];
  readonly #highWords: number[] = [];
  readonly #states: State[] = [];
  /** Steps beside which nothing else need be tried. */
  readonly #isFree: boolean[] = [];

  constructor(
    model: Model<State, Input, Output, Added>,
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
    this.#placed = new Int32Array((this.#known.length + 31) >>> 5);
    this.#state = model.init(partition);
    this.#stateWords = model.words?.(this.#state) ?? 1;
    this.#seen = new Configurations(model, this.#stateWords);
    this.#entry = this.#timeline.next[HEAD] as number;
  }

  /** In steps. */
  get work(): number {
    const read = this.steps * this.#stateWords + this.#seen.compared + this.#passed;
    return Math.max(this.steps, read / WORK_PER_STEP);
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
    const { stepsMax, cacheWordsMax } = this.#limits;
    return this.work >= stepsMax || this.#seen.wordsUsed > cacheWordsMax;
  }

  /** Ends on the first return left if there is no operation to place before it. */
  #placeKnown(): boolean {
    const { isCall, owner, next } = this.#timeline;
    for (; isCall[this.#entry] === 1; this.#entry = next[this.#entry] as number) {
      this.#passed += 1;
      const number = owner[this.#entry] as number;
      if (this.#ranks.hasTurn(number) && this.#try(number, this.#known[number])) return true;
    }
    return false;
  }

  #takeUnknown(): boolean {
    const { owner, atMs } = this.#timeline;
    const limitMs = atMs[this.#entry] as number;
    if (this.#ranks.waitsBeyond(owner[this.#entry] as number, limitMs)) return false;
    if (this.#candidate === UNASKED) {
      if (this.#letHappen(limitMs)) return true;
      this.#candidate = 0;
    }
    const { size, callMs } = this.#unknowns;
    for (; this.#candidate < size; this.#candidate += 1) {
      const number = this.#candidate;
      this.#passed += 1;
      if ((callMs[number] as number) > limitMs) return false;
      if (this.#unknowns.isNext(number) && this.#try(~number, this.#unknown[number])) return true;
    }
    return false;
  }

  /** What the system does unasked by this time. */
  #letHappen(limitMs: number): boolean {
    for (; ; this.#choice += 1) {
      const unasked = this.#model.unasked?.(this.#state, this.#choice);
      if (unasked === undefined) break;
      this.steps += 1;
      if (unasked.fromMs > limitMs) continue;
      if (this.#enter(UNASKED_STEP, unasked.state, { isFree: false })) return true;
    }
    this.#choice = 0;
    return false;
  }

  /** All choices from `#choice` on; `#choice` is 0 again if none does. */
  #try(step: number, operation: Operation<Input, Output> | undefined): boolean {
    const { input, output } = operation as Operation<Input, Output>;
    const choices = this.#model.choices?.(input, output) ?? 1;
    for (; this.#choice < choices; this.#choice += 1) {
      this.steps += 1;
      const state = this.#model.step(this.#state, input, output, this.#choice);
      if (state === undefined) continue;
      const isFree =
        step >= 0 &&
        output !== undefined &&
        this.#model.isRead?.(input, output) === true &&
        this.#model.covers(state, this.#state);
      if (this.#enter(step, state, { isFree })) return true;
    }
    this.#choice = 0;
    return false;
  }

  #enter(step: number, state: State, { isFree }: { readonly isFree: boolean }): boolean {
    const before = this.#state;
    const highWord = this.#highWord;
    this.#toggle(step);
    this.#state = state;
    if (step >= 0) this.#highWord = Math.max(highWord, step >>> 5);
    if (!this.#fits() || !this.#isNew()) {
      this.#state = before;
      this.#highWord = highWord;
      this.#toggle(step);
      return false;
    }
    this.#path.push(step);
    this.#choices.push(this.#choice);
    this.#highWords.push(highWord);
    this.#states.push(before);
    this.#isFree.push(isFree);
    this.#entry = this.#timeline.next[HEAD] as number;
    this.#candidate = UNASKED;
    this.#choice = 0;
    return true;
  }

  /** The next one whose rank is known may still follow. */
  #fits(): boolean {
    const { turn } = this.#ranks;
    return turn === undefined || (this.#model.fits?.(this.#state, turn) ?? true);
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
    let isFree = true;
    while (isFree) {
      isFree = this.#isFree.pop() ?? false;
      if (!this.#undo()) return false;
    }
    return true;
  }

  #undo(): boolean {
    const step = this.#path.pop();
    const state = this.#states.pop();
    if (step === undefined || state === undefined) return false;
    this.#state = state;
    this.#choice = (this.#choices.pop() ?? 0) + 1;
    this.#highWord = this.#highWords.pop() ?? 0;
    this.#toggle(step);
    this.#candidate = step >= 0 || step === UNASKED_STEP ? UNASKED : ~step;
    this.#entry = step < 0 ? this.#firstReturn() : (this.#timeline.callOf[step] as number);
    return true;
  }

  /** Places the operation, or takes it out. */
  #toggle(step: number): void {
    if (step < 0) {
      if (step !== UNASKED_STEP) this.#unknowns.flip(~step);
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
    for (; isCall[entry] === 1; entry = next[entry] as number) this.#passed += 1;
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
    const operations = this.#path.map((step, at) => this.#operationOf(step, at));
    this.prefixes.push({ operations, state: this.#state });
  }

  /** Of the path's step at this index. */
  #operationOf(step: number, at: number): Operation<Input | Added, Output> {
    if (step >= 0) return this.#known[step] as Operation<Input, Output>;
    if (step !== UNASKED_STEP) return this.#unknown[~step] as Operation<Input, Output>;
    const unasked = this.#model.unasked?.(this.#states[at] as State, this.#choices[at] as number);
    const { fromMs: callMs, input } = unasked as Unasked<State, Added>;
    const id = -1 - at;
    return { id, process: CLUSTER_PROCESS, callMs, returnMs: undefined, input, output: undefined };
  }
}

function sortByCall<Input, Output>({
  operations,
  hints,
}: Partition<Input, Output>): { operation: Operation<Input, Output>; hint: Hint | undefined }[] {
  const placed = operations.map((operation, index) => ({ operation, hint: hints?.[index] }));
  return placed.sort((a, b) => byCall(a.operation, b.operation));
}
