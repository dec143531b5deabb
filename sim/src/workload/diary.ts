import { RaftdError } from '@raftd/client';
import type { Answer, Call, StormEvent, WatchSeen } from '../storm/events.js';

/** The reason of every abort that a workload makes on purpose. */
export class Stopped extends Error {
  override readonly name: string = 'Stopped';

  constructor(message: string) {
    super(message);
  }
}

/** One numbering for all operations of a run, one for all watches. */
export class Numbering {
  #operations = 0;
  #watches = 0;

  nextOperation(): number {
    this.#operations += 1;
    return this.#operations;
  }

  nextWatch(): number {
    this.#watches += 1;
    return this.#watches;
  }
}

export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: string };

export type WatchScopeSeen = Extract<WatchSeen, { readonly type: 'watch-opened' }>['scope'];
export type WatchEventSeen = Extract<WatchSeen, { readonly type: 'watch-event' }>['event'];

export const NOTHING: Answer = { type: 'nothing' };

/** What one life of a client tells of its calls. Once the life is over, it tells nothing. */
export class Diary {
  readonly #client: string;
  readonly #numbering: Numbering;
  readonly #tell: (event: StormEvent) => void;

  constructor(client: string, numbering: Numbering, tell: (event: StormEvent) => void) {
    this.#client = client;
    this.#numbering = numbering;
    this.#tell = tell;
  }

  /** One call from its start to its end. What is neither an answer nor a known error throws. */
  async record<Value>(
    describe: (operation: number) => Call,
    act: (operation: number) => Promise<Value>,
    answerOf: (value: Value) => Answer,
  ): Promise<Outcome<Value>> {
    const client = this.#client;
    const operation = this.#numbering.nextOperation();
    this.#tell({ type: 'operation-invoked', client, operation, call: describe(operation) });
    let value: Value;
    try {
      value = await act(operation);
    } catch (error) {
      const failed = failureOf(error);
      const outcome = { type: 'failed', ...failed } as const;
      this.#tell({ type: 'operation-returned', client, operation, outcome });
      return { ok: false, code: failed.code };
    }
    const outcome = { type: 'answered', answer: answerOf(value) } as const;
    this.#tell({ type: 'operation-returned', client, operation, outcome });
    return { ok: true, value };
  }

  /** A call of which only class and code are checked. */
  other<Value>(name: string, act: (operation: number) => Promise<Value>): Promise<Outcome<Value>> {
    return this.record(
      () => ({ type: 'other', name }),
      act,
      () => NOTHING,
    );
  }

  /** Returns the watch's number. */
  watchOpened(scope: WatchScopeSeen): number {
    const watch = this.#numbering.nextWatch();
    this.#tell({ type: 'watch-opened', client: this.#client, watch, scope });
    return watch;
  }

  watchStands(watch: number, fromRevision: number): void {
    this.#tell({ type: 'watch-stands', watch, fromRevision });
  }

  watchEvent(watch: number, event: WatchEventSeen): void {
    this.#tell({ type: 'watch-event', watch, event });
  }

  watchClosed(watch: number, code: string | undefined): void {
    this.#tell({ type: 'watch-closed', watch, code });
  }
}

/** Of a call that was aborted nothing can be concluded. */
function failureOf(error: unknown): {
  readonly class: 'rejected' | 'indeterminate' | 'invalid';
  readonly code: string;
} {
  if (error instanceof RaftdError) return { class: error.class, code: error.code };
  if (error instanceof Stopped) return { class: 'indeterminate', code: 'ABORTED' };
  throw error;
}
