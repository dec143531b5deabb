import { DEFAULT_LIMITS } from '@raftd/raft';
import { HistoryObserver, historyCheckers } from '../history/index.js';
import { Checkers } from '../invariants/checkers.js';
import { Agenda } from '../world/agenda.js';
import { hireCrew } from '../workload/crew.js';
import type { DriverFault } from '../world/driver-fault.js';
import type { ClientCrew, HireCrew } from './client-crew.js';
import { StormCluster, type StormProbe } from './cluster.js';
import { createDrain, loopTurn } from './drain.js';
import type { StormObserver } from './events.js';
import { demandLiveness } from './liveness.js';
import type { ChangeOptions, CreateCore } from './node/node-surroundings.js';
import { perform } from './perform.js';
import type { StormPlan } from './plan.js';
import type { StormProfile } from './profile.js';
import { Recorder } from './recorder.js';
import type { StormResult } from './result.js';
import { ClientSometimes } from './sometimes/client-sometimes.js';
import { CoreSometimes } from './sometimes/core-sometimes.js';
import { SometimesTally } from './sometimes/sometimes.js';

export interface StormOptions {
  /** Further observers, made for the cluster of this run; they hear first. */
  readonly observers?: ((cluster: StormProbe) => readonly StormObserver[]) | undefined;
  /** Checkers to leave out, by id. */
  readonly except?: readonly string[] | undefined;
  /** Resolves when all promise work of the clients is done; rejects with what is unhandled. */
  readonly drain?: (() => Promise<void>) | undefined;
  /** Who the clients are; the real library's by default. */
  readonly crew?: HireCrew | undefined;
  /** Drivers and cores that are broken on purpose. */
  readonly driverFaults?: readonly DriverFault[] | undefined;
  readonly createCore?: CreateCore | undefined;
  /** What an operator makes of a node's options at each of its starts. */
  readonly nodeOptions?: ChangeOptions | undefined;
}

/** I13: who finds that acknowledged data is damaged does not vote or acknowledge any more. */
export const DAMAGE_REFUSED = 'I13';

/** One storm from its beginning to its end. The same plan gives the same result, to the letter. */
export async function runStorm(plan: StormPlan, options: StormOptions = {}): Promise<StormResult> {
  const storm = new Storm(plan, options);
  await storm.run();
  return storm.result();
}

class Storm {
  readonly #plan: StormPlan;
  readonly #cluster: StormCluster;
  readonly #crew: ClientCrew;
  readonly #recorder: Recorder;
  readonly #history: HistoryObserver;
  readonly #tally = new SometimesTally();
  readonly #drain: () => Promise<void>;
  /** Client code ran since its promises were last let come to rest. */
  #isTouched = false;
  #recoveryElections: number | undefined;

  constructor(plan: StormPlan, options: StormOptions) {
    const { driverFaults, createCore, nodeOptions, except = [] } = options;
    this.#plan = plan;
    this.#drain = options.drain ?? createDrain();
    const agenda = new Agenda();
    const recorder = new Recorder(() => agenda.nowMs);
    const cluster = new StormCluster({
      plan,
      agenda,
      observe: recorder.observe,
      onDefect: (sentence) => {
        recorder.fail('assertion', sentence);
      },
      onDamageTaken: (sentence) => {
        if (!except.includes(DAMAGE_REFUSED)) recorder.fail(DAMAGE_REFUSED, sentence);
      },
      createCore,
      nodeOptions,
      ...(driverFaults === undefined ? {} : { driverFaults }),
    });
    this.#cluster = cluster;
    this.#recorder = recorder;
    // Before the checkers, so that a story tells the event that broke a rule.
    for (const observer of options.observers?.(cluster) ?? []) recorder.attach(observer);
    const bounds = { ...DEFAULT_LIMITS, ...plan.profile.tight?.core };
    recorder.attach(
      new Checkers(cluster, bounds, { except, clocksHold: keepsBound(plan.profile) }),
    );
    this.#history = new HistoryObserver(historyCheckers(cluster, plan.profile, except));
    recorder.attach(this.#history);
    recorder.attach(new CoreSometimes(cluster, this.#tally));
    recorder.attach(new ClientSometimes(cluster, this.#tally));
    this.#crew = (options.crew ?? hireCrew)({
      plan,
      agenda,
      addresses: cluster.addresses,
      listenerAt: (address) => cluster.listenerAt(address),
      addressOf: (target) => {
        const node = cluster.resolve(target);
        return node === undefined ? undefined : cluster.addresses[node.position];
      },
      observe: cluster.observe,
      touched: () => {
        this.#isTouched = true;
      },
    });
  }

  async run(): Promise<void> {
    const { profile, liveness } = this.#plan;
    this.#cluster.observe({ type: 'phase', phase: 'storm' });
    this.#begin();
    this.#planCommands();
    if (await this.#advance(profile.stormMs)) {
      if (liveness !== undefined) {
        await demandLiveness({
          cluster: this.#cluster,
          crew: this.#crew,
          profile,
          plan: liveness,
          advance: (toMs) => this.#advance(toMs),
          isUnshown: () => this.#history.isUnshown,
          leaderChanges: () => this.#recorder.leaderChanges,
          elected: (elections) => {
            this.#recoveryElections = elections;
          },
          fail: (checker, sentence) => {
            this.#recorder.fail(checker, sentence);
          },
        });
      }
    }
    this.#recorder.finish();
    // What a promise of this run left unhandled belongs to this run.
    await loopTurn();
  }

  result(): StormResult {
    const { failure, faults, leaderChanges, operations, traceHash } = this.#recorder;
    return {
      seed: this.#plan.seed,
      failure,
      simulatedMs: this.#cluster.trueMs,
      events: this.#cluster.agenda.happened,
      leaderChanges,
      operations,
      faults,
      recoveryElections: this.#recoveryElections,
      sometimes: this.#tally.counts,
      traceHash,
    };
  }

  #begin(): void {
    try {
      this.#cluster.start();
      this.#crew.start();
    } catch (error) {
      this.#recorder.caught(error);
    }
  }

  #planCommands(): void {
    for (const { atMs, command } of this.#plan.commands) {
      if (atMs >= this.#plan.profile.stormMs) continue;
      this.#cluster.agenda.at(atMs, () => {
        perform(this.#cluster, this.#crew, command);
      });
    }
  }

  /** Everything up to a moment, one thing after the other; false once something has failed. */
  async #advance(toMs: number): Promise<boolean> {
    const { agenda } = this.#cluster;
    for (;;) {
      if (this.#isTouched) await this.#rest();
      if (this.#recorder.failure !== undefined) return false;
      if (this.#step(toMs)) continue;
      agenda.clock.moveTo(Math.max(agenda.nowMs, toMs));
      return this.#recorder.failure === undefined;
    }
  }

  /** Lets the next thing happen; false when nothing does before that moment. */
  #step(toMs: number): boolean {
    try {
      return this.#cluster.agenda.step(toMs);
    } catch (error) {
      this.#recorder.caught(error);
      return true;
    }
  }

  async #rest(): Promise<void> {
    this.#isTouched = false;
    try {
      await this.#drain();
    } catch (error) {
      this.#recorder.caught(error);
    }
  }
}

/** Beyond it the clocks of nodes break what the leader lease assumes. */
function keepsBound({ nodeSkews }: StormProfile): boolean {
  return nodeSkews.every((skew) => Math.abs(skew) <= 1);
}
