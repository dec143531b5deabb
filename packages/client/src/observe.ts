import type { Changes, FencingToken, LeaderRecord, Revision } from '@raftd/protocol';
import { backOffMs } from './back-off.js';
import { query } from './caller.js';
import type { ClientCore } from './core.js';
import { RaftdError } from './errors.js';
import { checkName } from './keys.js';
import type { Cancel } from './ports.js';
import { type Sink, type Source, Subscription } from './subscription.js';
import { WatchStream } from './watch-stream.js';

export interface ObserveOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Who leads as of a revision. `leader` undefined: vacant, which is an item like any other. */
export interface ElectionView {
  readonly election: string;
  readonly revision: Revision;
  readonly leader: LeaderRecord | undefined;
  /** The leader's; undefined while vacant. */
  readonly token: FencingToken | undefined;
}

/** The present state at once, then every hand-over and every vacancy, in token order (C14). */
export function observe(
  core: ClientCore,
  election: string,
  options: ObserveOptions,
): Subscription<ElectionView> {
  checkName('election', election);
  return new Subscription<ElectionView>(core, options, (sink) => {
    return new Observer(core, election, sink);
  });
}

/** A snapshot at revision R, then a watch from R + 1: nothing between the two can be missed. */
class Observer implements Source {
  readonly #core: ClientCore;
  readonly #election: string;
  readonly #sink: Sink<ElectionView>;
  #leader: LeaderRecord | undefined;
  #told = false;
  #failures = 0;
  #stream: WatchStream | undefined;
  #paused = false;
  #closed = false;
  #cancelRetry: Cancel | undefined;

  constructor(core: ClientCore, election: string, sink: Sink<ElectionView>) {
    this.#core = core;
    this.#election = election;
    this.#sink = sink;
    this.#snapshot();
  }

  pause(): void {
    this.#paused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#stream?.resume();
  }

  close(): void {
    this.#closed = true;
    this.#cancelRetry?.();
    this.#stream?.close();
  }

  #snapshot(): void {
    this.#cancelRetry = undefined;
    const asked = { type: 'election-show', election: this.#election } as const;
    query(this.#core.requests, 'election-show', asked, {}).then(
      ({ revision, election }) => {
        if (this.#closed) return;
        this.#failures = 0;
        this.#tell(election?.leader, revision);
        this.#follow(((revision as number) + 1) as Revision);
      },
      (error: unknown) => this.#onSnapshotFailed(error),
    );
  }

  #onSnapshotFailed(error: unknown): void {
    if (this.#closed) return;
    const retryable = error instanceof RaftdError && error.retryable;
    // Whoever begins to observe wants to know; later it is an outage to sit out.
    if (!this.#told || !retryable) return this.#sink.end({ error });
    const delayMs = backOffMs(this.#failures, this.#core.ports.random);
    this.#failures += 1;
    const again = (): void => this.#snapshot();
    this.#cancelRetry = this.#core.ports.timers.after(delayMs, again, { ref: true });
  }

  #follow(fromRevision: Revision): void {
    const target = { type: 'election', election: this.#election } as const;
    this.#stream = new WatchStream(this.#core, target, fromRevision, {
      onChanges: (changes) => this.#onChanges(changes),
      onFailed: (error) => {
        if (error.code === 'COMPACTED') this.#snapshot();
        else this.#sink.end({ error });
      },
    });
    if (this.#paused) this.#stream.pause();
  }

  /** One revision is one transition: what holds at its end is told (K-034). */
  #onChanges({ revision, events }: Changes): void {
    let leader = this.#leader;
    for (const event of events) {
      if (event.type === 'granted' || event.type === 'ending') leader = event.leader;
      else if (event.type === 'ended' && leader?.holder === event.campaignId) leader = undefined;
    }
    this.#tell(leader, revision);
  }

  #tell(leader: LeaderRecord | undefined, revision: Revision): void {
    const before = this.#leader;
    const same = leader?.token === before?.token && leader?.ending === before?.ending;
    if (this.#told && same) return;
    this.#told = true;
    this.#leader = leader;
    this.#sink.push({ election: this.#election, revision, leader, token: leader?.token });
  }
}
