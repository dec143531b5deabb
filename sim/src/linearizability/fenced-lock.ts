import { describeLock } from './lock-describe.js';
import type { Expire, LockInput, LockOperation, LockOutput } from './lock-operations.js';
import type { LockState } from './lock-state.js';
import { describeLockState, coversLock, FREE, hashLock } from './lock-state.js';
import { expiryOf, stepLock } from './lock-step.js';
import type { Hint, Model, Partition } from './model.js';

export type FencedLockModel = Model<LockState, LockInput, LockOutput, Expire>;

/**
 * Jepsen's FencedMutex with expiry (invariant L10). An acquire is legal while nobody holds the
 * lock and its token is above all tokens before it; a release by the owner ends the grant, one by
 * anybody else leaves the holder its time to stop; a guarded write is accepted exactly while the
 * grant of its token is current and not ending.
 *
 * Expiry is an operation that the cluster does unasked: while a grant is current it may happen at
 * any time from the earliest true time on at which the cluster may pass the grant on
 * (`heldUntilMs`; for an acquire of unknown outcome: from its call on), or never. So an acquire by
 * the next one is legal from `heldUntilMs` on and not before, and a holder that is late, yet not
 * passed over, is still the holder.
 */
export const fencedLockModel: FencedLockModel = {
  name: 'fenced-lock',
  partition,
  init: () => FREE,
  step: stepLock,
  isRead: isLockRead,
  unasked: expiryOf,
  fits: ({ lastToken }, token) => lastToken < token,
  covers: coversLock,
  hash: hashLock,
  describe: describeLock,
  describeState: describeLockState,
};

function partition(history: readonly LockOperation[]): readonly Partition<LockInput, LockOutput>[] {
  const locks = new Map<string, LockOperation[]>();
  for (const recorded of history) {
    const operation = settled(recorded);
    if (operation === undefined) continue;
    const operations = locks.get(operation.input.lock);
    if (operations === undefined) locks.set(operation.input.lock, [operation]);
    else operations.push(operation);
  }
  return [...locks].map(([name, operations]) => ({
    name,
    operations,
    hints: operations.map(hintOf),
  }));
}

/** Undefined: it is unknown and changes nothing. */
function settled(operation: LockOperation): LockOperation | undefined {
  const { input, output } = operation;
  if (output !== undefined || input.type === 'release') return operation;
  if (input.type !== 'acquire') return undefined;
  return { ...operation, input: { ...input, heldUntilMs: undefined } };
}

/** Tokens are the order of grants itself. */
function hintOf({ input, output }: LockOperation): Hint | undefined {
  if (output === undefined) return { likeness: JSON.stringify(input) };
  return output.type === 'acquire' ? { rank: output.token } : undefined;
}

/** Guarded writes ask whether the grant is current; the lock stays as it is. */
function isLockRead(_input: LockInput, output: LockOutput): boolean {
  switch (output.type) {
    case 'busy':
    case 'write':
    case 'holder':
      return true;
    case 'release':
      return output.outcome === 'not-held';
    case 'acquire':
      return false;
    default:
      return output satisfies never;
  }
}
