import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { simProgram } from '../../src/cli/program.js';
import { currentCommit } from '../../src/cli/run-seed.js';
import { KeptTerminal } from '../../src/cli/terminal.js';
import { showPlanFile } from '../../src/replay/plan-file.js';
import { CoreEngine } from '../support/core-engine.js';

const directory = mkdtempSync(join(tmpdir(), 'raftd-sim-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

const failing = new CoreEngine((done) => {
  const isOver = done.some(({ type }) => type === 'crash') && done.at(-1)?.type === 'restart';
  return isOver ? { checker: 'liveness', sentence: 'Nobody leads.' } : undefined;
});

async function run(engine: CoreEngine, ...args: readonly string[]) {
  const terminal = new KeptTerminal();
  let code = -1;
  const program = simProgram({
    engine,
    terminal,
    environment: { RAFTD_SEED: '3' },
    args,
    finish: (finished) => {
      code = finished;
    },
  });
  program.configureOutput({ writeErr: (text) => terminal.say(text) });
  await program.parseAsync([...args], { from: 'user' });
  return { code, printed: terminal.printed };
}

describe('npm run sim', () => {
  it('replays a seed: its last events, the verdict, the hash', async () => {
    const { code, printed } = await run(new CoreEngine(), 'replay', '7', '--times', '3');
    expect(code).toBe(0);
    expect(printed).toContain('storm 0x00000007: 3 nodes, 2 clients');
    expect(printed).toMatch(/passed, \d+ events, trace hash 0x[0-9a-f]{8}/);
    expect(printed).toContain('the same in 3 of 3 runs');
  });

  it('replays a file, draws it, and ends with the exit code of the failure', async () => {
    const file = join(directory, 'plan.json');
    const page = join(directory, 'page.html');
    writeFileSync(file, showPlanFile({ plan: failing.plan(7) }));
    const { code, printed } = await run(failing, 'replay', file, '--html', page, '--trace');
    expect(code).toBe(128);
    expect(printed).toContain('Nobody leads.');
    expect(printed).toContain('--- crash n2 landed nothing');
    expect(readFileSync(page, 'utf8')).toContain('Nobody leads.');
  });

  it('says what is wrong with a file', async () => {
    const file = join(directory, 'broken.json');
    writeFileSync(file, '{ "plan": {} }');
    const broken = run(failing, 'replay', file);
    await expect(broken).rejects.toMatchObject({ name: 'UsageError', code: 'INVALID_FILE' });
    const missing = run(failing, 'replay', join(directory, 'none.json'));
    await expect(missing).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });

  it('reads regular files alone, which end', async () => {
    for (const command of ['replay', 'check-history']) {
      const refused = run(failing, command, directory);
      await expect(refused).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
      await expect(refused).rejects.toThrow('no regular file');
    }
  });

  it.each([
    ['1', 0],
    ['null', 129],
  ])('judges a history in which %s is read with exit code %i', async (value, expected) => {
    const path = join(directory, `read-${value}.jsonl`);
    const lines = [
      '{"format":"raftd-history","version":1,"model":"register"}',
      '{"process":"a","operation":"write","value":1,"call":0,"return":1}',
      `{"process":"a","operation":"read","call":2,"return":3,"result":{"value":${value}}}`,
    ];
    writeFileSync(path, lines.join('\n'));
    const { code } = await run(failing, 'check-history', path);
    expect(code).toBe(expected);
  });

  it('ends with 1 where nobody knows whether a history is linearizable', async () => {
    const path = join(directory, 'undecided.jsonl');
    const head = '{"format":"raftd-history","version":1,"model":"register"}';
    const lines = Array.from({ length: 60 }, (_, at) =>
      JSON.stringify({ process: `w${at}`, operation: 'write', value: at, call: 0, return: 9 }),
    );
    const read = { process: 'r', operation: 'read', call: 10, return: 11, result: { value: 99 } };
    writeFileSync(path, [head, ...lines, JSON.stringify(read)].join('\n'));
    const { code, printed } = await run(failing, 'check-history', path);
    expect(printed).toContain('Nothing is proved either way.');
    expect(code).toBe(1);
  });

  it('takes the commit of its own code, wherever it is called from', () => {
    const here = process.cwd();
    const commit = currentCommit();
    try {
      process.chdir(tmpdir());
      expect(currentCommit()).toBe(commit);
    } finally {
      process.chdir(here);
    }
  });

  it('checks determinism from the seed of the run on', async () => {
    const { code, printed } = await run(new CoreEngine(), 'determinism', '--seeds', '3');
    expect(code).toBe(0);
    expect(printed).toContain('3 seeds from 0x00000003 (RAFTD_SEED)');
    expect(printed).toContain('All 3 seeds gave the same twice');
  });

  it.each([
    ['storm', '--seeds', '0'],
    ['storm', '--faults', 'fire'],
    ['storm', '--seed', '-7'],
    ['storm', '--minutes', '0'],
    ['storm', '--nodes', '8'],
    ['replay', '7', '--times', '101'],
    ['planted', '--class', 'c'],
    ['planted', '--bug', 'M01', '--class', 'b'],
    ['planted', '--bug', 'M01', '--shrink'],
    ['planted', '--bug', 'M01', '--ablation'],
    ['storm', '--seeds', '1', '--minutes', '1'],
    ['help', 'bogus'],
  ])('refuses %s %s %s', async (...args) => {
    await expect(run(new CoreEngine(), ...args)).rejects.toMatchObject({ name: 'UsageError' });
  });
});
