// npm run check: types, lint, format, tidy. All of them run, whatever fails; `npm run check --
// tidy` runs the steps named. Two run at a time, their reports come in order.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Step {
  readonly name: string;
  /** Script below the root, and its arguments, one command after the other. */
  readonly commands: readonly (readonly string[])[];
  readonly hint: string;
}

interface Outcome {
  readonly ok: boolean;
  readonly output: string;
  readonly milliseconds: number;
}

const TSC = 'node_modules/typescript/lib/tsc.js';

const STEPS: readonly Step[] = [
  {
    name: 'types',
    commands: [
      [TSC, '-b', '--pretty', 'false'],
      [TSC, '-p', 'tsconfig.test.json', '--pretty', 'false'],
    ],
    hint: 'the first command builds dist, the second covers the tests',
  },
  {
    name: 'lint',
    commands: [['node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.']],
    hint: 'rules that need types; see eslint.config.js',
  },
  {
    name: 'format',
    commands: [['node_modules/@biomejs/biome/bin/biome', 'format', '.']],
    hint: 'npx biome format --write . repairs it',
  },
  {
    name: 'tidy',
    commands: [['scripts/dist/tidy/main.js']],
    hint: 'the rules of the house; see scripts/README.md',
  },
];

const root = fileURLToPath(new URL('../..', import.meta.url));
process.exitCode = (await check(process.argv.slice(2))) ? 0 : 1;

async function check(names: readonly string[]): Promise<boolean> {
  const unknown = names.find((name) => STEPS.every((step) => step.name !== name));
  if (unknown !== undefined) {
    const known = STEPS.map((step) => step.name).join(', ');
    process.stderr.write(`no step is called ${unknown}; there are ${known}\n`);
    return false;
  }
  let ok = true;
  let summary = '';
  const wanted = STEPS.filter((step) => names.length === 0 || names.includes(step.name));
  for (const { step, outcome } of startTwoAtATime(wanted)) {
    const { ok: passed, output, milliseconds } = await outcome;
    if (!passed) process.stdout.write(`\n${step.name}\n${output}\n`);
    summary += describeOutcome(step, passed, milliseconds);
    ok &&= passed;
  }
  process.stdout.write(summary);
  return ok;
}

interface Running {
  readonly step: Step;
  readonly outcome: Promise<Outcome>;
}

/** Starts each step once the one two places before it has ended. */
function startTwoAtATime(steps: readonly Step[]): readonly Running[] {
  const running: Running[] = [];
  for (const step of steps) {
    const before = running.at(-2)?.outcome ?? Promise.resolve();
    running.push({ step, outcome: before.then(() => runStep(step)) });
  }
  return running;
}

async function runStep(step: Step): Promise<Outcome> {
  const started = Date.now();
  let ok = true;
  let output = '';
  for (const command of step.commands) {
    const [script = '', ...args] = command;
    const result = await run(join(root, script), args);
    ok &&= result.ok;
    output += result.output;
  }
  return { ok, output, milliseconds: Date.now() - started };
}

function run(script: string, args: readonly string[]): Promise<{ ok: boolean; output: string }> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

function describeOutcome(step: Step, ok: boolean, milliseconds: number): string {
  const seconds = (milliseconds / 1000).toFixed(1);
  const hint = ok ? '' : `  (${step.hint})`;
  return `${ok ? 'ok    ' : 'FAILED'} ${step.name.padEnd(7)} ${seconds.padStart(5)} s${hint}\n`;
}
