import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The lines of the shell blocks under a heading. */
function commandsUnder(heading: string): readonly string[] {
  const section = README.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => {
    return block.trim().split('\n');
  });
}

test("the README's two commands are npm start and npm test", () => {
  expect(commandsUnder('Two commands')).toEqual(['npm start', 'npm test']);
});

test("npm start is up, and each command of the README's minute works on it", async () => {
  const start = spawn('npm', ['start'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stdout: output, pid: group = 0 } = start;
  try {
    let said = '';
    while (!said.includes('Ctrl-C')) {
      const [bytes] = (await Promise.race([
        once(output, 'data'),
        once(start, 'exit').then(() => Promise.reject(new Error(`npm start ended:\n${said}`))),
      ])) as [Buffer];
      said += bytes.toString();
    }
    const commands = commandsUnder('One minute with it');
    expect(commands.length).toBeGreaterThan(4);
    const script = commands.join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: ROOT });
    expect(stdout).toMatch(/leader/);
    expect(stdout).toMatch(/^hello$/m);
    expect(stdout).toMatch(/I lead with token \d+/);
    const ended = once(start, 'exit');
    process.kill(-group, 'SIGINT');
    await ended;
  } finally {
    if (start.exitCode === null && start.signalCode === null) process.kill(-group, 'SIGKILL');
  }
});
