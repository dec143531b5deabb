import { styleText } from 'node:util';

import { connect } from '@raftd/client';

import { startCluster } from '../cluster/local-cluster.js';
import type { LedgerSummary } from './ledger-api.js';
import { CUSTOMERS, type Half, tellHalf } from './story.js';

interface DemoReport {
  readonly unfenced: Pick<LedgerSummary, 'charges' | 'doubleCharges'>;
  readonly fenced: LedgerSummary;
  /** Every token granted, in order of grant, over both runs. */
  readonly tokens: readonly string[];
  readonly failoverMs: number;
}

const json = process.argv.includes('--json');
const out = json ? process.stderr : process.stdout;
const say = (line: string): boolean => out.write(`  ${line}\n`);
const title = (line: string): boolean => out.write(`\n${styleText('bold', line)}\n`);

/** Remembers every grant of the election, in order, until the signal aborts. */
async function recordTokens(endpoints: string, signal: AbortSignal): Promise<string[]> {
  await using client = await connect(endpoints);
  const tokens: string[] = [];
  try {
    for await (const { leader } of client.election('billing').observe({ signal })) {
      const token = leader === undefined ? undefined : String(leader.token);
      if (token !== undefined && token !== tokens.at(-1)) tokens.push(token);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return tokens;
}

function tellLedger(half: Half): void {
  const { charges, doubleCharges, rejectedStaleWrites } = half.summary;
  const colour = doubleCharges > 0 ? 'red' : 'green';
  const verdict = `${charges} charges for ${CUSTOMERS} customers, ${doubleCharges} charged twice`;
  say(styleText(colour, `The ledger in the morning: ${verdict}.`));
  if (rejectedStaleWrites > 0) say(`Stale writes refused: ${rejectedStaleWrites}.`);
}

async function main(): Promise<DemoReport> {
  await using cluster = await startCluster({ nodes: 3 });
  const finished = new AbortController();
  const recording = recordTokens(cluster.endpoints, finished.signal);
  say('Three raftd processes run, three billing workers campaign, one ledger keeps the charges.');
  title('First night: a ledger that takes every write');
  const unfenced = await tellHalf(cluster.endpoints, 'open', say);
  tellLedger(unfenced);
  title('Second night: the same workers, the same freeze, a ledger behind @raftd/fencing/level');
  const fenced = await tellHalf(cluster.endpoints, 'fenced', say);
  tellLedger(fenced);
  finished.abort();
  const tokens = await recording;
  title('What made the difference');
  say(`Each election hands out a higher token: ${tokens.join(' < ')}.`);
  say('The guarded ledger keeps the highest it has seen, in the same write, and refuses the rest.');
  const { charges, doubleCharges } = unfenced.summary;
  return {
    unfenced: { charges, doubleCharges },
    fenced: fenced.summary,
    tokens,
    failoverMs: fenced.failoverMs,
  };
}

const report = await main();
if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
