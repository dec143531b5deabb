import { randomBytes } from 'node:crypto';

import type { LeaseRecord } from '@raftd/protocol';
import type { Command } from 'commander';

import { jsonLease } from './records.js';
import { type GlobalOptions, withSession } from './session.js';
import { EXIT } from '../exit-codes.js';
import { durationMs, ExitError } from './exit.js';

export function addLeaseCommands(program: Command, globals: () => GlobalOptions): void {
  const lease = program.command('lease').description('leases: what grants and keys live on');
  lease
    .command('grant')
    .description('grant a lease and print its id; renew it or it ends')
    .option('--ttl <DURATION>', 'how long it lives without a renewal', durationMs, 10_000)
    .option('--id <ID>', 'its id; random otherwise')
    .action((options: { ttl: number; id?: string }) => grant(options, globals()));
  lease
    .command('renew <ID>')
    .description('renew a lease once')
    .action((id: string) => renew(id, globals()));
  lease
    .command('revoke <ID>')
    .description('end a lease with its keys and grants')
    .action((id: string) => revoke(id, globals()));
  lease
    .command('list')
    .description('all leases')
    .action(() => list(globals()));
  lease
    .command('show <ID>')
    .description('one lease; exit code 3 when there is none')
    .action((id: string) => show(id, globals()));
}

function grant(options: { ttl: number; id?: string }, globals: GlobalOptions): Promise<void> {
  const id = options.id ?? randomBytes(16).toString('hex');
  return withSession(globals, async ({ client, output }) => {
    const { ttlMs } = await client.grantLease({ id, ttlMs: options.ttl });
    output.value({ lease: id, ttlMs }, `${id} (${ttlMs} ms)`);
  });
}

function renew(id: string, globals: GlobalOptions): Promise<void> {
  return withSession(globals, async ({ client, output }) => {
    const { ttlMs, ending } = await client.renewLease(id);
    output.value({ lease: id, ttlMs, ending }, `${id} (${ttlMs} ms${ending ? ', ending' : ''})`);
    if (ending) throw new ExitError(EXIT.refused, `lease ${id} is ending and cannot be renewed`);
  });
}

function revoke(id: string, globals: GlobalOptions): Promise<void> {
  return withSession(globals, async ({ client, output }) => {
    const { outcome, waitMs } = await client.revokeLease(id);
    const wait = `its grants are refused from now on; successors wait at most ${waitMs} ms`;
    output.value({ lease: id, outcome, waitMs }, outcome === 'ending' ? wait : 'revoked');
  });
}

const HEADINGS = ['LEASE', 'TTL MS', 'REMAINING MS', 'KEYS', 'GRANTS', 'ENDING'];

const rowOf = (lease: LeaseRecord): (string | number | boolean)[] => [
  lease.lease,
  lease.ttlMs,
  lease.remainingMs,
  lease.keys,
  lease.grants.map(({ election }) => election).join(',') || '-',
  lease.ending,
];

function list(globals: GlobalOptions): Promise<void> {
  return withSession(globals, async ({ client, output }) => {
    const { leases } = await client.listLeases();
    output.rows(leases.map(jsonLease), HEADINGS, leases.map(rowOf));
  });
}

function show(id: string, globals: GlobalOptions): Promise<void> {
  return withSession(globals, async ({ client, output }) => {
    const lease = await client.showLease(id);
    if (lease === undefined) throw new ExitError(EXIT.notFound, `lease ${id} does not exist`);
    output.rows(jsonLease(lease), HEADINGS, [rowOf(lease)]);
  });
}
