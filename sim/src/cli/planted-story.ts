import type { BugOutcome, HuntResult, PlantedBug } from '../planted/index.js';
import { worldOf } from '../planted/index.js';
import { showSeed } from './arguments.js';
import type { Paint } from './paint.js';
import { planFlags } from './plan-flags.js';

/** How one bug was caught: by whom, what was said, and how to see it again. */
export function describeCatch(bug: PlantedBug, { hunts }: BugOutcome, paint: Paint): string {
  return hunts.flatMap((hunt) => storyOf(bug, hunt, paint)).join('\n');
}

function storyOf(bug: PlantedBug, hunt: HuntResult, paint: Paint): readonly string[] {
  const { found, checker, sentence, seed, trace } = hunt;
  if (!found || checker === undefined) return [];
  const said = sentence?.startsWith(`${checker}: `) ? sentence : `${checker}: ${sentence ?? ''}`;
  return [
    '',
    paint.bad(`${hunt.hunt.replace(':', ' ')}: ${said}`),
    ...(seed === undefined ? [] : [`  repeat  ${paint.strong(repeatOf(bug, seed))}`]),
    ...(trace ?? []).map((step) => `  ${step}`),
  ];
}

function repeatOf(bug: PlantedBug, seed: number): string {
  const flags = planFlags(worldOf(bug)).join(' ');
  return `npm run sim -- storm --bug ${bug.id} --seeds 1 --seed ${showSeed(seed)} ${flags}`;
}

/** Why a bug counts as missed: where was it looked for, and who found what instead? */
export function describeMiss({ id, broken, hunts }: BugOutcome): readonly string[] {
  const lines = hunts
    .filter(({ found }) => !found)
    .map(({ hunt, tried, first, others }) => {
      const found = Object.entries(others).map(([checker, count]) => nameOther(checker, count));
      const rest =
        found.length === 0 ? 'nobody noticed anything' : `others did: ${found.join(', ')}`;
      const where = first === undefined ? `${tried} states` : `${tried} seeds from ${first}`;
      return `${id}: missed by ${hunt} in ${where}; ${rest}`;
    });
  return broken === undefined ? lines : [...lines, `${id}: ${broken}`];
}

function nameOther(checker: string, { times, seed }: HuntResult['others'][string]): string {
  return `${checker} ${times}×${seed === undefined ? '' : ` (first at seed ${seed})`}`;
}
