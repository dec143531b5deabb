import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeError,
  ERRORS,
  errorBody,
  type FencingToken,
  isErrorCode,
  refusalBody,
} from '../src/index.js';
import { CLIENT_FRAME, PEER_FRAME, SERVER_FRAME } from '../src/tags.js';
import { anyRefusal } from './arbitraries.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Rows of the README's tables, cells trimmed, code marks gone. */
const rows = readme
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').slice(1, -1))
  .map((cells) => cells.map((cell) => cell.trim().replaceAll('`', '')));

test('the README has the error table as it is', () => {
  const documented = rows.filter(([code]) => code !== undefined && isErrorCode(code));
  const table = Object.entries(ERRORS).map(([code, row]) => {
    return [code, row.class, row.retryable ? 'yes' : 'no', row.says];
  });
  expect(documented).toEqual(table);
});

test('the README has every frame with its tag', () => {
  const frames = (path: string, ways: readonly string[]): object => {
    const found = rows.filter(([at, way]) => at === path && ways.includes(way ?? ''));
    return Object.fromEntries(found.map(([, , tag, frame]) => [frame, Number(tag)]));
  };
  expect(frames('/client', ['→'])).toEqual(CLIENT_FRAME);
  expect(frames('/client', ['←'])).toEqual(SERVER_FRAME);
  expect(frames('/peer', ['→', '↔'])).toEqual(PEER_FRAME);
});

test('what is retryable is never invalid, and every row says something to do', () => {
  for (const row of Object.values(ERRORS)) {
    if (row.class === 'invalid') expect(row.retryable).toBe(false);
    expect(row.says).toMatch(/^[A-Z].*\.$/);
  }
});

test('every refusal of the state machine becomes an error of its code with its numbers', () => {
  fc.assert(
    fc.property(anyRefusal, (refusal) => {
      const { code, message, details } = refusalBody(refusal);
      expect(code).toBe(refusal.code);
      expect(message.length).toBeGreaterThan(0);
      for (const [name, value] of Object.entries(refusal)) {
        if (name === 'code' || value === undefined) continue;
        expect(details[name]).toBe(typeof value === 'bigint' ? value.toString() : value);
      }
    }),
  );
});

test('a token in an error is a decimal string, and nobody leading has none', () => {
  const current = (2n ** 53n + 1n) as FencingToken;
  expect(refusalBody({ code: 'FENCED', election: 'e', current })).toEqual({
    code: 'FENCED',
    message: 'the current token of e is 9007199254740993',
    details: { election: 'e', current: '9007199254740993' },
  });
  expect(refusalBody({ code: 'FENCED', election: 'e', current: undefined })).toEqual({
    code: 'FENCED',
    message: 'nobody leads e',
    details: { election: 'e' },
  });
});

test('an error is shown on one line with its numbers', () => {
  const error = errorBody('LIMIT_EXCEEDED', 'key is 9, above its limit of 8', { limit: 8 });
  expect(describeError(error)).toBe('LIMIT_EXCEEDED: key is 9, above its limit of 8 limit=8');
});
