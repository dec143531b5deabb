import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LevelDatabase } from '../src/database.js';
import { IDENTITY_KEY, LOG_RANGE, logKey, logKeyIndex, META_KEY, SEAL_KEY } from '../src/keys.js';
import { temporaryDirectory } from './temporary-directory.js';

/** Around every place where a narrower or a textual key would turn over. */
const EDGES: readonly number[] = [9, 99, 2 ** 8, 2 ** 16, 2 ** 31, 2 ** 32, 2 ** 40, 2 ** 52]
  .flatMap((edge) => [edge - 1, edge, edge + 1])
  .concat(1, 2, 2 ** 53 - 2, 2 ** 53 - 1);

const anyIndex = fc.oneof(fc.constantFrom(...EDGES), fc.maxSafeNat());

describe('the keys of the log', () => {
  it('have the byte order of the indexes', () => {
    fc.assert(
      fc.property(anyIndex, anyIndex, (a, b) => {
        expect(Math.sign(Buffer.compare(logKey(a), logKey(b)))).toBe(Math.sign(a - b));
      }),
    );
  });

  it('give back their index', () => {
    fc.assert(fc.property(anyIndex, (index) => logKeyIndex(logKey(index)) === index));
    expect(logKeyIndex(Uint8Array.of(1, 2))).toBeNaN();
  });

  it('refuse what is no index', () => {
    for (const index of [-1, 0.5, 2 ** 53, Number.NaN]) {
      expect(() => logKey(index)).toThrow(/not a safe unsigned integer/);
    }
  });

  it('come out of LevelDB in the order of the indexes, and nothing else with them', async () => {
    const path = join(temporaryDirectory(), 'log');
    const database = new LevelDatabase({ path, create: true, writeBufferBytes: 1 << 20 });
    await database.open();
    const value = Uint8Array.of(0);
    const others = [META_KEY, IDENTITY_KEY, SEAL_KEY];
    await database.writeSynced(
      [...EDGES.toReversed().map(logKey), ...others].map((key) => ({ type: 'put', key, value })),
    );
    const found: number[] = [];
    for await (const portion of database.portions(LOG_RANGE)) {
      for (const [key] of portion) found.push(logKeyIndex(key));
    }
    await database.close();
    expect(found).toEqual([...new Set(EDGES)].toSorted((a, b) => a - b));
  });
});
