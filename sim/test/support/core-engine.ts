import type { PlanOptions, RunOptions, StormEngine } from '../../src/replay/engine.js';
import type { StormEvent, StormObserver } from '../../src/storm/events.js';
import { FAULT_KINDS } from '../../src/storm/fault-kind.js';
import type { FaultKind } from '../../src/storm/fault-kind.js';
import type { StormPlan } from '../../src/storm/plan.js';
import type { StormResult } from '../../src/storm/result.js';
import type { StormCommand } from '../../src/storm/command.js';
import { CALM_PROFILE } from '../../src/world/profile.js';
import { World } from '../../src/world/world.js';
import { calmProfile } from './calm-profile.js';

/**
 * Storms of bare cores, without servers and clients: enough to try what shows, repeats and shrinks
 * them. `judge` decides what counts as a failure.
 */
export class CoreEngine implements StormEngine {
  runs = 0;
  readonly #judge: Judge;

  constructor(judge: Judge = () => undefined) {
    this.#judge = judge;
  }

  plan(seed: number, options: PlanOptions = {}): StormPlan {
    return planOf(seed, options.stormMs ?? 2_000, [
      [600, { type: 'freeze', node: 'leader' }],
      [900, { type: 'crash', node: 1, landed: 'nothing' }],
      [1_200, { type: 'restart', node: 1 }],
      [1_400, { type: 'thaw', node: 0, timersFirst: false }],
    ]);
  }

  run(plan: StormPlan, options: RunOptions = {}): Promise<StormResult> {
    this.runs += 1;
    const run = new CoreRun(plan, options, this.#judge);
    return Promise.resolve(run.result());
  }
}

/** The checker and the sentence of what is wrong, asked after each command. */
export type Judge = (
  done: readonly StormCommand[],
  run: number,
) => { readonly checker: string; readonly sentence: string } | undefined;

export function planOf(
  seed: number,
  stormMs: number,
  commands: readonly (readonly [atMs: number, command: StormCommand])[],
): StormPlan {
  return {
    version: 1,
    seed,
    profile: calmProfile({
      stormMs,
      faults: ['crash', 'freeze-node', 'drop'],
      latencyMs: [1, 10],
      lossPercent: 2,
      duplicatePercent: 3,
      writeMs: [0.2, 2],
      turnMs: [0, 0.1],
      pipelinedRequestsMax: 64,
    }),
    commands: commands.map(([atMs, command]) => ({ atMs, command })),
    liveness: { core: [0, 1, 2], broken: [] },
  };
}

class CoreRun {
  readonly #plan: StormPlan;
  readonly #world: World;
  readonly #observers: readonly StormObserver[];
  readonly #judge: Judge;
  #events = 0;
  #hash = 17;

  constructor(plan: StormPlan, options: RunOptions, judge: Judge) {
    const { seed, profile } = plan;
    const { nodeCount, latencyMs, lossPercent, duplicatePercent, writeMs } = profile;
    this.#plan = plan;
    this.#judge = judge;
    this.#world = new World({
      profile: {
        ...CALM_PROFILE,
        seed,
        nodeCount,
        latencyMs,
        lossPercent,
        duplicatePercent,
        writeMs,
      },
    });
    this.#observers = options.observers?.(this.#world) ?? [];
    this.#world.attach({ observe: (event) => this.#see(event) });
  }

  result(): StormResult {
    this.#world.start();
    const done: StormCommand[] = [];
    for (const { atMs, command } of this.#plan.commands) {
      this.#advanceTo(atMs);
      this.#see({ type: 'commanded', command });
      this.#perform(command);
      done.push(command);
      const verdict = this.#judge(done, this.#plan.seed);
      if (verdict !== undefined) return this.#resultWith({ ...verdict, atMs });
    }
    this.#advanceTo(this.#plan.profile.stormMs);
    return this.#resultWith(undefined);
  }

  #advanceTo(atMs: number): void {
    this.#world.advance(Math.max(0, atMs - this.#world.trueMs));
  }

  #perform(command: StormCommand): void {
    const world = this.#world;
    const leader = world.nodes.find(({ view }) => view?.role === 'leader');
    const target = (node: unknown): World['nodes'][number] | undefined =>
      typeof node === 'number' ? world.nodes[node % world.nodes.length] : leader;
    switch (command.type) {
      case 'crash': {
        const node = target(command.node);
        if (node?.view !== undefined) world.crash(node, 0);
        return;
      }
      case 'restart': {
        const node = target(command.node);
        if (node !== undefined && node.view === undefined) world.restart(node);
        return;
      }
      case 'freeze': {
        const node = target(command.node);
        if (node?.isUp === true) node.freeze();
        return;
      }
      case 'thaw':
        for (const node of world.nodes) if (node.isFrozen) node.thaw({ timersFirst: false });
        return;
      case 'operate':
        this.#operate(command.client);
        return;
      default:
    }
  }

  /** A call that is answered at once: there are no servers here. */
  #operate(client: number | string): void {
    const of = { client: `c${client}`, operation: this.#events };
    this.#see({ type: 'operation-invoked', ...of, call: { type: 'get', key: 'k1', stale: false } });
    const answer = { type: 'record', record: undefined } as const;
    this.#see({ type: 'operation-returned', ...of, outcome: { type: 'answered', answer } });
  }

  #see(event: StormEvent): void {
    this.#events += 1;
    this.#hash = (Math.imul(this.#hash, 31) + Math.round(this.#world.trueMs * 1_000)) >>> 0;
    for (const observer of this.#observers) observer.observe(event);
  }

  #resultWith(failure: StormResult['failure']): StormResult {
    const faults: Partial<Record<FaultKind, number>> = {};
    for (const kind of FAULT_KINDS) faults[kind] = kind === 'crash' ? 2 : 0;
    return {
      seed: this.#plan.seed,
      failure,
      simulatedMs: this.#world.trueMs,
      events: this.#events,
      leaderChanges: 1,
      recoveryElections: 2,
      operations: 5,
      faults: faults as Record<FaultKind, number>,
      sometimes: { 'split vote': 0, 'pre-vote granted': 3 },
      traceHash: this.#hash,
    };
  }
}
