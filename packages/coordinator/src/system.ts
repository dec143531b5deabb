import { assert } from './assert.js';
import type { SystemCommand } from './commands.js';
import { TOKEN_LIMIT } from './grants.js';
import { invalidArgument, refused } from './refusals.js';
import type { CommandResult } from './results.js';
import type { State } from './state.js';

/** The first command of every cluster: its limits, and a token base above all earlier clusters. */
export function onInitialize(
  state: State,
  featureLevelMax: number,
  command: Extract<SystemCommand, { type: 'initialize' }>,
): CommandResult {
  const { tokenBase, settings, featureLevel } = command;
  // Two leaders in a row may both have proposed it.
  if (state.settings !== undefined) {
    return refused(invalidArgument('initialize', 'this cluster is initialized already'));
  }
  if (tokenBase < 0n || tokenBase >= TOKEN_LIMIT) {
    return refused(invalidArgument('tokenBase', `must be from 0 to below ${TOKEN_LIMIT}`));
  }
  assertFeatureLevel(featureLevel, featureLevelMax);
  state.token = tokenBase;
  state.settings = settings;
  state.featureLevel = featureLevel;
  return { type: 'done' };
}

/** Only ever up: what older code cannot apply is allowed once every member can (K-029). */
export function onRaiseFeatureLevel(
  state: State,
  featureLevelMax: number,
  level: number,
): CommandResult {
  assertFeatureLevel(level, featureLevelMax);
  state.featureLevel = Math.max(state.featureLevel, level);
  return { type: 'done' };
}

/** Going on would mean to apply entries that this code does not understand. */
function assertFeatureLevel(level: number, featureLevelMax: number): void {
  assert(
    Number.isSafeInteger(level) && level >= 1 && level <= featureLevelMax,
    `the log needs feature level ${level}, this node knows up to ${featureLevelMax}: upgrade it`,
  );
}
