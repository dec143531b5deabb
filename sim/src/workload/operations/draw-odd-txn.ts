import type { KeyValue } from '@raftd/client';
import type { AskedCompare, AskedStep } from '../../storm/events.js';
import type { RandomStream } from '../../world/random.js';
import { keyName, oddKeyName } from '../names.js';

/** Its puts have no value yet. */
export interface OddTxn {
  readonly compares: readonly AskedCompare[];
  readonly then: readonly AskedStep[];
  readonly otherwise: readonly AskedStep[];
}

/** What is known when it is drawn. */
export interface Known {
  /** Some key, as it was a moment ago; undefined: it was not there, or nobody knows. */
  readonly key: string;
  readonly record: KeyValue | undefined;
  /** A lease of this client. */
  readonly lease: string | undefined;
}

const KEYS = 4;
const STEPS_MAX = 3;
const COMPARES = [0, 1, 1, 2] as const;
const TARGETS = ['value', 'version', 'create-revision', 'mod-revision'] as const;
const OPERATORS = ['=', '!=', '<', '>'] as const;
/** Mostly puts: versions and revisions have to come apart. */
const STEPS = ['put', 'put', 'put', 'put', 'get', 'get', 'delete', 'delete-range'] as const;
/** Comparisons are of what is there, or of one more or less: there they come out wrong. */
const OFF_BY = [-1, 0, 0, 0, 1] as const;
const OF_KNOWN_PERCENT = 75;
const LEASED_PERCENT = 30;
const PLAIN_PERCENT = 60;
const NUMBER_MAX = 1_000;

/** What a transaction asks about: mostly a plain key, for these have been changed many times. */
export function drawComparedKey(dice: RandomStream): string {
  return dice.percent(PLAIN_PERCENT) ? keyName(draw(dice, KEYS)) : drawOddKey(dice);
}

function drawOddKey(dice: RandomStream): string {
  return oddKeyName(draw(dice, KEYS));
}

/** Anything that a transaction can say. It reads plain keys, and writes odd ones only. */
export function drawOddTxn(dice: RandomStream, known: Known): OddTxn {
  const arm = (): readonly AskedStep[] =>
    Array.from({ length: draw(dice, STEPS_MAX + 1) }, () => drawStep(dice, known));
  return {
    compares: Array.from({ length: pick(dice, COMPARES) }, () => drawCompare(dice, known)),
    then: arm(),
    otherwise: arm(),
  };
}

function drawCompare(dice: RandomStream, known: Known): AskedCompare {
  const target = pick(dice, TARGETS);
  const operator = pick(dice, OPERATORS);
  const isOfKnown = dice.percent(OF_KNOWN_PERCENT);
  const key = isOfKnown ? known.key : drawOddKey(dice);
  const record = isOfKnown ? known.record : undefined;
  if (target === 'value') {
    return { target, key, operator, operand: record?.valueText ?? String(draw(dice, NUMBER_MAX)) };
  }
  // Either revision, whichever is asked: one must not be taken for the other.
  const { version = 0, createRevision = 0, modRevision = 0 } = record ?? {};
  const number = target === 'version' ? version : pick(dice, [createRevision, modRevision]);
  const near = Math.max(0, number + pick(dice, OFF_BY));
  return { target, key, operator, operand: isOfKnown ? near : draw(dice, NUMBER_MAX) };
}

function drawStep(dice: RandomStream, { lease }: Known): AskedStep {
  const type = pick(dice, STEPS);
  const key = type === 'get' ? drawComparedKey(dice) : drawOddKey(dice);
  if (type === 'delete-range') return { type, start: key, end: oddKeyName(KEYS) };
  if (type !== 'put') return { type, key };
  return { type, key, value: '', lease: dice.percent(LEASED_PERCENT) ? lease : undefined };
}

function pick<Item>(dice: RandomStream, items: readonly [Item, ...Item[]]): Item {
  return items[draw(dice, items.length)] ?? items[0];
}

/** A whole number below `end`. */
function draw(dice: RandomStream, end: number): number {
  return Math.floor(dice.next() * end);
}
