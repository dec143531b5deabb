import type { Expire, LockInput, LockOutput } from './lock-operations.js';

export function describeLock(input: LockInput | Expire, output: LockOutput | undefined): string {
  if (input.type === 'expire') {
    return `the lease of ${input.acquire.owner} on ${input.acquire.lock} ends`;
  }
  return `${describeCall(input)} → ${output === undefined ? 'unknown' : describeOutput(output)}`;
}

function describeCall(input: LockInput): string {
  switch (input.type) {
    case 'acquire': {
      const until = input.heldUntilMs === undefined ? '' : `, held until ${input.heldUntilMs} ms`;
      return `acquire(${input.lock}, by ${input.owner}${until})`;
    }
    case 'release':
      return `release(${input.lock}, by ${input.owner}, token ${input.token ?? 'of the owner'})`;
    case 'write':
      return `write(${input.lock}, by ${input.owner}, token ${input.token})`;
    case 'holder':
      return `holder(${input.lock})`;
    default:
      return input satisfies never;
  }
}

function describeOutput(output: LockOutput): string {
  switch (output.type) {
    case 'acquire':
      return `token ${output.token}`;
    case 'busy':
      return 'busy';
    case 'release':
      return output.outcome;
    case 'write': {
      const current = output.current === undefined ? '' : `, current is ${output.current}`;
      return output.accepted ? 'accepted' : `fenced${current}`;
    }
    case 'holder':
      return output.holder === undefined
        ? 'nobody'
        : `${output.holder.owner} with token ${output.holder.token}`;
    default:
      return output satisfies never;
  }
}
