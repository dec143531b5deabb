import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Report {
  readonly unfenced: { readonly charges: number; readonly doubleCharges: number };
  readonly fenced: {
    readonly charges: number;
    readonly doubleCharges: number;
    readonly rejectedStaleWrites: number;
  };
  readonly tokens: readonly string[];
  readonly failoverMs: number;
}

test('the demo: a thawed leader charges twice without fencing, never with it', async () => {
  const args = ['run', '-s', 'demo', '--', '--json'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT });
  const report = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Report;
  expect(report.unfenced.doubleCharges).toBeGreaterThan(0);
  expect(report.fenced.doubleCharges).toBe(0);
  expect(report.fenced.rejectedStaleWrites).toBeGreaterThan(0);
  const tokens = report.tokens.map(BigInt);
  expect(tokens.length).toBeGreaterThanOrEqual(4);
  expect(tokens.every((token, place) => place === 0 || token > (tokens[place - 1] ?? 0n))).toBe(
    true,
  );
  expect(report.failoverMs).toBeGreaterThan(0);
});
