import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export interface Counts {
  readonly passed: number;
  /** Failed tests, files that could not be loaded, and errors outside any test. */
  readonly failed: number;
}

/** Names the file that a vitest run leaves its counts in; vitest.config.ts reads it. */
export const COUNTS_VARIABLE = 'RAFTD_TEST_COUNTS';

/** A vitest reporter that only counts, beside the one that people read. */
export class CountingReporter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    writeFileSync(this.#file, JSON.stringify(countTests(modules, unhandledErrors.length)));
  }
}

function countTests(modules: readonly TestModule[], unhandledErrors: number): Counts {
  let passed = 0;
  let failed = unhandledErrors;
  for (const module of modules) {
    const failures = [...module.children.allTests('failed')].length;
    passed += [...module.children.allTests('passed')].length;
    // A file that fails outside its tests (import, describe, hook) must not count as nothing.
    failed += module.ok() ? failures : Math.max(failures, 1);
  }
  return { passed, failed };
}

/** What the run counted. A run that ended without counting (it was killed) is one failure. */
export function readCounts(file: string): Counts {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  return JSON.parse(readFileSync(file, 'utf8')) as Counts;
}

/** The closing line of a test run, alone on its line, for people and for CI. */
export function describeCounts(runs: readonly Counts[]): string {
  const passed = runs.reduce((sum, run) => sum + run.passed, 0);
  const failed = runs.reduce((sum, run) => sum + run.failed, 0);
  return `${passed} passed, ${failed} failed`;
}
