import type { StormEngine } from '../replay/engine.js';
import { shrinkPlan } from '../replay/shrink.js';
import type { TimedCommand } from '../storm/command.js';
import type { StormFailure } from '../storm/failure.js';
import type { StormPlan } from '../storm/plan.js';
import type { ShrunkSchedule } from './orders.js';
import { failsAlike, runForFailure } from './repeat.js';

/** Leaves out of a failing plan whatever can go, and says what was left. */
export async function shrinkSchedule(
  engine: StormEngine,
  plan: StormPlan,
  failure: StormFailure,
  onRun: () => void,
): Promise<ShrunkSchedule> {
  const startedAt = process.cpuUsage();
  const shrunk = await shrinkPlan(plan, failure, (candidate) => {
    onRun();
    return runForFailure(engine, candidate);
  });
  const used = process.cpuUsage(startedAt);
  const { commandsBefore, commandsAfter, runs, isMinimal } = shrunk;
  return {
    commandsBefore,
    commandsAfter,
    commands: shrunk.plan.commands.map(shown),
    runs,
    cpuSeconds: (used.user + used.system) / 1e6,
    isMinimal,
    isRepeatable: await failsAlike(engine, shrunk.plan, await runForFailure(engine, shrunk.plan)),
  };
}

/** `crash`, `operate put`. */
function shown({ command }: TimedCommand): string {
  return command.type === 'operate' ? `operate ${command.operation.type}` : command.type;
}
