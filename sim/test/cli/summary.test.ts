import { describe, expect, it } from 'vitest';
import { describeFailure } from '../../src/cli/failure-page.js';
import { judgeGates, onReferenceCore } from '../../src/cli/gates.js';
import { PLAIN } from '../../src/cli/paint.js';
import type { SeedReport } from '../../src/cli/seed-report.js';
import { lostSeed } from '../../src/cli/seed-report.js';
import { stormDocument } from '../../src/cli/storm-document.js';
import type { StormTotals } from '../../src/cli/storm-totals.js';
import { StormTally } from '../../src/cli/storm-totals.js';
import { complaints, describeTotals } from '../../src/cli/summary.js';
import { layYardstick, measureYardstick, YARDSTICK_MS } from '../../src/cli/yardstick.js';
import { FAULT_KINDS } from '../../src/storm/fault-kind.js';
import { SOMETIMES } from '../../src/storm/sometimes/sometimes.js';
import { CoreEngine, planOf } from '../support/core-engine.js';

const engine = new CoreEngine();
const result = await engine.run(engine.plan(1));

function report(seed: number, changes: Partial<SeedReport> = {}): SeedReport {
  const sizes = { nodeCount: 3, clientCount: 1 + (seed % 8) };
  return { seed, result, failure: undefined, ...sizes, wallMs: seed, ...changes };
}

function totalsOf(seeds: number, cpuSeconds: number): StormTotals {
  const tally = new StormTally();
  for (let seed = 1; seed <= seeds; seed += 1) tally.add(report(seed));
  return tally.totals(cpuSeconds);
}

describe('the summary of a run', () => {
  it('adds up what the seeds gave', () => {
    const totals = totalsOf(8, 2);
    expect(totals).toMatchObject({ seeds: 8, operations: 40, leaderChanges: 8, faults: 16 });
    expect(totals.slowestRecovery).toBe(2);
    expect(totals.clientCounts.slice(1)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(totals.slowest.map(({ seed }) => seed)).toEqual([8, 7, 6, 5, 4]);
  });

  it('shows speed, faults, sizes and what must happen sometimes', () => {
    const text = describeTotals(totalsOf(8, 2), PLAIN);
    expect(text).toMatch(/speed +8 +× real time a core/);
    expect(text).toMatch(/crash +16 +3,600 an hour/);
    expect(text).toMatch(/3 nodes +100\.0 % +▇+/);
    expect(text).toMatch(/split vote +0/);
  });

  it('a small run is not measured by gates', () => {
    expect(judgeGates(totalsOf(8, 2))).toEqual([]);
    expect(complaints(totalsOf(8, 2))).toEqual([]);
  });

  it('a run that did too little fails with a sentence for each gate', () => {
    const sentences = complaints(totalsOf(2_000, 4_000)).join('\n');
    expect(sentences).toContain('Operations: 9000 a simulated hour, at least 50000 are wanted.');
    expect(sentences).toContain('CPU time: 4000 CPU seconds of the reference core for 2000 seeds');
    expect(sentences).toContain('Speed: 1 times real time on the reference core, at least');
    expect(sentences).toMatch(/Never happened in 2000 seeds: split vote, .*, the fault wipe\./);
    expect(sentences).not.toContain('the fault crash,');
  });

  it('what nobody told of never happened, even if every seed broke off', () => {
    const tally = new StormTally();
    for (let seed = 1; seed <= 2_000; seed += 1) {
      tally.add(lostSeed(seed, 'out of memory', 'assertion'));
    }
    const sentences = complaints(tally.totals(1)).join('\n');
    for (const name of SOMETIMES) expect(sentences).toContain(name);
    for (const kind of FAULT_KINDS) expect(sentences).toContain(`the fault ${kind}`);
  });

  it('speed is judged as it would be on the reference core', () => {
    const tally = new StormTally();
    for (const slowdown of [1, 2, 30]) {
      tally.add(report(slowdown, { yardstickMs: slowdown * YARDSTICK_MS }));
    }
    const totals = tally.totals(10);
    expect(totals.yardstickMs).toBe(2 * YARDSTICK_MS);
    expect(onReferenceCore(totals).cpuSeconds).toBe(5);
    expect(onReferenceCore({ ...totals, yardstickMs: undefined }).cpuSeconds).toBe(10);
  });

  it('is one document for scripts, as DESIGN section 10 says', () => {
    const request = {
      first: { seed: 1, origin: '--seed' },
      seeds: 8,
      minutes: undefined,
      cores: 2,
      json: true,
      keepGoing: false,
      shrink: true,
      out: undefined,
      bug: undefined,
      plan: {},
    };
    expect(stormDocument(request, totalsOf(8, 2), [])).toMatchObject({
      seeds: 8,
      failures: 0,
      clusterHours: 0.004,
      cpuSeconds: 2,
      leaderChanges: 8,
      faults: 16,
      operations: 40,
    });
  });

  it('a run that broke off counts as a failure of its seed', () => {
    const tally = new StormTally();
    tally.add(lostSeed(5, 'out of memory', 'assertion'));
    expect(tally.totals(1).failed).toMatchObject([{ seed: 5, failure: { checker: 'assertion' } }]);
  });
});

describe('the page of a failure', () => {
  const failure = { checker: 'S10', sentence: 'Term 4 has two leaders.', atMs: 3_210 };
  const many = Array.from({ length: 60 }, (_, at) => [at, { type: 'heal' }] as const);
  const page = describeFailure(
    {
      seed: 0x2a,
      repeat: 'replay 0x0000002a',
      bug: undefined,
      failure,
      shrunk: undefined,
      plan: planOf(0x2a, 4_000, many),
      file: 'out/failure-0x0000002a.json',
      heading: ['heading'],
      lastLines: ['the end'],
    },
    PLAIN,
  );

  it('begins with the sentence and names who found it, and the exit code', () => {
    expect(page.trimStart().split('\n')[0]).toBe(failure.sentence);
    expect(page).toContain('S10 (correctness, exit code 129)');
  });

  it('gives the command that repeats it, and the one that draws it', () => {
    expect(page).toContain('npm run sim -- replay 0x0000002a\n');
    expect(page).toContain('npm run sim -- replay out/failure-0x0000002a.json --html');
  });

  it('shows forty commands, and how many there are more', () => {
    expect(page.match(/ heal$/gm)).toHaveLength(40);
    expect(page).toContain('… and 20 more');
    expect(page).toContain('the end');
  });
});

describe('the yardstick', () => {
  it('is the same work every time', () => {
    expect(layYardstick()).toBe(layYardstick());
  });

  it.runIf(process.platform === 'linux')('costs CPU time that is measured', () => {
    expect(measureYardstick()).toBeGreaterThan(0);
  });
});
