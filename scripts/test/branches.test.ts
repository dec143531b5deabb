import { expect, test } from 'vitest';
import { branchPercentage, describeBranches, reportBranches } from '../src/test/branches.js';

const source = [
  'switch (a.type) {',
  "  case 'a':",
  '    return a.on ? 1 : 2;',
  '  default:',
  '    return assertNever(a);',
  '}',
].join('\n');

const file = {
  path: '/checkout/packages/raft/src/a.ts',
  branchMap: {
    0: {
      loc: { start: { line: 1, column: 0 }, end: { line: 6, column: null } },
      locations: [
        { start: { line: 2, column: 2 }, end: { line: 3, column: null } },
        { start: { line: 4, column: 2 }, end: { line: 5, column: null } },
      ],
    },
    1: {
      loc: { start: { line: 3, column: 11 }, end: { line: 3, column: null } },
      locations: [
        { start: { line: 3, column: 18 }, end: { line: 3, column: 20 } },
        { start: { line: 3, column: 22 }, end: { line: 3, column: null } },
      ],
    },
  },
  b: { 0: [1, 0], 1: [1, 0] },
};

test('an arm that only calls assertNever is not a branch; one that no test takes is', () => {
  const report = reportBranches('raft', [file], () => source);
  expect(report.missed).toEqual(['packages/raft/src/a.ts:3']);
  expect(describeBranches(report)).toBe('raft 66.66 % (2 of 3)');
});

test('a package whose branches were not measured has not passed', () => {
  expect(branchPercentage(reportBranches('coordinator', [file], () => source))).toBe(0);
});

test('an if without else counts its absent arm at the place of the if', () => {
  const absent = { ...file, branchMap: { 0: { loc: { start: { line: 3 } }, locations: [{}] } } };
  const report = reportBranches('raft', [{ ...absent, b: { 0: [0] } }], () => source);
  expect(report.missed).toEqual(['packages/raft/src/a.ts:3']);
});
