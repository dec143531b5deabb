import { inspect } from 'node:util';
import { expect } from 'vitest';
import type { FenceError } from '../src/level.js';
import type { Case } from './guard.js';
import { A, B, put, read } from './guard.js';

/** The acceptance rule, row by row. */
export const RULE_CASES: readonly Case[] = [
  {
    name: 'a greater token is admitted, and the one before it is then refused',
    async run(make, bench) {
      const guard = make(bench.db);
      await guard.write(A, put('of A'));
      await guard.write(B, put('of B'));
      await expect(guard.write(A, put('of A again'))).rejects.toMatchObject({
        code: 'FENCED',
        lock: 'billing',
        token: 5n,
        holder: 'A',
        current: 6n,
        currentHolder: 'B',
      });
      expect(await read(bench)).toBe('of B');
    },
  },
  {
    name: 'a holder writes as often as it likes under one token',
    async run(make, bench) {
      const guard = make(bench.db);
      for (const value of ['first', 'second', 'third']) await guard.write(A, put(value));
      expect(await read(bench)).toBe('third');
    },
  },
  {
    name: 'a token is the same as bigint and as text',
    async run(make, bench) {
      const guard = make(bench.db);
      await guard.write({ ...A, token: '5' }, put('text'));
      await guard.write(A, put('bigint'));
      expect(await read(bench)).toBe('bigint');
    },
  },
  {
    name: 'one token with two holders is a conflict: nothing is written',
    async run(make, bench) {
      const guard = make(bench.db);
      await guard.write(A, put('of A'));
      const impostor = { ...A, holder: 'C' };
      await expect(guard.write(impostor, put('of C'))).rejects.toMatchObject({
        code: 'TOKEN_CONFLICT',
        holder: 'C',
        current: 5n,
        currentHolder: 'A',
      });
      expect(await read(bench)).toBe('of A');
    },
  },
  {
    name: 'no token is refused when enforcing, whatever stands for none',
    async run(make, bench) {
      const guard = make(bench.db);
      for (const token of [undefined, 0n, '0']) {
        const refusal = { code: 'TOKEN_REQUIRED' };
        await expect(guard.write({ ...A, token }, put('x'))).rejects.toMatchObject(refusal);
        await expect(guard.raise({ ...A, token })).rejects.toMatchObject(refusal);
      }
      expect(await read(bench)).toBe(undefined);
    },
  },
  {
    name: 'no token passes when observing and is counted; a token is checked all the same',
    async run(make, bench) {
      const guard = make(bench.db, { mode: 'observe' });
      await guard.write(B, put('of B'));
      await guard.write({ lock: 'billing' }, put('unfenced'));
      expect(await read(bench)).toBe('unfenced');
      expect(guard.counts('billing')).toMatchObject({ admitted: 2, unfenced: 1 });
      await expect(guard.write(A, put('of A'))).rejects.toMatchObject({ code: 'FENCED' });
      expect(await read(bench)).toBe('unfenced');
    },
  },
  {
    name: 'what is malformed is refused in both modes',
    async run(make, bench) {
      for (const mode of ['enforce', 'observe'] as const) {
        const guard = make(bench.db, { mode });
        for (const malformed of MALFORMED) {
          const grant = { ...A, ...(malformed as object) };
          const write = guard.write(grant, put('x'));
          await expect(write, inspect(malformed)).rejects.toMatchObject({ code: 'INVALID_GRANT' });
        }
      }
      expect(await read(bench)).toBe(undefined);
    },
  },
  {
    name: 'tokens are compared as numbers, whatever their size and length',
    async run(make, bench) {
      const guard = make(bench.db);
      for (const [older, newer] of NEIGHBOURS) {
        const lock = `lock ${older}`;
        await guard.write({ lock, token: older, holder: 'A' }, put(older));
        await guard.write({ lock, token: newer, holder: 'B' }, put(newer));
        const stale = guard.write({ lock, token: older, holder: 'A' }, put('x'));
        await expect(stale).rejects.toMatchObject({ code: 'FENCED', current: BigInt(newer) });
        expect(await read(bench)).toBe(newer);
      }
    },
  },
  {
    name: 'each lock has a maximum of its own, however alike the names',
    async run(make, bench) {
      const guard = make(bench.db);
      const locks = ['a', 'a!', 'A', 'a ', '"', 'ä', '..', '!raftd-fence!', 'a\u0000b'];
      for (const [index, lock] of locks.entries()) {
        await guard.write({ lock, token: BigInt(100 - index), holder: lock }, put(lock));
      }
      for (const [index, lock] of locks.entries()) {
        const older = { lock, token: BigInt(99 - index), holder: 'older' };
        await expect(guard.write(older, put('x'))).rejects.toMatchObject({ code: 'FENCED' });
      }
    },
  },
  {
    name: 'deletes are guarded as puts are',
    async run(make, bench) {
      const guard = make(bench.db);
      await guard.write(B, put('of B'));
      const clear = [{ type: 'del', key: 'charge' }] as const;
      await expect(guard.write(A, clear)).rejects.toMatchObject({ code: 'FENCED' });
      expect(await read(bench)).toBe('of B');
      await guard.write(B, clear);
      expect(await read(bench)).toBe(undefined);
    },
  },
  {
    name: 'a refusal is counted by lock and reported with both tokens',
    async run(make, bench) {
      const refusals: FenceError[] = [];
      const guard = make(bench.db, { onRefused: (refusal) => refusals.push(refusal) });
      await guard.write(B, put('of B'));
      await expect(guard.write(A, put('of A'))).rejects.toThrow();
      await expect(guard.write({ ...B, holder: 'C' }, put('of C'))).rejects.toThrow();
      await expect(guard.write({ ...A, lock: 'other', token: 'x' }, put('x'))).rejects.toThrow();
      expect(guard.counts('billing').refused).toMatchObject({ FENCED: 1, TOKEN_CONFLICT: 1 });
      expect(guard.counts('other').refused).toMatchObject({ FENCED: 0, INVALID_GRANT: 1 });
      expect(guard.counts()).toMatchObject({ admitted: 1, raised: 1 });
      expect(refusals.map(({ code, token, current }) => [code, token, current])).toEqual([
        ['FENCED', 5n, 6n],
        ['TOKEN_CONFLICT', 6n, 6n],
        ['INVALID_GRANT', undefined, undefined],
      ]);
    },
  },
];

/** Where texts, 32-bit numbers, floats and doubles begin to err. */
const NEIGHBOURS: readonly (readonly [string, string])[] = [
  ['9', '10'],
  ['99', '100'],
  ['2147483647', '2147483648'],
  ['4294967295', '4294967296'],
  ['16777216', '16777217'],
  ['9007199254740990', '9007199254740991'],
];

// As untyped callers present them: from headers, messages, environments.
const MALFORMED: readonly unknown[] = [
  { token: 5 },
  { token: -1n },
  { token: 2n ** 53n },
  { token: '9007199254740992' },
  { token: '' },
  { token: ' 5' },
  { token: '5\n' },
  { token: '05' },
  { token: '+5' },
  { token: '-5' },
  { token: '5.0' },
  { token: '1e3' },
  { token: '0x10' },
  { token: '٥' },
  { token: null },
  { token: {} },
  { lock: '' },
  { lock: undefined },
  { lock: 7 },
  { lock: 'a'.repeat(1025) },
  { lock: '\ud800' },
  { holder: '' },
  { holder: undefined },
  { holder: 'a'.repeat(1025) },
];
