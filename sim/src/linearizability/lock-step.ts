import type { Acquire, Expire, LockInput, LockOutput } from './lock-operations.js';
import type { Unasked } from './model.js';
import type { LockGrant, LockState } from './lock-state.js';

export function stepLock(
  state: LockState,
  input: LockInput,
  output: LockOutput | undefined,
): LockState | undefined {
  switch (input.type) {
    case 'acquire':
      return acquire(state, input, output);
    case 'release':
      return release(state, input, output);
    case 'write':
      return write(state, input, output);
    case 'holder':
      return holder(state, output);
    default:
      return input satisfies never;
  }
}

function acquire(
  state: LockState,
  input: Acquire,
  output: LockOutput | undefined,
): LockState | undefined {
  const { grant, lastToken } = state;
  if (output?.type === 'busy') return grant === undefined ? undefined : state;
  if (grant !== undefined) return undefined;
  const token = output?.type === 'acquire' ? output.token : undefined;
  if (token !== undefined && token <= lastToken) return undefined;
  return {
    grant: { acquire: input, token, ending: false },
    lastToken: token ?? lastToken + 1,
    ranOut: 'no',
  };
}

function release(
  state: LockState,
  { owner, token }: Extract<LockInput, { type: 'release' }>,
  output: LockOutput | undefined,
): LockState | undefined {
  const { grant } = state;
  const outcome = output?.type === 'release' ? output.outcome : undefined;
  const meant = grant !== undefined && isMeant(state, grant, owner, token) ? grant : undefined;
  if (meant === undefined) {
    if (outcome === 'not-held') return state;
    return outcome === 'released' ? releasedLate(state, token) : undefined;
  }
  const isOwner = meant.acquire.owner === owner;
  const learnt = learn(state, meant, token);
  switch (outcome) {
    case 'released':
      return isOwner ? freed(learnt) : undefined;
    case 'ending':
      return isOwner ? undefined : ended(learnt);
    case 'not-held':
      return undefined;
    case undefined:
      return isOwner ? freed(learnt) : meant.ending ? undefined : ended(learnt);
    default:
      return outcome satisfies never;
  }
}

/** The end of the lease and the release that finds it due may be one entry of the log. */
function releasedLate(state: LockState, token: number | undefined): LockState | undefined {
  const { ranOut, lastToken } = state;
  if (ranOut === 'no') return undefined;
  if (token === undefined) return { ...state, ranOut: 'no' };
  const isIt = ranOut === 'last' ? token === lastToken : token >= lastToken;
  return isIt ? { ...state, lastToken: token, ranOut: 'no' } : undefined;
}

function write(
  state: LockState,
  { owner, token }: Extract<LockInput, { type: 'write' }>,
  output: LockOutput | undefined,
): LockState | undefined {
  if (output?.type !== 'write') return undefined;
  const { grant } = state;
  const isInForce = grant !== undefined && !grant.ending && isMeant(state, grant, owner, token);
  if (output.accepted) return isInForce ? learn(state, grant, token) : undefined;
  const { current } = output;
  if (isInForce && (grant.token !== undefined || current === token)) return undefined;
  if (current === undefined) return state;
  if (grant === undefined || !mayBe(state, grant, current)) return undefined;
  return learn(state, grant, current);
}

function holder(state: LockState, output: LockOutput | undefined): LockState | undefined {
  if (output?.type !== 'holder') return undefined;
  const { grant } = state;
  const shown = output.holder;
  if (grant === undefined || shown === undefined) return grant === shown ? state : undefined;
  if (grant.acquire.owner !== shown.owner || !mayBe(state, grant, shown.token)) return undefined;
  return learn(state, grant, shown.token);
}

/** The one thing that happens unasked: the lease of the current grant ends. */
export function expiryOf(
  { grant, lastToken }: LockState,
  choice: number,
): Unasked<LockState, Expire> | undefined {
  if (grant === undefined || choice > 0) return undefined;
  const { acquire: held, token } = grant;
  return {
    state: { grant: undefined, lastToken, ranOut: token === undefined ? 'unknown' : 'last' },
    fromMs: held.heldUntilMs ?? -Infinity,
    input: { type: 'expire', acquire: held },
  };
}

function isMeant(
  state: LockState,
  grant: LockGrant,
  owner: string,
  token: number | undefined,
): boolean {
  if (token === undefined) return grant.acquire.owner === owner;
  return mayBe(state, grant, token);
}

function mayBe({ lastToken }: LockState, grant: LockGrant, token: number): boolean {
  return grant.token === undefined ? token >= lastToken : grant.token === token;
}

/** An answer shows the token of a grant whose acquire was never answered. */
function learn(state: LockState, grant: LockGrant, token: number | undefined): LockState {
  if (token === undefined || grant.token !== undefined) return state;
  return { ...state, grant: { ...grant, token }, lastToken: token };
}

function freed({ lastToken }: LockState): LockState {
  return { grant: undefined, lastToken, ranOut: 'no' };
}

function ended(state: LockState): LockState {
  if (state.grant === undefined || state.grant.ending) return state;
  return { ...state, grant: { ...state.grant, ending: true } };
}
