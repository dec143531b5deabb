import type { TimedCommand } from '../storm/command.js';
import type { StormFailure } from '../storm/failure.js';
import type { StormPlan } from '../storm/plan.js';
import { RandomStream } from '../world/random.js';
import { simplerProfiles } from './simpler-profiles.js';

/** What one run of a candidate says. */
export interface Trial {
  readonly failure: StormFailure | undefined;
  readonly events: number;
}

export interface ShrinkBudget {
  /** Candidates that are tried at most. */
  readonly runsMax: number;
  /** Events of all trials together, at most: what shrinking costs in time. */
  readonly eventsMax: number;
}

/** To about a hundredth of the run. */
const HALVES_MAX = 7;

/** So few can be looked at as they are. */
const FEW_COMMANDS = 4;
const SHARES_KEPT_PERCENT: readonly number[] = [50, 70, 85, 95];
const DRAWS_MAX = 20;

/** About half a minute of one core. */
const DEFAULT_SHRINK_BUDGET: ShrinkBudget = { runsMax: 3_000, eventsMax: 3_000_000 };

export interface Shrunk {
  readonly plan: StormPlan;
  readonly failure: StormFailure;
  readonly commandsBefore: number;
  readonly commandsAfter: number;
  readonly runs: number;
  readonly events: number;
  /** Leaving out any one command more makes the failure go away; false: the budget ended first. */
  readonly isMinimal: boolean;
}

/**
 * Makes a failing plan as small as it can, by leaving things out for as long as the same checker
 * still finds something (delta debugging). Small decisions are drawn by key, so that what is left
 * of a plan goes on as it did.
 */
export async function shrinkPlan(
  plan: StormPlan,
  failure: StormFailure,
  run: (plan: StormPlan) => Promise<Trial>,
  budget: ShrinkBudget = DEFAULT_SHRINK_BUDGET,
): Promise<Shrunk> {
  const shrinker = new Shrinker(plan, failure, run, budget);
  await shrinker.shrink();
  return shrinker.result(plan.commands.length);
}

class Shrinker {
  readonly #run: (plan: StormPlan) => Promise<Trial>;
  readonly #budget: ShrinkBudget;
  readonly #luck: RandomStream;
  #plan: StormPlan;
  #failure: StormFailure;
  #runs = 0;
  #events = 0;
  #isMinimal = false;

  constructor(
    plan: StormPlan,
    failure: StormFailure,
    run: (plan: StormPlan) => Promise<Trial>,
    budget: ShrinkBudget,
  ) {
    this.#plan = plan;
    this.#failure = failure;
    this.#run = run;
    this.#budget = budget;
    this.#luck = new RandomStream(plan.seed, 'shrinking');
  }

