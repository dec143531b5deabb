import type { ElectionRecord } from '@raftd/protocol';
import type { Command } from 'commander';

import { candidateName } from './elect/candidate.js';
import type { Output } from './output.js';
import { jsonElection, jsonLeader } from './records.js';
import { type GlobalOptions, withSession, withStream } from './session.js';
import { EXIT } from '../exit-codes.js';
import { durationMs, ExitError } from './exit.js';

export function addElectionCommands(program: Command, globals: () => GlobalOptions): void {
  const election = program.command('election').description('who may act, and who waits');
  election
    .command('ls [PREFIX]')
    .description('all elections, or those whose name begins with PREFIX')
    .action((prefix: string | undefined) => list(prefix ?? '', globals()));
  election
    .command('show <NAME>')
    .description('leader, token and queue; exit code 3 when nobody ever campaigned')
    .action((name: string) => show(name, globals()));
  election
    .command('observe <NAME>')
    .description('print the leader now and at every change, until interrupted')
    .action((name: string) => observe(name, globals()));
  election
    .command('campaign <NAME>')
    .description('campaign, hold the leadership until interrupted, then resign')
    .option('--id <ID>', 'name of the candidate; host, process and chance otherwise')
    .option('--ttl <DURATION>', 'lease of the candidate', durationMs, 10_000)
    .option('--metadata <TEXT>', 'kept in the leader record', '')
    .action((name: string, options: CampaignOptions) => campaign(name, options, globals()));
  election
    .command('resign <NAME>')
    .description('end the grant shown now, or exactly the one named by --holder')
    .option('--holder <ID>', 'holder as shown by `election show`')
    .action((name: string, options: { holder?: string }) => resign(name, options, globals()));
}

interface CampaignOptions {
  readonly id?: string;
  readonly ttl: number;
  readonly metadata: string;
}

const HEADINGS = ['ELECTION', 'LEADER', 'TOKEN', 'HOLDER', 'WAITING'];

const rowOf = ({ election, leader, queue }: ElectionRecord): (string | number)[] => [
  election,
  leader?.candidate ?? 'vacant',
  leader?.token.toString() ?? '-',
  leader?.holder ?? '-',
  queue.length,
];

function list(prefix: string, globals: GlobalOptions): Promise<void> {
  return withSession(globals, async ({ client, output }) => {
    const { elections } = await client.listElections({ prefix });
    output.rows(elections.map(jsonElection), HEADINGS, elections.map(rowOf));
  });
}

function show(name: string, globals: GlobalOptions): Promise<void> {
  return withSession(globals, async ({ client, output }) => {
    const record = await client.election(name).show();
    if (record === undefined) {
      throw new ExitError(EXIT.notFound, `election '${name}' does not exist`);
    }
    output.rows(jsonElection(record), HEADINGS, [rowOf(record)]);
  });
}

function observe(name: string, globals: GlobalOptions): Promise<void> {
  return withStream(globals, async ({ client, output, signal }) => {
    for await (const { leader, revision } of client.election(name).observe({ signal })) {
      output.value(
        { election: name, revision, leader: leader === undefined ? null : jsonLeader(leader) },
        leader === undefined ? 'vacant' : `${leader.candidate} leads with token ${leader.token}`,
      );
    }
  });
}

function campaign(name: string, options: CampaignOptions, globals: GlobalOptions): Promise<void> {
  return withStream(globals, async ({ client, output, signal }) => {
    const leadership = await client.election(name).campaign({
      candidate: candidateName(options.id),
      ttlMs: options.ttl,
      metadata: Buffer.from(options.metadata),
      signal,
    });
    const { candidate, holder, lease, token } = leadership;
    tell(output, name, { event: 'granted', candidate, holder, lease, token: token.toString() });
    await new Promise((resolve) => {
      leadership.signal.addEventListener('abort', resolve, { once: true });
    });
    if (signal.aborted) {
      await leadership.resign();
      tell(output, name, { event: 'resigned', token: token.toString() });
      return;
    }
    throw new ExitError(EXIT.refused, (leadership.signal.reason as Error).message);
  });
}

function tell(output: Output, election: string, event: Readonly<Record<string, string>>): void {
  const words = Object.entries(event).map(([name, value]) => {
    return name === 'event' ? value : `${name} ${value}`;
  });
  output.value({ election, ...event }, words.join('  '));
}

function resign(
  name: string,
  options: { readonly holder?: string },
  globals: GlobalOptions,
): Promise<void> {
  return withSession(globals, async ({ client, output }) => {
    const record = await client.election(name).show();
    const { leader } = record ?? {};
    if (leader === undefined || (options.holder ?? leader.holder) !== leader.holder) {
      throw new ExitError(EXIT.notFound, `no such grant of election '${name}' is current`);
    }
    const { outcome, waitMs } = await client.election(name).withdraw(leader.lease, leader.holder);
    const wait = `refused from now on; the successor waits at most ${waitMs} ms`;
    output.value(
      { election: name, holder: leader.holder, outcome, waitMs },
      outcome === 'ending' ? wait : outcome,
    );
  });
}
