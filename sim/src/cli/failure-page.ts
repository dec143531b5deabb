import type { Shrunk } from '../replay/shrink.js';
import type { StormFailure } from '../storm/failure.js';
import type { StormPlan } from '../storm/plan.js';
import { describeCommand } from '../story/describe-command.js';
import { describeFaults, describeLiveness, describeSize } from '../story/describe-plan.js';
import { showSeed } from './arguments.js';
import { exitClassOf, exitCodeOf } from './exit-codes.js';
import type { Paint } from './paint.js';

const COMMANDS_SHOWN = 40;

/** What was found out about a failure. */
export interface Investigated {
  readonly seed: number;
  readonly failure: StormFailure;
  /** Undefined: shrinking was not asked for, or the failure did not come again. */
  readonly shrunk: Shrunk | undefined;
  readonly plan: StormPlan;
  /** Where the plan was written. */
  readonly file: string | undefined;
  readonly heading: readonly string[];
  readonly lastLines: readonly string[];
}

export interface FailureReport extends Investigated {
  /** The arguments that repeat it as it was. */
  readonly repeat: string;
  /** What is planted in this process. */
  readonly bug: string | undefined;
}

/** One failure, one page: what is wrong, how to see it again, what led to it. */
export function describeFailure(report: FailureReport, paint: Paint): string {
  const { seed, failure, file, repeat } = report;
  const bug = report.bug === undefined ? '' : ` --bug ${report.bug}`;
  const exit = `${exitClassOf(failure.checker)}, exit code ${exitCodeOf(failure.checker)}`;
  return [
    '',
    paint.bad(failure.sentence),
    '',
    `  seed     ${showSeed(seed)}`,
    `  checker  ${failure.checker} (${exit})`,
    `  found    at ${(failure.atMs / 1000).toFixed(3)} s of true time`,
    `  repeat   ${paint.strong(`npm run sim -- ${repeat}${bug}`)}`,
    ...(file === undefined ? [] : repeatOfFile(file, bug, paint)),
    '',
    ...schedule(report, paint),
    '',
    paint.strong(`the last ${report.lastLines.length} events, without heartbeats`),
    ...report.heading,
    ...report.lastLines,
    '',
  ].join('\n');
}

function repeatOfFile(file: string, bug: string, paint: Paint): readonly string[] {
  return [
    `  shrunk   ${paint.strong(`npm run sim -- replay ${file}${bug} --trace`)}`,
    `  drawn    ${paint.strong(`npm run sim -- replay ${file}${bug} --html failure.html`)}`,
  ];
}

function schedule({ shrunk, plan }: FailureReport, paint: Paint): readonly string[] {
  const { profile } = plan;
  const world = `  ${describeSize(profile)}, ${(profile.stormMs / 1000).toFixed(1)} s`;
  const shown = plan.commands.slice(0, COMMANDS_SHOWN).map(({ atMs, command }) => {
    return `  ${atMs.toFixed(3).padStart(12)}  ${describeCommand(command, profile)}`;
  });
  const rest = plan.commands.length - shown.length;
  return [
    paint.strong(scheduleTitle(shrunk, plan)),
    `${world}, ${describeFaults(plan)}`,
    ...shown,
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
    ...livenessOf(plan),
  ];
}

function scheduleTitle(shrunk: Shrunk | undefined, plan: StormPlan): string {
  if (shrunk === undefined) return `schedule: ${plan.commands.length} commands, not shrunk`;
  const end = shrunk.isMinimal ? 'none of them can go' : 'the budget for shrinking ended first';
  const { commandsBefore, commandsAfter, runs } = shrunk;
  return `schedule: ${commandsAfter} of ${commandsBefore} commands after ${runs} runs; ${end}`;
}

function livenessOf({ liveness }: StormPlan): readonly string[] {
  if (liveness === undefined) return [];
  return [`  then liveness mode, ${describeLiveness(liveness)}`];
}
