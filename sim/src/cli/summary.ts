import { FAULT_KINDS } from '../storm/fault-kind.js';
import { showSeed } from './arguments.js';
import type { GateVerdict } from './gates.js';
import { describeGate, judgeGates, onReferenceCore, SOMETIMES_FROM_SEEDS } from './gates.js';
import type { Paint } from './paint.js';
import type { StormTotals } from './storm-totals.js';
import { bar, showNumber, table } from './table.js';

const BAR_WIDTH = 24;

/** What happened in all storms of a run, for people: a run that did little proves little. */
export function describeTotals(totals: StormTotals, paint: Paint): string {
  return [
    ...happened(totals, paint),
    ...faults(totals, paint),
    ...sizes(totals, paint),
    ...sometimes(totals, paint),
    ...slowest(totals, paint),
    ...gates(totals, paint),
    '',
  ].join('\n');
}

/** What a run of this size had to reach and did not: one sentence each. */
export function complaints(totals: StormTotals): readonly string[] {
  const broken = judgeGates(totals).filter((verdict) => !verdict.holds);
  const never = neverHappened(totals);
  return [
    ...broken.map(describeGate),
    ...(never.length === 0 || totals.seeds < SOMETIMES_FROM_SEEDS
      ? []
      : [`Never happened in ${totals.seeds} seeds: ${never.join(', ')}.`]),
  ];
}

/** What must happen sometimes, and kinds of fault: `the fault wipe`. */
function neverHappened({ sometimes: counts, faultsByKind }: StormTotals): readonly string[] {
  const kinds = FAULT_KINDS.filter((kind) => faultsByKind[kind] === 0);
  return [
    ...Object.keys(counts).filter((name) => counts[name] === 0),
    ...kinds.map((kind) => `the fault ${kind}`),
  ];
}

function happened(totals: StormTotals, paint: Paint): readonly string[] {
  const { clusterHours, cpuSeconds } = totals;
  const rows = [
    ['seeds', totals.seeds, ''],
    ['failed', totals.failed.length, ''],
    ['simulated', clusterHours, 'cluster-hours'],
    ['CPU time', cpuSeconds, 'seconds'],
    ['speed', (clusterHours * 3600) / cpuSeconds, '× real time a core'],
    ['reference speed', onReferenceCore(totals).speed, '× real time on the reference core'],
    ['events', totals.events, `${showNumber(totals.events / cpuSeconds)} a CPU second`],
    ['leader changes', totals.leaderChanges, perHour(totals.leaderChanges, totals)],
    ['operations', totals.operations, perHour(totals.operations, totals)],
    ['slowest recovery', totals.slowestRecovery, 'election time-outs, of 10'],
    ['faults', totals.faults, perHour(totals.faults, totals)],
  ];
  return section('what happened', table(rows), paint);
}

function faults(totals: StormTotals, paint: Paint): readonly string[] {
  const rows = FAULT_KINDS.map((kind) => {
    const count = totals.faultsByKind[kind];
    return [kind, count, perHour(count, totals)] as const;
  });
  const lines = table(rows).map((line, at) => (rows[at]?.[1] === 0 ? paint.bad(line) : line));
  return section('faults by kind', lines, paint);
}

function sizes(totals: StormTotals, paint: Paint): readonly string[] {
  const rows = [
    ...histogram('nodes', totals.nodeCounts),
    ...histogram('clients', totals.clientCounts),
  ];
  return section('sizes: share of the seeds', table(rows), paint);
}

function histogram(name: string, counts: readonly number[]): readonly (readonly string[])[] {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.flatMap((count, size) => {
    if (size === 0) return [];
    const share = all === 0 ? 0 : count / all;
    return [
      [`${size} ${name}`, `${(share * 100).toFixed(1).padStart(5)} %`, bar(share, BAR_WIDTH)],
    ];
  });
}

function sometimes(totals: StormTotals, paint: Paint): readonly string[] {
  const rows = Object.entries(totals.sometimes);
  const lines = table(rows).map((line, at) => (rows[at]?.[1] === 0 ? paint.bad(line) : line));
  return section('what must happen sometimes', lines, paint);
}

function slowest(totals: StormTotals, paint: Paint): readonly string[] {
  const rows = totals.slowest.map(({ seed, wallMs, events }) => [
    showSeed(seed),
    Math.round(wallMs),
    'ms',
    events,
    'events',
  ]);
  return section('slowest seeds', table(rows), paint);
}

function gates(totals: StormTotals, paint: Paint): readonly string[] {
  const lines = judgeGates(totals).map((verdict: GateVerdict) => {
    const text = describeGate(verdict);
    return verdict.holds ? `${paint.good('ok    ')} ${text}` : `${paint.bad('BROKEN')} ${text}`;
  });
  return lines.length === 0 ? [] : section('gates', lines, paint);
}

function perHour(count: number, { clusterHours }: StormTotals): string {
  return `${showNumber(count / clusterHours)} an hour`;
}

function section(title: string, lines: readonly string[], paint: Paint): readonly string[] {
  return ['', paint.strong(title), ...lines.map((line) => `  ${line}`)];
}
