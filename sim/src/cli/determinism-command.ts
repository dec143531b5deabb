import { checkDeterminism } from '../replay/determinism.js';
import type { Determinism } from '../replay/determinism.js';
import type { StormEngine } from '../replay/engine.js';
import { seedAt, showSeed } from './arguments.js';
import { EXIT } from './exit-codes.js';
import type { RunSeed } from './run-seed.js';
import type { Terminal } from './terminal.js';

export interface DeterminismRequest {
  readonly first: RunSeed;
  readonly seeds: number;
}

/** Runs each seed twice and compares everything that happened. Resolves to the exit code. */
export async function runDeterminism(
  { first, seeds }: DeterminismRequest,
  engine: StormEngine,
  terminal: Terminal,
): Promise<number> {
  terminal.print(`determinism: ${seeds} seeds from ${showSeed(first.seed)} (${first.origin})`);
  let events = 0;
  for (let index = 0; index < seeds; index += 1) {
    const seed = seedAt(first.seed, index);
    const verdict = await checkDeterminism(engine, engine.plan(seed));
    if (verdict.type === 'different') {
      terminal.print(describeDifference(seed, verdict));
      return EXIT.correctness;
    }
    events += verdict.events;
    terminal.progress(`${index + 1} of ${seeds} seeds are the same`);
  }
  terminal.print(`All ${seeds} seeds gave the same twice, to the last of ${events} events.`);
  return EXIT.ok;
}

function describeDifference(
  seed: number,
  { traceHashes, first }: Extract<Determinism, { type: 'different' }>,
): string {
  const hashes = traceHashes.map(showSeed).join(' and ');
  const lines = [
    `Seed ${showSeed(seed)} is not a function of its plan: its runs ended at ${hashes}.`,
  ];
  if (first === undefined) {
    return [...lines, 'Their events are the same; what draws differs elsewhere.'].join('\n');
  }
  lines.push(`The first difference is event ${first.event}:`);
  first.runs.forEach((run, at) => {
    lines.push('', `run ${at + 1}`, ...run.map((line) => `  ${line}`));
  });
  return lines.join('\n');
}
