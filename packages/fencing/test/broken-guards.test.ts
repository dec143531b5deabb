import { expect, test } from 'vitest';
import { BROKEN_GUARDS } from './broken-guards.js';
import { FAILURE_CASES, INTERLEAVING_CASES } from './failure-cases.js';
import { FlawedGuard } from './flawed-guard.js';
import { memoryBench } from './memory-level.js';
import { RULE_CASES } from './rule-cases.js';

// A contract that nothing breaks proves nothing: each pitfall, planted, must be found.
const CONTRACT = [...RULE_CASES, ...FAILURE_CASES, ...INTERLEAVING_CASES];

for (const { flaw, breaks, parts } of BROKEN_GUARDS) {
  test(`rejected: ${flaw}`, async () => {
    const [broken, ...others] = CONTRACT.filter(({ name }) => name.includes(breaks));
    expect(others).toEqual([]);
    const run = broken?.run(
      (db, options = {}) => new FlawedGuard(db, options, parts()),
      memoryBench(),
    );
    // By a broken promise of the guard, not by a slip of the test.
    await expect(run).rejects.toMatchObject({
      name: expect.stringMatching(/^(AssertionError|FenceError)$/),
    });
  });
}

for (const { name, run } of CONTRACT) {
  test(`without a flaw the same guard passes: ${name}`, async () => {
    await run((db, options = {}) => new FlawedGuard(db, options, {}), memoryBench());
  });
}

test('every sentence of the contract rejects some broken guard', () => {
  const idle = CONTRACT.filter(({ name }) =>
    BROKEN_GUARDS.every(({ breaks }) => !name.includes(breaks)),
  );
  expect(idle.map(({ name }) => name)).toEqual([]);
});