  async shrink(): Promise<void> {
    await this.#endAtFailure();
    await this.#endEarlier();
    await this.#leaveOutGroups();
    await this.#leaveOutCommands();
    while ((await this.#simplifyProfile()) || (await this.#leaveOutByLuck())) {
      await this.#endAtFailure();
      await this.#leaveOutCommands();
    }
  }

  result(commandsBefore: number): Shrunk {
    return {
      plan: this.#plan,
      failure: this.#failure,
      commandsBefore,
      commandsAfter: this.#plan.commands.length,
      runs: this.#runs,
      events: this.#events,
      isMinimal: this.#isMinimal,
    };
  }

  /** A run that broke a rule needs no end in peace, nor what was to come afterwards. */
  async #endAtFailure(): Promise<void> {
    const { atMs, checker } = this.#failure;
    const stormMs = Math.ceil(atMs) + 1;
    if (checker !== 'liveness' && stormMs < this.#plan.profile.stormMs) {
      const profile = { ...this.#plan.profile, stormMs };
      if (await this.#keeps({ ...this.#plan, profile, liveness: undefined })) return;
    }
    if (checker !== 'liveness' && this.#plan.liveness !== undefined) {
      await this.#keeps({ ...this.#plan, liveness: undefined });
    }
    const lastMs = Math.ceil(this.#plan.commands.at(-1)?.atMs ?? 0) + 1;
    if (lastMs < this.#plan.profile.stormMs) {
      await this.#keeps({ ...this.#plan, profile: { ...this.#plan.profile, stormMs: lastMs } });
    }
  }

  /** Some checkers look at the end: when it was broken is found by halves. */
  async #endEarlier(): Promise<void> {
    if (this.#failure.checker === 'liveness') return;
    let tooEarlyMs = 0;
    for (let half = 0; half < HALVES_MAX; half += 1) {
      const { stormMs } = this.#plan.profile;
      const middleMs = Math.ceil((tooEarlyMs + stormMs) / 2);
      if (middleMs >= stormMs) return;
      const commands = this.#plan.commands.filter(({ atMs }) => atMs < middleMs);
      const profile = { ...this.#plan.profile, stormMs: middleMs };
      const candidate = { ...this.#plan, profile, commands, liveness: undefined };
      if (!(await this.#keeps(candidate))) tooEarlyMs = middleMs;
    }
  }

  /** Whole groups at once: most of what happened has nothing to do with it. */
  async #leaveOutGroups(): Promise<void> {
    for (const group of new Set(this.#plan.commands.flatMap(groupsOf))) {
      const rest = this.#plan.commands.filter((command) => !groupsOf(command).includes(group));
      if (rest.length < this.#plan.commands.length) await this.#keepsCommands(rest);
    }
  }

  /** Halves, quarters … single commands, until none can go. */
  async #leaveOutCommands(): Promise<void> {
    this.#isMinimal = false;
    let size = Math.ceil(this.#plan.commands.length / 2);
    while (size >= 1 && this.#hasBudget()) {
      const before = this.#plan.commands.length;
      await this.#leaveOutChunks(size);
      const isSmaller = this.#plan.commands.length < before;
      if (size > 1) {
        size = Math.ceil(Math.min(size, this.#plan.commands.length) / 2);
      } else if (!isSmaller) {
        this.#isMinimal = this.#hasBudget();
        return;
      }
    }
    this.#isMinimal = this.#plan.commands.length === 0;
  }

  async #leaveOutChunks(size: number): Promise<void> {
    let start = 0;
    while (start < this.#plan.commands.length && this.#hasBudget()) {
      const { commands } = this.#plan;
      const rest = [...commands.slice(0, start), ...commands.slice(start + size)];
      if (!(await this.#keepsCommands(rest))) start += size;
    }
  }

  async #simplifyProfile(): Promise<boolean> {
    let isSimpler = false;
    for (const simplify of simplerProfiles) {
      for (const candidate of simplify(this.#plan)) {
        if (!(await this.#keeps(candidate))) continue;
        isSimpler = true;
        break;
      }
    }
    return isSimpler;
  }

  /**
   * Where every command seems needed, it is often but their timing: some other choice of them may
   * fail as well, and go on shrinking from there.
   */
  async #leaveOutByLuck(): Promise<boolean> {
    if (this.#plan.commands.length <= FEW_COMMANDS) return false;
    for (const share of SHARES_KEPT_PERCENT) {
      for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
        const some = this.#plan.commands.filter(() => this.#luck.percent(share));
        if (await this.#keepsCommands(some)) return true;
      }
    }
    return false;
  }

  #keepsCommands(commands: readonly TimedCommand[]): Promise<boolean> {
    return this.#keeps({ ...this.#plan, commands });
  }

  /** Takes the candidate over if the same checker still finds something. */
  async #keeps(candidate: StormPlan): Promise<boolean> {
    if (!this.#hasBudget()) return false;
    const { failure, events } = await this.#run(candidate);
    this.#runs += 1;
    this.#events += events;
    if (failure?.checker !== this.#failure.checker) return false;
    this.#failure = failure;
    this.#plan = { ...candidate, commands: untilFailure(candidate, failure) };
    return true;
  }

  #hasBudget(): boolean {
    return this.#runs < this.#budget.runsMax && this.#events < this.#budget.eventsMax;
  }
}

/** What may well go together: commands of a kind, calls of a kind, calls of a client. */
function groupsOf({ command }: TimedCommand): readonly string[] {
  if (command.type !== 'operate') return [command.type];
  return ['operate', `client ${command.client}`, `call ${command.operation.type}`];
}

/** What was to happen after a rule had broken had no part in it. */
function untilFailure(plan: StormPlan, failure: StormFailure): readonly TimedCommand[] {
  if (failure.checker === 'liveness') return plan.commands;
  return plan.commands.filter(({ atMs }) => atMs <= failure.atMs);
}
