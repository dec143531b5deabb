import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';
import { afterEach, describe, expect, test } from 'vitest';
import { createFence } from '../src/level.js';
import { FAILURE_CASES, INTERLEAVING_CASES } from './failure-cases.js';
import type { Bench } from './guard.js';
import { A, B, put } from './guard.js';
import { memoryBench } from './memory-level.js';
import { RULE_CASES } from './rule-cases.js';

const opened: Level[] = [];
const directories: string[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'raftd-fencing-'));
  directories.push(directory);
  return directory;
}

async function openLevel(directory: string): Promise<Level> {
  const db = new Level(directory);
  await db.open();
  opened.push(db);
  return db;
}

async function levelBench(directory: string): Promise<Bench> {
  const db = await openLevel(directory);
  const restart = async (): Promise<Bench> => {
    await db.close();
    return await levelBench(directory);
  };
  return { db, restart };
}

describe('over LevelDB', () => {
  for (const { name, run } of [...RULE_CASES, ...FAILURE_CASES]) {
    test(name, async () => {
      await run(createFence, await levelBench(await makeDirectory()));
    });
  }
});

describe('over a database that loses what was not synced', () => {
  for (const { name, run } of [...RULE_CASES, ...FAILURE_CASES, ...INTERLEAVING_CASES]) {
    test(name, async () => {
      await run(createFence, memoryBench());
    });
  }
});

test('one batch spans sublevels and encodings, and the record is read as a sublevel', async () => {
  const db = await openLevel(await makeDirectory());
  const charges = db.sublevel<string, { cents: number }>('charges', { valueEncoding: 'json' });
  const fence = createFence(db);
  await fence.write(A, [
    { type: 'put', sublevel: charges, key: 'anna', value: { cents: 5 } },
    { type: 'put', key: Uint8Array.of(1), value: 'b', keyEncoding: 'view' },
  ]);
  expect(await charges.get('anna')).toEqual({ cents: 5 });
  expect(await db.get(Uint8Array.of(1), { keyEncoding: 'view' })).toBe('b');
  expect(await db.sublevel('raftd-fence').get('billing')).toBe('["5","A"]');
  expect(await fence.maximum('billing')).toEqual({ token: 5n, holder: 'A' });
  expect(await fence.maximum('other')).toBe(undefined);
});

test('a database of binary keys and values is guarded alike', async () => {
  const db = new Level<Uint8Array, Uint8Array>(await makeDirectory(), {
    keyEncoding: 'view',
    valueEncoding: 'view',
  });
  try {
    await createFence(db).write(B, [
      { type: 'put', key: Uint8Array.of(1), value: Uint8Array.of(2) },
    ]);
    expect([...((await db.get(Uint8Array.of(1))) ?? [])]).toEqual([2]);
    await expect(createFence(db).write(A, put('x'))).rejects.toMatchObject({ code: 'FENCED' });
  } finally {
    await db.close();
  }
});

test('a sublevel as database keeps maxima of its own', async () => {
  const db = await openLevel(await makeDirectory());
  await createFence(db.sublevel('invoices')).raise(B);
  await createFence(db).write(A, put('of A'));
  await expect(createFence(db.sublevel('invoices')).raise(A)).rejects.toMatchObject({
    code: 'FENCED',
  });
});

test('many writers at once: every write that passed was under the highest token yet', async () => {
  const db = await openLevel(await makeDirectory());
  const writers = Array.from({ length: 200 }, (_, index) => {
    const token = BigInt(1 + ((index * 7919) % 50));
    const write = createFence(db).write(
      { lock: 'billing', token, holder: `${token}` },
      put(`${token}`),
    );
    return write.then(
      () => token,
      () => undefined,
    );
  });
  const admitted = (await Promise.all(writers)).filter((token) => token !== undefined);
  expect(admitted).toEqual([...admitted].sort((left, right) => Number(left - right)));
  expect(await db.get('charge')).toBe('50');
  expect(admitted.length).toBeLessThan(writers.length);
});

test.each(['', 'null', '[]', '["5"]', '["x","A"]', '[5,"A"]', '{"token":"5"}'])(
  'a damaged record admits nobody: %j',
  async (record) => {
    const db = await openLevel(await makeDirectory());
    await db.put('!raftd-fence!billing', record);
    const refusals: string[] = [];
    const fence = createFence(db, { onRefused: ({ code }) => refusals.push(code) });
    await expect(fence.write(B, put('of B'))).rejects.toMatchObject({ code: 'FENCE_DAMAGED' });
    expect(await db.get('charge')).toBe(undefined);
    expect(refusals).toEqual([]);
  },
);

test('a write too many is refused at once, and those that wait are not harmed', async () => {
  const { db } = memoryBench();
  const fence = createFence(db);
  const waiting = Array.from({ length: 10_000 }, () => fence.write(A, put('of A')));
  await expect(createFence(db).write(A, put('one too many'))).rejects.toMatchObject({
    code: 'OVERLOADED',
  });
  await Promise.all(waiting);
  await fence.write(A, put('room again'));
  expect(fence.counts()).toMatchObject({ admitted: 10_001, raised: 1 });
});
