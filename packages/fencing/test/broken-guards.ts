import { FenceError } from '../src/fence-error.js';
import type { Grant } from '../src/grant.js';
import { parseGrant } from '../src/grant.js';
import { putMaximum, readMaximum } from '../src/level/records.js';
import type { Admission, Maximum } from '../src/rule.js';
import { admit } from '../src/rule.js';
import type { Parts } from './flawed-guard.js';

export interface BrokenGuard {
  readonly flaw: string;
  /** Words of the sentence of the contract that this breaks. */
  readonly breaks: string;
  /** Made anew for each guard, so that a flaw may remember. */
  readonly parts: () => Partial<Parts>;
}

type Accepts = (grant: Grant, maximum: Maximum) => boolean;

function admitsWhere(accepts: Accepts): () => Partial<Parts> {
  return () => ({
    admit: (grant, maximum): Admission => {
      if (maximum === undefined || accepts(grant, maximum)) return { type: 'raise' };
      return admit(grant, { ...maximum, token: grant.token + 1n });
    },
  });
}

/** Each pitfall of the checklist, planted. */
export const BROKEN_GUARDS: readonly BrokenGuard[] = [
  {
    flaw: 'check, then act',
    breaks: 'Z9',
    parts: () => ({ inTurn: async (_db, work) => await work() }),
  },
  {
    flaw: 'turns kept by each guard object, not by database',
    breaks: 'Z9',
    parts: () => {
      let tail: Promise<unknown> = Promise.resolve();
      return {
        inTurn: <T>(_db: object, work: () => Promise<T>) => {
          const turn = tail.then(work);
          tail = turn.catch(() => undefined);
          return turn;
        },
      };
    },
  },
  {
    flaw: 'maximum in memory only',
    breaks: 'Z3',
    parts: () => {
      const memory = new Map<string, Maximum>();
      return {
        readMaximum: async (_db, lock) => memory.get(lock),
        putMaximum: (grant) => {
          memory.set(grant.lock, grant);
          return [];
        },
      };
    },
  },
  {
    flaw: 'maximum remembered before it is written',
    breaks: 'a failing disk fails that write only',
    parts: () => {
      const memory = new Map<string, Maximum>();
      return {
        readMaximum: async (db, lock) => memory.get(lock) ?? (await readMaximum(db, lock)),
        putMaximum: (grant) => {
          memory.set(grant.lock, grant);
          return [putMaximum(grant)];
        },
      };
    },
  },
  {
    flaw: 'maximum stored after the write',
    breaks: 'reach the disk together',
    parts: () => ({
      commit: async (db, record, operations) => {
        await db.batch([...operations], { sync: true });
        await db.batch([...record], { sync: true });
      },
    }),
  },
  {
    flaw: 'not synced',
    breaks: 'what was acknowledged is on disk',
    parts: () => ({
      commit: async (db, record, operations) => {
        await db.batch([...record, ...operations], { sync: false });
      },
    }),
  },
  {
    flaw: 'equality instead of order',
    breaks: 'a greater token is admitted',
    parts: admitsWhere((grant, maximum) => grant.token === maximum.token),
  },
  {
    flaw: 'greater only, for the same holder too',
    breaks: 'a holder writes as often as it likes',
    parts: admitsWhere((grant, maximum) => grant.token > maximum.token),
  },
  {
    flaw: 'equal token of another holder accepted',
    breaks: 'one token with two holders',
    parts: admitsWhere((grant, maximum) => grant.token >= maximum.token),
  },
  {
    flaw: 'the last to call wins',
    breaks: 'Z7',
    parts: admitsWhere(() => true),
  },
  {
    flaw: 'whoever meets another holder is fenced',
    breaks: 'Z5',
    parts: () => {
      const seen = new Map<string, Set<string>>();
      return {
        admit: (grant, maximum) => {
          const holders = seen.get(grant.lock) ?? new Set();
          seen.set(grant.lock, holders.add(grant.holder));
          const others = [...holders].some((holder) => holder !== grant.holder);
          if (maximum !== undefined && others) throw new FenceError('FENCED', 'another', grant);
          return admit(grant, maximum);
        },
      };
    },
  },
  {
    flaw: 'what was presented is compared, not the number',
    breaks: 'a token is the same as bigint and as text',
    parts: () => ({
      parse: (grant) => parseGrant({ ...grant, holder: `${typeof grant.token} ${grant.holder}` }),
    }),
  },
  {
    flaw: 'one maximum for all locks',
    breaks: 'each lock has a maximum of its own',
    parts: () => ({
      readMaximum: async (db) => await readMaximum(db, 'all'),
      putMaximum: (grant) => [putMaximum({ ...grant, lock: 'all' })],
    }),
  },
  { flaw: 'token read when writing', breaks: 'Z11', parts: () => ({ parsesInTurn: true }) },
  {
    flaw: 'fenced write goes on with the current token',
    breaks: 'a refused write touches nothing',
    parts: () => ({ retriesWithCurrent: true }),
  },
  { flaw: 'barrier skipped', breaks: 'Z4', parts: () => ({ raises: false }) },
  {
    flaw: 'reads not fenced: a stale raise is kept',
    breaks: 'Z7',
    parts: () => ({ raises: false }),
  },
  {
    flaw: 'only puts guarded',
    breaks: 'deletes are guarded as puts are',
    parts: () => ({ passes: (operations) => operations.some(({ type }) => type === 'del') }),
  },
  {
    flaw: 'record that expires',
    breaks: 'Z6',
    parts: () => {
      let reads = 0;
      return {
        readMaximum: async (db, lock) => {
          reads += 1;
          return reads > 100 ? undefined : await readMaximum(db, lock);
        },
      };
    },
  },
  {
    flaw: 'records that writers may touch',
    breaks: 'Z6',
    parts: () => ({ touchesRecords: () => false }),
  },
  {
    flaw: 'compared as text',
    breaks: 'tokens are compared as numbers',
    parts: admitsWhere((grant, maximum) => String(grant.token) >= String(maximum.token)),
  },
  {
    flaw: 'compared as 32-bit numbers',
    breaks: 'tokens are compared as numbers',
    parts: admitsWhere(
      (grant, maximum) => BigInt.asIntN(32, grant.token) >= BigInt.asIntN(32, maximum.token),
    ),
  },
  {
    flaw: 'compared as single-precision numbers',
    breaks: 'tokens are compared as numbers',
    parts: admitsWhere(
      (grant, maximum) => Math.fround(Number(grant.token)) >= Math.fround(Number(maximum.token)),
    ),
  },
  {
    flaw: 'whatever parses is a token',
    breaks: 'what is malformed is refused',
    parts: () => ({
      parse: (grant) => {
        const token = BigInt(Math.trunc(Number(grant.token ?? 0)) || 0);
        return parseGrant({ ...grant, token: token < 0n ? -token : token });
      },
    }),
  },
  {
    flaw: 'a missing token passes',
    breaks: 'no token is refused when enforcing',
    parts: () => ({ requiresToken: () => false }),
  },
  {
    flaw: 'observing checks nothing',
    breaks: 'no token passes when observing',
    parts: () => ({ ignoresToken: ({ mode }) => mode === 'observe' }),
  },
  {
    flaw: 'observing refuses what has no token',
    breaks: 'no token passes when observing',
    parts: () => ({ requiresToken: () => true }),
  },
  {
    flaw: 'refuses in silence',
    breaks: 'a refusal is counted by lock and reported',
    parts: () => ({ reports: false }),
  },
];
