import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parsePlanFile } from '../../src/replay/plan-file.js';
import { STORM_ENGINE } from '../../src/replay/storm-engine.js';

const FOLDER = new URL('../regressions/storms/', import.meta.url);
const PROGRAM = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** What each storm says of its file's name, for good: with its bug it fails, and now it passes. */
describe('storms that once failed', () => {
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.json'))) {
    const path = new URL(name, FOLDER);
    const { plan, bug, checker } = parsePlanFile(readFileSync(path, 'utf8'));
    const title = name.replace('.json', '').replaceAll('-', ' ');

    it(`${title}: passes now`, async () => {
      const { failure } = await STORM_ENGINE.run(plan);
      expect(failure).toBeUndefined();
    });

    if (bug === undefined) continue;
    it(`${title}: fails with ${bug}, found by ${checker ?? 'nobody'}`, () => {
      const args = [PROGRAM, 'replay', fileURLToPath(path), '--bug', bug];
      const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      expect(stdout + stderr).toContain(`checker ${checker}`);
    }, 300_000);
  }
});
