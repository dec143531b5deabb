import { InvariantBroken } from '../invariants/invariant.js';
import { becameLeader } from '../invariants/invariant.js';
import type { StormEvent, StormObserver } from './events.js';
import type { StormFailure } from './failure.js';
import { FAULT_KINDS, type FaultKind } from './fault-kind.js';
import { TraceHash } from './trace-hash.js';

/**
 * Hears everything that happens in a storm: counts it, hashes it, and hands it to whoever watches.
 * It never throws, because it is called from within the code under test, which may catch: the
 * first failure is remembered, and the run ends at it.
 */
export class Recorder {
  readonly #nowMs: () => number;
  readonly #observers: StormObserver[] = [];
  /** Who is shown what; made when an event of a type comes for the first time. */
  #concerned: Partial<Record<StormEvent['type'], readonly StormObserver[]>> = {};
  readonly #hash = new TraceHash();
  readonly #faults: Record<FaultKind, number>;
  #failure: StormFailure | undefined;
  #victories = 0;
  #operations = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    const faults: Partial<Record<FaultKind, number>> = {};
    for (const kind of FAULT_KINDS) faults[kind] = 0;
    this.#faults = faults as Record<FaultKind, number>;
  }

  get failure(): StormFailure | undefined {
    return this.#failure;
  }

  get faults(): Readonly<Record<FaultKind, number>> {
    return this.#faults;
  }

  /** Elections won, the first one not counted. */
  get leaderChanges(): number {
    return Math.max(0, this.#victories - 1);
  }

  get operations(): number {
    return this.#operations;
  }

  get traceHash(): number {
    return this.#hash.value;
  }

  attach(observer: StormObserver): void {
    this.#observers.push(observer);
    this.#concerned = {};
  }

  readonly observe = (event: StormEvent): void => {
    if (this.#failure !== undefined) return;
    this.#hash.add(event, this.#nowMs());
    this.#count(event);
    const concerned = (this.#concerned[event.type] ??= this.#whoWants(event.type));
    try {
      for (const observer of concerned) observer.observe(event);
    } catch (error) {
      this.caught(error);
    }
  };

  /** The run is over: whoever looks at the whole of it does so now. */
  finish(): void {
    try {
      for (const observer of this.#observers) {
        if (this.#failure === undefined) observer.finish?.();
      }
    } catch (error) {
      this.caught(error);
    }
  }

  /** What was thrown, by a checker or by the code itself. Only the first counts. */
  caught(error: unknown): void {
    if (error instanceof InvariantBroken) this.fail(error.invariant, error.message);
    else this.fail('assertion', sentenceOf(error));
  }

  fail(checker: string, sentence: string): void {
    this.#failure ??= { checker, sentence, atMs: this.#nowMs() };
  }

  #whoWants(type: StormEvent['type']): readonly StormObserver[] {
    return this.#observers.filter(({ wants }) => wants?.includes(type) ?? true);
  }

  #count(event: StormEvent): void {
    switch (event.type) {
      case 'stepped':
        if (becameLeader(event)) this.#victories += 1;
        return;
      case 'fault-injected':
        this.#faults[event.kind] += 1;
        return;
      case 'operation-invoked':
        this.#operations += 1;
        return;
      default:
    }
  }
}

/** With the place it came from: an assertion's message alone may not tell. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  return place === undefined ? String(error) : `${String(error)} ${place.trim()}`;
}
