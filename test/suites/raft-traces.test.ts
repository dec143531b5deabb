import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RaftTrace } from './raft-trace.js';

const TRACES = join(import.meta.dirname, '..', 'traces');
const FILES = readdirSync(TRACES).filter((name) => /^raft-.*\.txt$/.test(name));

/**
 * Keeps comments, blank lines and commands, and puts what the core answers now after each
 * command: the command, `----`, the output, a blank line.
 */
function renderAnew(text: string): string {
  const trace = new RaftTrace();
  const lines: string[] = [];
  let isOutput = false;
  for (const line of text.trimEnd().split('\n')) {
    if (line === '----') {
      isOutput = true;
      lines.push(line, ...trace.run(lines.at(-1) ?? ''), '');
    } else if (line === '') {
      if (!isOutput && lines.at(-1) !== '') lines.push('');
      isOutput = false;
    } else if (!isOutput) {
      lines.push(line);
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

test('there are traces', () => {
  expect(FILES.length).toBeGreaterThanOrEqual(4);
});

// A changed trace is a changed behaviour: `npm test -- -u` rewrites them, and a reader judges.
test.each(FILES)('%s shows what the core does', async (name) => {
  const file = join(TRACES, name);
  await expect(renderAnew(readFileSync(file, 'utf8'))).toMatchFileSnapshot(file);
});
