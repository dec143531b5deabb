import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import type { FenceOperation } from '../src/level.js';
import type { Case } from './guard.js';
import { A, B, put, read } from './guard.js';
import { MemoryLevel } from './memory-level.js';

/** Failures seen in the field; Z numbers are those of the fencing reference. */
export const FAILURE_CASES: readonly Case[] = [
  {
    name: 'Z3: the maximum outlives a restart of the guard',
    async run(make, bench) {
      await make(bench.db).write(B, put('of B'));
      const restarted = await bench.restart();
      await expect(make(restarted.db).write(A, put('of A'))).rejects.toMatchObject({
        code: 'FENCED',
        current: 6n,
        currentHolder: 'B',
      });
      expect(await read(restarted)).toBe('of B');
    },
  },
  {
    name: 'Z4: after the barrier of B, which has written nothing yet, no write of A lands',
    async run(make, bench) {
      const guard = make(bench.db);
      await guard.write(A, put('of A'));
      await guard.raise(B);
      const restarted = await bench.restart();
      await expect(make(restarted.db).write(A, put('delayed'))).rejects.toMatchObject({
        code: 'FENCED',
      });
      expect(await read(restarted)).toBe('of A');
    },
  },
  {
    name: 'Z5: the newer grant goes on when the older one turns up after it',
    async run(make, bench) {
      const guard = make(bench.db);
      await guard.raise(B);
      await expect(guard.raise(A)).rejects.toMatchObject({ code: 'FENCED' });
      await guard.write(B, put('of B'));
      expect(await read(bench)).toBe('of B');
    },
  },
  {
    name: 'Z6: nothing that goes through the guard resets the maximum',
    async run(make, bench) {
      const guard = make(bench.db);
      await guard.write(B, put('of B'));
      const record = '!raftd-fence!billing';
      const resets: readonly FenceOperation[] = [
        { type: 'del', key: record },
        { type: 'put', key: record, value: '["1","A"]' },
        { type: 'del', key: new TextEncoder().encode(record), keyEncoding: 'view' },
        { type: 'del', key: 'billing', sublevel: { prefix: '!raftd-fence!' } },
      ];
      for (const reset of resets) {
        await expect(guard.write(B, [...put('x'), reset])).rejects.toMatchObject({
          code: 'INVALID_OPERATION',
        });
      }
      for (let write = 0; write < 100; write += 1) await guard.write(B, put(`of B ${write}`));
      await expect(guard.write(A, put('of A'))).rejects.toMatchObject({ code: 'FENCED' });
    },
  },
  {
    name: 'Z7: a paused holder that wakes cannot raise, and so does not read on either',
    async run(make, bench) {
      const guard = make(bench.db);
      await guard.raise(B);
      await expect(guard.raise(A)).rejects.toMatchObject({ code: 'FENCED', current: 6n });
      await guard.raise(B);
    },
  },
  {
    name: 'Z11: the token of a write is the one it was called with',
    async run(make, bench) {
      const guard = make(bench.db);
      await guard.raise(B);
      const grant: { lock: string; token: bigint; holder: string } = { ...A };
      const operations = [...put('of A')];
      const write = guard.write(grant, operations);
      Object.assign(grant, B);
      await expect(write).rejects.toMatchObject({ code: 'FENCED', token: 5n });
      const admitted = guard.write(B, operations);
      operations.splice(0, 1, ...put('changed after the call'));
      await admitted;
      expect(await read(bench)).toBe('of A');
    },
  },
];

/** What takes a database that a test can stop at will. */
export const INTERLEAVING_CASES: readonly Case[] = [
  {
    name: 'Z9: nothing comes between the check and the write, also by another guard object',
    async run(make) {
      const db = new MemoryLevel();
      const [first, second] = [make(db), make(db)];
      let takeOver: Promise<void> | undefined;
      // A has passed its check and is about to write: now B takes over, as far as it can.
      db.beforeBatch = async () => {
        if (takeOver !== undefined) return;
        takeOver = second.write(B, put('of B'));
        for (let turn = 0; turn < 5; turn += 1) await setImmediate();
      };
      await first.write(A, put('of A'));
      await takeOver;
      expect(await db.get('charge')).toBe('of B');
      await expect(first.write(A, put('of A again'))).rejects.toMatchObject({ code: 'FENCED' });
    },
  },
  {
    name: 'the new maximum and the write reach the disk together or not at all',
    async run(make) {
      for (const survivors of [0, 1]) {
        const db = new MemoryLevel();
        await make(db).write(A, put('of A'));
        const before = db.batches;
        db.beforeBatch = async () => {
          if (db.batches - before >= survivors) throw new Error('power is gone');
        };
        await make(db)
          .write(B, put('of B'))
          .catch(() => undefined);
        const disk = db.crash();
        if ((await disk.get('charge')) === 'of B') {
          const refusal = { code: 'FENCED' };
          await expect(make(disk).write(A, put('later'))).rejects.toMatchObject(refusal);
        } else await make(disk).write(A, put('later'));
      }
    },
  },
  {
    name: 'what was acknowledged is on disk',
    async run(make) {
      const db = new MemoryLevel();
      await make(db).write(A, put('of A'));
      const afterWrite = db.crash();
      expect(await afterWrite.get('charge')).toBe('of A');
      await make(afterWrite).raise(B);
      const afterRaise = afterWrite.crash();
      await expect(make(afterRaise).write(A, put('x'))).rejects.toMatchObject({ code: 'FENCED' });
    },
  },
  {
    name: 'a refused write touches nothing and is not tried again',
    async run(make) {
      const db = new MemoryLevel();
      await make(db).write(B, put('of B'));
      const before = db.batches;
      await expect(make(db).write(A, put('of A'))).rejects.toMatchObject({ code: 'FENCED' });
      expect(db.batches).toBe(before);
      expect(await db.get('charge')).toBe('of B');
    },
  },
  {
    name: 'a failing disk fails that write only, and raises nothing',
    async run(make) {
      const db = new MemoryLevel();
      const guard = make(db);
      db.beforeBatch = () => Promise.reject(new Error('no space'));
      const failed = guard.write(B, put('of B'));
      const queued = failed.catch(() => {
        db.beforeBatch = async () => undefined;
      });
      await expect(failed).rejects.toThrow('no space');
      await queued;
      await guard.write(A, put('of A'));
      expect(await db.get('charge')).toBe('of A');
      expect(guard.counts()).toMatchObject({ admitted: 1, raised: 1 });
    },
  },
];
