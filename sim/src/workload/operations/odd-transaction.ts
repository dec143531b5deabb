import type { Leadership, Txn, TxnCompare, TxnOperation } from '@raftd/client';
import type { GuardSeen } from '../../storm/events.js';
import type { RandomStream } from '../../world/random.js';
import { NOTHING } from '../diary.js';
import { oddKeyName } from '../names.js';
import type { Worker } from '../worker.js';
import { callOptions } from './call-options.js';

interface Write {
  readonly key: string;
  readonly value: string;
}

/** Its puts have no value yet. */
interface Drawn {
  readonly compare: readonly TxnCompare[];
  readonly then: readonly TxnOperation[];
  readonly otherwise: readonly TxnOperation[];
}

const KEYS = 4;
const TARGETS = ['value', 'version', 'create-revision', 'mod-revision'] as const;
const OPERATORS = ['=', '!=', '<', '>'] as const;
const OPERATIONS = ['put', 'put', 'get', 'delete', 'delete-range'] as const;
const GUARDED_PERCENT = 30;

/**
 * Anything that a transaction can say, on keys that nothing else touches: whether all machines
 * make the same of it is what is asked, not what a model of plain keys would say.
 */
export async function oddTransaction(worker: Worker): Promise<void> {
  const { dice, client, diary } = worker;
  const drawn = drawTxn(dice);
  const leadership = worker.holdings.at(-1)?.leadership;
  const isGuarded = leadership !== undefined && dice.percent(GUARDED_PERCENT);
  await diary.record(
    (operation) => ({
      type: 'odd-transaction',
      writes: writesOf(drawn, String(operation)),
      guarded: isGuarded ? grantOf(leadership) : undefined,
    }),
    (operation) => {
      const asked = withValue(drawn, String(operation));
      const options = callOptions(worker);
      return isGuarded ? leadership.guard.txn(asked, options) : client.txn(asked, options);
    },
    () => NOTHING,
  );
}

function grantOf({ election, token }: Leadership): GuardSeen {
  return { election, token };
}

/** Of either arm: which of them runs is not asked. */
function writesOf({ then, otherwise }: Drawn, value: string): readonly Write[] {
  return [...then, ...otherwise].flatMap((one) =>
    one.type === 'put' ? [{ key: String(one.key), value }] : [],
  );
}

function withValue({ compare, then, otherwise }: Drawn, value: string): Txn {
  const named = (one: TxnOperation): TxnOperation => (one.type === 'put' ? { ...one, value } : one);
  return { compare, then: then.map(named), else: otherwise.map(named) };
}

function drawTxn(dice: RandomStream): Drawn {
  return {
    compare: some(dice, 2, () => drawCompare(dice)),
    then: some(dice, 3, () => drawOperation(dice)),
    otherwise: some(dice, 2, () => drawOperation(dice)),
  };
}

function drawCompare(dice: RandomStream): TxnCompare {
  const key = drawKey(dice);
  const target = pick(dice, TARGETS);
  const operator = pick(dice, OPERATORS);
  if (target === 'value') return { key, target, operator, operand: String(draw(dice, 1_000)) };
  return { key, target, operator, operand: draw(dice, target === 'version' ? 3 : 1_000) };
}

function drawOperation(dice: RandomStream): TxnOperation {
  const type = pick(dice, OPERATIONS);
  if (type === 'delete-range') return { type, start: drawKey(dice), end: oddKeyName(KEYS) };
  const key = drawKey(dice);
  return type === 'put' ? { type, key, value: '' } : { type, key };
}

function drawKey(dice: RandomStream): string {
  return oddKeyName(draw(dice, KEYS));
}

function some<Item>(dice: RandomStream, most: number, make: () => Item): readonly Item[] {
  return Array.from({ length: draw(dice, most + 1) }, make);
}

function pick<Item>(dice: RandomStream, items: readonly [Item, ...Item[]]): Item {
  return items[draw(dice, items.length)] ?? items[0];
}

/** A whole number below `end`. */
function draw(dice: RandomStream, end: number): number {
  return Math.floor(dice.next() * end);
}
