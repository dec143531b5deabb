import { parseArgs } from 'node:util';

import { measureFailover } from './failover.js';
import {
  describeRow,
  type FailoverSummary,
  type Report,
  type Row,
  ratiosOf,
  type SyncCount,
} from './report.js';
import { countSyncs, syncCounterMissing } from './syncs.js';
import { etcdMissing, startEtcd } from './systems/etcd.js';
import { startFloor } from './systems/floor.js';
import { startRaftd } from './systems/raftd.js';
import type { System, SystemOptions } from './systems/system.js';
import { measure } from './throughput.js';

const HELP = `npm run bench -- [options]
  --peers LIST      systems to measure beside raftd: etcd (default: etcd where installed)
  --in-flight LIST  requests in flight (default 1,64,1000)
  --seconds N       measured time of each row (default 5)
  --rounds N        rounds; rows are the median round of each (default 3)
  --failover N      also kill -9 the leader N times under load (default 0)
  --only LIST       throughput, syncs, failover (default: all)
  --json            one JSON document as the last line of stdout`;

const { values: flags } = parseArgs({
  options: {
    peers: { type: 'string' },
    'in-flight': { type: 'string', default: '1,64,1000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    failover: { type: 'string', default: '0' },
    only: { type: 'string', default: 'throughput,syncs,failover' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

type Start = (options?: SystemOptions) => Promise<System>;

const say = (line: string): boolean => process.stderr.write(`${line}\n`);

function chosenPeers(): Start[] {
  const missing = etcdMissing();
  const names = flags.peers?.split(',') ?? (missing === undefined ? ['etcd'] : []);
  if (flags.peers === undefined && missing !== undefined) say(`etcd is left out: ${missing}`);
  for (const name of names) {
    if (name !== 'etcd') throw new Error(`unknown system '${name}' in --peers; known: etcd`);
    if (missing !== undefined) throw new Error(missing);
  }
  return names.map(() => startEtcd);
}

async function using<Result>(start: Start, use: (system: System) => Promise<Result>) {
  const system = await start();
  try {
    return await use(system);
  } finally {
    await system.stop();
  }
}

/** Systems take turns round by round, so that a slow minute of the machine hits all of them. */
async function throughput(starts: readonly Start[]): Promise<Row[]> {
  const measureMs = Number(flags.seconds) * 1000;
  const rows: Row[] = [];
  for (let round = 0; round < Number(flags.rounds); round += 1) {
    for (const start of starts) {
      await using(start, async (system) => {
        for (const workload of ['put', 'get-quorum'] as const) {
          for (const inFlight of flags['in-flight'].split(',').map(Number)) {
            const row = await measure(system, { workload, inFlight, valueBytes: 256, measureMs });
            say(describeRow(row));
            rows.push(row);
          }
        }
      });
    }
  }
  return medians(rows);
}

function medians(rows: readonly Row[]): Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.system} ${row.workload} ${row.inFlight}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].flatMap((group) => {
    const sorted = group.sort((a, b) => a.perSecond - b.perSecond);
    return sorted.slice(Math.floor(sorted.length / 2)).slice(0, 1);
  });
}

async function syncs(starts: readonly Start[]): Promise<SyncCount[]> {
  const missing = syncCounterMissing();
  if (missing !== undefined) {
    say(missing);
    return [];
  }
  const counts: SyncCount[] = [];
  for (const start of starts) counts.push(await countSyncs(start, 1_000));
  for (const { system, puts, syncs: calls, syncsPerPut } of counts) {
    say(`${system.padEnd(7)}  ${calls} synced writes for ${puts} puts: ${syncsPerPut} a put`);
  }
  return counts;
}

async function failovers(starts: readonly Start[]): Promise<FailoverSummary[]> {
  const kills = Number(flags.failover);
  const summaries: FailoverSummary[] = [];
  for (const start of kills > 0 ? starts : []) {
    const summary = await using(start, (system) => measureFailover(system, kills));
    say(
      `${summary.system.padEnd(7)}  ${kills} × kill -9 of the leader: no write acknowledged for ` +
        `${summary.medianMs} ms (median), ${summary.maxMs} ms (max); lost ${summary.lost}`,
    );
    summaries.push(summary);
  }
  return summaries;
}

async function main(): Promise<void> {
  if (flags.help) {
    process.stdout.write(`${HELP}\n`);
    return;
  }
  const clusters: Start[] = [startRaftd, ...chosenPeers()];
  const wanted = new Set(flags.only.split(','));
  const rows = wanted.has('throughput') ? await throughput([...clusters, startFloor]) : [];
  const report: Report = {
    rows,
    ratios: ratiosOf(rows),
    syncs: wanted.has('syncs') ? await syncs(clusters) : [],
    failovers: wanted.has('failover') ? await failovers(clusters) : [],
  };
  say('\nmedian of the rounds');
  for (const row of rows) say(describeRow(row));
  for (const [name, ratio] of Object.entries(report.ratios)) say(`${name.padEnd(36)} ${ratio}`);
  process.stdout.write(flags.json ? `${JSON.stringify(report)}\n` : '');
}

await main();
