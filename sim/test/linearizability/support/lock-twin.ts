import type { Acquire, LockInput, LockOutput } from '../../../src/linearizability/index.js';
import type { Twin } from './twin.js';
import { pick } from './twin.js';

interface Lock {
  readonly held:
    | { readonly acquire: Acquire; readonly token: number; readonly ending: boolean }
    | undefined;
  readonly tokens: number;
  /** Its lease just ran out. */
  readonly ranOut: number | undefined;
}

const TOKEN_MAX = 9;

/** What the lock does, if the next token is this one. */
function apply(lock: Lock, input: LockInput, token: number): { state: Lock; output: LockOutput } {
  const { held } = lock;
  switch (input.type) {
    case 'acquire': {
      if (held !== undefined) return { state: lock, output: { type: 'busy' } };
      const state = {
        held: { acquire: input, token, ending: false },
        tokens: token,
        ranOut: undefined,
      };
      return { state, output: { type: 'acquire', token } };
    }
    case 'release': {
      const isMeant =
        held !== undefined &&
        (input.token === undefined
          ? held.acquire.owner === input.owner
          : held.token === input.token);
      if (!isMeant) return { state: lock, output: { type: 'release', outcome: 'not-held' } };
      if (held.acquire.owner === input.owner) {
        return {
          state: { ...lock, held: undefined, ranOut: undefined },
          output: { type: 'release', outcome: 'released' },
        };
      }
      const state = { ...lock, held: { ...held, ending: true } };
      return { state, output: { type: 'release', outcome: 'ending' } };
    }
    case 'write': {
      const accepted = held !== undefined && !held.ending && held.token === input.token;
      if (accepted) return { state: lock, output: { type: 'write', accepted } };
      return { state: lock, output: { type: 'write', accepted, current: held?.token } };
    }
    default: {
      const holder =
        held === undefined ? undefined : { owner: held.acquire.owner, token: held.token };
      return { state: lock, output: { type: 'holder', holder } };
    }
  }
}

function expired(lock: Lock): Lock {
  return { held: undefined, tokens: lock.tokens, ranOut: lock.held?.token };
}

/** The lock as it is, or with its lease run out, if that may have happened by now. */
function expiries(lock: Lock, untilMs: number, unknown: ReadonlySet<Acquire>): readonly Lock[] {
  if (lock.held === undefined) return [lock];
  const { acquire } = lock.held;
  const fromMs = unknown.has(acquire) ? -Infinity : (acquire.heldUntilMs ?? -Infinity);
  return fromMs <= untilMs ? [lock, expired(lock)] : [lock];
}

export function lockTwin(): Twin<Lock, LockInput, LockOutput> {
  const unknown = new Set<Acquire>();
  return {
    initial: { held: undefined, tokens: 0, ranOut: undefined },
    draw: (random, process, { held, tokens }, nowMs) => {
      const lock = 'l';
      const owner = random.percent(80) ? process : pick(random, ['p0', 'p1', 'p2']);
      const token = random.percent(70) && held !== undefined ? held.token : Math.max(1, tokens);
      const named = random.percent(70) ? token : undefined;
      const heldUntilMs = random.percent(90) ? nowMs + Math.floor(random.next() * 12) : undefined;
      return pick<LockInput>(random, [
        { type: 'acquire', lock, owner, heldUntilMs },
        { type: 'acquire', lock, owner, heldUntilMs },
        { type: 'release', lock, owner, token: named },
        { type: 'write', lock, owner, token },
        { type: 'holder', lock },
      ]);
    },
    run: (lock, input, random, nowMs) => {
      const choices = expiries(lock, nowMs, new Set());
      const gap = random.percent(30) ? 1 : 0;
      return apply(pick(random, choices), input, lock.tokens + 1 + gap);
    },
    after: (lock, { input, output }, untilMs) => {
      if (input.type === 'acquire' && output === undefined) unknown.add(input);
      return expiries(lock, untilMs, unknown).flatMap((before) => {
        const states: Lock[] = [];
        for (let token = before.tokens + 1; token <= TOKEN_MAX; token += 1) {
          const real = apply(before, input, token);
          if (fits(output, real.output)) states.push(real.state);
          if (input.type !== 'acquire') break;
        }
        if (isLateRelease(before, input, output)) states.push({ ...before, ranOut: undefined });
        return states;
      });
    },
    changed: (output, random) => {
      switch (output.type) {
        case 'acquire':
          return pick(random, [
            { type: 'acquire', token: output.token + (random.percent(50) ? 1 : -1) },
            { type: 'busy' },
          ]);
        case 'busy':
          return { type: 'acquire', token: pick(random, [1, 2, 3]) };
        case 'release':
          return { type: 'release', outcome: pick(random, ['released', 'ending', 'not-held']) };
        case 'write':
          return { type: 'write', accepted: !output.accepted };
        default:
          return { type: 'holder', holder: undefined };
      }
    },
  };
}

/** Expiry and the release that finds it due, in one entry: anybody may end what is overdue. */
function isLateRelease(lock: Lock, input: LockInput, output: LockOutput | undefined): boolean {
  if (input.type !== 'release' || output?.type !== 'release') return false;
  if (output.outcome !== 'released' || lock.held !== undefined) return false;
  return lock.ranOut !== undefined && (input.token ?? lock.ranOut) === lock.ranOut;
}

function fits(recorded: LockOutput | undefined, real: LockOutput): boolean {
  if (recorded === undefined) return true;
  if (recorded.type === 'write' && real.type === 'write') {
    const isShown = recorded.current !== undefined;
    return recorded.accepted === real.accepted && (!isShown || recorded.current === real.current);
  }
  return JSON.stringify(recorded) === JSON.stringify(real);
}
