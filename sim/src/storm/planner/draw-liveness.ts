import type { LastingBreakage, LivenessPlan } from '../plan.js';
import { Dice } from './dice.js';

const BREAKAGES: readonly LastingBreakage[] = ['down', 'frozen', 'isolated', 'mute', 'deaf'];

/**
 * A healthy core: a majority or more, without the victims of lasting harm. What is left out stays
 * broken for ever; healing everybody would hide what the rest can do to the core.
 */
export function drawLiveness(
  seed: number,
  nodeCount: number,
  victims: readonly number[],
): LivenessPlan {
  const dice = new Dice(seed, 'liveness');
  const quorum = Math.floor(nodeCount / 2) + 1;
  const healthy = dice.shuffled(nodeCount).filter((node) => !victims.includes(node));
  const size = dice.percent(35) ? healthy.length : dice.whole(quorum, healthy.length);
  const core = healthy.slice(0, size).toSorted((one, other) => one - other);
  const broken = Array.from({ length: nodeCount }, (_, node) => node)
    .filter((node) => !core.includes(node))
    .map(
      (node) => ({ node, how: victims.includes(node) ? 'down' : dice.pick(BREAKAGES) }) as const,
    );
  return { core, broken };
}
