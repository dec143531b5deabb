import { RaftdError } from '@raftd/client';
import { keyName } from '../names.js';
import type { Holding, Worker } from '../worker.js';
import { recordPut } from './write.js';

export interface Work {
  readonly election: number;
  readonly holdMs: number;
  readonly workEveryMs: number;
  /** Writes to the outside resource without asking first. */
  readonly careless?: boolean;
}

/** How long a worker computes between asking and writing: a freeze may fall right there. */
const COMPUTING_MS: readonly [low: number, high: number] = [0, 20];

/** A worker that paused for doubt asks again no sooner. */
const ASK_AGAIN_MS = 20;

/**
 * What a leader does until its time is over, or its leadership: a guarded write to the cluster
 * and a write to the outside resource with its token, each time after asking. The careless go on
 * whatever they are told, until the token is refused: what fencing alone must stop.
 */
export async function work(worker: Worker, holding: Holding, task: Work): Promise<void> {
  const careless = task.careless ?? false;
  const endsMs = worker.nowMs() + task.holdMs;
  const guarded = new GuardedWrites(worker, holding, keyName(task.election), careless);
  while (worker.nowMs() < endsMs && !worker.isWindingDown && !holding.isFenced) {
    const answer = careless ? 'not asked' : ask(holding);
    if (answer === 'lost') break;
    if (answer !== 'in doubt') {
      guarded.write();
      await worker.rest(worker.dice.between(...COMPUTING_MS));
      holding.write(answer === 'held');
    }
    await worker.rest(Math.max(task.workEveryMs, ASK_AGAIN_MS));
  }
  await guarded.settled;
}

function ask({ leadership }: Holding): 'held' | 'in doubt' | 'lost' {
  try {
    leadership.assertHeld();
    return 'held';
  } catch (error) {
    if (!(error instanceof RaftdError)) throw error;
    return error.code === 'LEADERSHIP_SUSPECT' ? 'in doubt' : 'lost';
  }
}

/** At most one under way at a time: an outage must not pile them up. */
class GuardedWrites {
  settled: Promise<void> = Promise.resolve();
  readonly #worker: Worker;
  readonly #holding: Holding;
  readonly #key: string;
  readonly #careless: boolean;
  #isBusy = false;

  constructor(worker: Worker, holding: Holding, key: string, careless: boolean) {
    this.#worker = worker;
    this.#holding = holding;
    this.#key = key;
    this.#careless = careless;
  }

  write(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.settled = this.#write();
  }

  async #write(): Promise<void> {
    const { leadership } = this.#holding;
    const { election, token } = leadership;
    const terms = { key: this.#key, guarded: { election, token } };
    await recordPut(this.#worker, terms, (value) => {
      if (!this.#careless) return leadership.guard.put(this.#key, value);
      // The handle would refuse by itself once it knows better: the cluster must.
      return this.#worker.client.put(this.#key, value, { guard: { election, token } });
    });
    this.#isBusy = false;
  }
}
