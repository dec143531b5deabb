import { describeLock } from './lock-describe.js';
import type { LockInput, LockOperation, LockOutput, LockStep } from './lock-operations.js';
import type { Expire } from './lock-operations.js';
import type { LockState } from './lock-state.js';
import { describeLockState, coversLock, FREE, hashLock } from './lock-state.js';
import { stepLock } from './lock-step.js';
import type { Hint, Model, Partition } from './model.js';
import { CLUSTER_PROCESS } from './operation.js';

export type FencedLockModel = Model<LockState, LockInput, LockOutput, Expire>;

/**
 * Jepsen's FencedMutex with expiry (invariant L10). An acquire is legal while nobody holds the
 * lock and its token is above all tokens before it; a release by the owner ends the grant, one by
 * anybody else leaves the holder its time to stop; a guarded write is accepted exactly while the
 * grant of its token is current and not ending.
 *
 * Expiry is an operation of its own. For each acquire the model adds one, called at the earliest
 * true time at which the cluster may pass the grant on (`heldUntilMs`; for an unknown outcome at
 * the call) and of unknown outcome: it may take effect at any time from then on, as long as that
 * grant is current, or never. So an acquire by the next one is legal from `heldUntilMs` on and not
 * before, and a holder that is late, yet not passed over, is still the holder.
 */
export const fencedLockModel: FencedLockModel = {
  name: 'fenced-lock',
  partition,
  init: () => FREE,
  step: stepLock,
  covers: coversLock,
  hash: hashLock,
  describe: describeLock,
  describeState: describeLockState,
};

function partition(
  history: readonly LockOperation[],
): readonly Partition<LockInput | Expire, LockOutput>[] {
  const locks = new Map<string, LockOperation[]>();
  for (const recorded of history) {
    // A copy: expiry names its grant by the input's identity, which a caller may have used twice.
    const operation: LockOperation = { ...recorded, input: { ...recorded.input } };
    const operations = locks.get(operation.input.lock);
    if (operations === undefined) locks.set(operation.input.lock, [operation]);
    else operations.push(operation);
  }
  return [...locks].map(([name, operations]) => ({
    name,
    operations: [...operations, ...operations.flatMap(expiryOf)],
    hints: operations.map(hintOf),
  }));
}

function expiryOf(operation: LockOperation, index: number): readonly LockStep[] {
  const { input, output, callMs } = operation;
  if (input.type !== 'acquire' || output?.type === 'busy') return [];
  const fromMs = output === undefined ? callMs : Math.max(callMs, input.heldUntilMs ?? callMs);
  return [
    {
      id: -1 - index,
      process: CLUSTER_PROCESS,
      callMs: fromMs,
      returnMs: undefined,
      input: { type: 'expire', acquire: input },
      output: undefined,
    },
  ];
}

/** Tokens are the order of grants itself. */
function hintOf({ output }: LockOperation): Hint | undefined {
  return output?.type === 'acquire' ? { rank: output.token } : undefined;
}
