import type { Entry } from '@raftd/raft';
import type { Leadership } from './leadership.js';
import type { StateMachine } from './ports.js';
import type { Proposals } from './proposals.js';
import type { Watches } from './watches.js';

/** The only code that changes the state machine: one serial executor. */
export class Applier {
  readonly #machine: StateMachine;
  readonly #proposals: Proposals;
  readonly #watches: Watches;
  readonly #leadership: Leadership;

  constructor(
    machine: StateMachine,
    proposals: Proposals,
    watches: Watches,
    leadership: Leadership,
  ) {
    this.#machine = machine;
    this.#proposals = proposals;
    this.#watches = watches;
    this.#leadership = leadership;
  }

  /** In order, each exactly once: the state, then who waits for it, then who watches it. */
  apply(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const { index, term, clusterTimeMs, payload } = entry;
      const { result, changes } = this.#machine.apply(index, clusterTimeMs, payload);
      this.#proposals.applied(index, term, result);
      if (changes !== undefined) this.#watches.publish(changes);
      this.#leadership.applied(index, term);
    }
  }
}
