import { defineConfig } from 'vitest/config';
import { COUNTS_VARIABLE, CountingReporter } from './scripts/src/test/counts.js';

// Sources, not dist: one truth while developing. Real processes (test/) run dist.
const source = { conditions: ['@raftd/source', 'node', 'import', 'default'] };

// Set by npm test, which ends with the counts.
const countsFile = process.env[COUNTS_VARIABLE];

export default defineConfig({
  ssr: { resolve: source },
  resolve: source,
  test: {
    pool: 'forks',
    reporters: ['default', ...(countsFile === undefined ? [] : [new CountingReporter(countsFile)])],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/*/test/**/*.test.ts',
            'scripts/test/**/*.test.ts',
            'test/suites/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'sim',
          include: ['sim/test/**/*.test.ts'],
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: ['test/processes/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/raft/src/**', 'packages/coordinator/src/**'],
    },
  },
});
