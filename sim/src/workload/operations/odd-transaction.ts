import type { Txn, TxnCompare, TxnOperation } from '@raftd/client';
import type { RandomStream } from '../../world/random.js';
import { oddKeyName } from '../names.js';
import type { Worker } from '../worker.js';
import { callOptions } from './call-options.js';

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
  await diary.other('odd-transaction', (operation) => {
    const asked = drawTxn(dice, String(operation));
    const holding = worker.holdings.at(-1);
    if (holding !== undefined && dice.percent(GUARDED_PERCENT)) {
      return holding.leadership.guard.txn(asked, callOptions(worker));
    }
    return client.txn(asked, callOptions(worker));
  });
}

function drawTxn(dice: RandomStream, value: string): Txn {
  return {
    compare: some(dice, 2, () => drawCompare(dice)),
    then: some(dice, 3, () => drawOperation(dice, value)),
    else: some(dice, 2, () => drawOperation(dice, value)),
  };
}

function drawCompare(dice: RandomStream): TxnCompare {
  const key = drawKey(dice);
  const target = pick(dice, TARGETS);
  const operator = pick(dice, OPERATORS);
  if (target === 'value') return { key, target, operator, operand: String(draw(dice, 1_000)) };
  return { key, target, operator, operand: draw(dice, target === 'version' ? 3 : 1_000) };
}

function drawOperation(dice: RandomStream, value: string): TxnOperation {
  const type = pick(dice, OPERATIONS);
  if (type === 'delete-range') return { type, start: drawKey(dice), end: oddKeyName(KEYS) };
  const key = drawKey(dice);
  return type === 'put' ? { type, key, value } : { type, key };
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
