import type { FaultKind } from '../storm/fault-kind.js';
import type { LivenessPlan, StormPlan } from '../storm/plan.js';
import type { StormCommand } from '../storm/command.js';
import type { WorldSize } from './describe-command.js';
import { nameOfNode } from './describe-command.js';

/** These need no command: they happen to any message, all the time. */
const BY_CHANCE: readonly FaultKind[] = ['drop', 'duplicate', 'reorder', 'delay'];

/** What does no harm, or makes it good again. */
const HARMLESS: ReadonlySet<StormCommand['type']> = new Set([
  'operate',
  'restart',
  'restart-all',
  'thaw',
  'free-disk',
  'mend',
  'heal',
  'mend-client',
  'thaw-client',
  'start-client',
]);

/** `3 nodes, 1 client`. */
export function describeSize({ nodeCount, clientCount }: WorldSize): string {
  return `${countOf(nodeCount, 'node')}, ${countOf(clientCount, 'client')}`;
}

/**
 * `faults by chance: delay; in the schedule: 2 × crash, 1 × split`: what can go wrong in this plan.
 * Not the kinds that were drawn: of a plan that was shrunk they say little.
 */
export function describeFaults(plan: StormPlan): string {
  const byChance = chancesOf(plan);
  const scheduled = harmOf(plan);
  const parts = [
    ...(byChance.length === 0 ? [] : [`by chance: ${byChance.join(', ')}`]),
    ...(scheduled.length === 0 ? [] : [`in the schedule: ${scheduled.join(', ')}`]),
  ];
  return parts.length === 0 ? 'no faults' : `faults ${parts.join('; ')}`;
}

/** `core n1 n2 n3; for ever: n4 down`. */
export function describeLiveness({ core, broken }: LivenessPlan): string {
  const lasting = broken.map(({ node, how }) => `${nameOfNode(node)} ${how}`);
  const rest = lasting.length === 0 ? '' : `; for ever: ${lasting.join(', ')}`;
  return `core ${core.map((position) => nameOfNode(position)).join(' ')}${rest}`;
}

function chancesOf({ profile }: StormPlan): readonly string[] {
  const { faults, nodeSkews, clientSkews } = profile;
  const isSkewed = [...nodeSkews, ...clientSkews].some((skew) => skew !== 0);
  const ofMessages = BY_CHANCE.filter((kind) => faults.includes(kind));
  return isSkewed ? [...ofMessages, 'clock-rate'] : ofMessages;
}

function harmOf({ commands }: StormPlan): readonly string[] {
  const counts = new Map<string, number>();
  for (const { command } of commands) {
    const isEnd = command.type === 'stall-disk' && command.extraMs === 0;
    if (isEnd || HARMLESS.has(command.type)) continue;
    counts.set(command.type, (counts.get(command.type) ?? 0) + 1);
  }
  return [...counts].map(([type, count]) => `${count} × ${type}`);
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
