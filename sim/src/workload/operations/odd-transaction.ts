import type { Leadership, Txn, TxnOperation, TxnOperationResult, TxnResult } from '@raftd/client';
import type { Answer, AskedStep, GuardSeen, SeenStep } from '../../storm/events.js';
import type { Worker } from '../worker.js';
import { callOptions } from './call-options.js';
import { drawComparedKey, drawOddTxn, type OddTxn } from './draw-odd-txn.js';
import { getNamed } from './read.js';
import { sawRevision, seenRecord } from './seen.js';

const GUARDED_PERCENT = 30;

/**
 * Anything that a transaction can say. It writes keys only that none of the other operations
 * touches, so that histories of these are simple. What it must come to is worked out from the log
 * (`history/applied-right.ts`), step by step, and its answer held against that.
 */
export async function oddTransaction(worker: Worker): Promise<void> {
  const { dice, client, diary } = worker;
  const key = drawComparedKey(dice);
  const read = await getNamed(worker, key, true);
  const leadership = worker.holdings.at(-1)?.leadership;
  const record = read.ok ? read.value : undefined;
  const drawn = drawOddTxn(dice, { key, record, lease: leadership?.lease });
  const isGuarded = leadership !== undefined && dice.percent(GUARDED_PERCENT);
  const guarded = isGuarded ? grantOf(leadership) : undefined;
  await diary.record(
    (operation) => ({ type: 'odd-transaction', ...named(drawn, String(operation)), guarded }),
    (operation) => {
      const asked = toTxn(named(drawn, String(operation)));
      const options = callOptions(worker);
      return isGuarded ? leadership.guard.txn(asked, options) : client.txn(asked, options);
    },
    (result) => answerOf(worker, result),
  );
}

function grantOf({ election, token }: Leadership): GuardSeen {
  return { election, token };
}

function named({ compares, then, otherwise }: OddTxn, value: string): OddTxn {
  const name = (step: AskedStep): AskedStep => (step.type === 'put' ? { ...step, value } : step);
  return { compares, then: then.map(name), otherwise: otherwise.map(name) };
}

function toTxn({ compares, then, otherwise }: OddTxn): Txn {
  return { compare: compares, then: then.map(toOperation), else: otherwise.map(toOperation) };
}

function toOperation(step: AskedStep): TxnOperation {
  if (step.type !== 'put') return step;
  const { type, key, value, lease } = step;
  return { type, key, value, ...(lease === undefined ? {} : { lease }) };
}

function answerOf(worker: Worker, { revision, succeeded, results }: TxnResult): Answer {
  sawRevision(worker, revision);
  return { type: 'steps', revision, succeeded, steps: results.map(seenStep) };
}

function seenStep(result: TxnOperationResult): SeenStep {
  if (result.type !== 'get') return result;
  return { type: 'get', record: result.record && seenRecord(result.record) };
}
