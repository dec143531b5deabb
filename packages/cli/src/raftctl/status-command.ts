import type { NodeReport } from '@raftd/client';
import type { Command } from 'commander';

import type { Cell } from './table.js';
import { type GlobalOptions, withSession } from './session.js';
import { EXIT } from '../exit-codes.js';
import { ExitError } from './exit.js';

export function addStatusCommand(program: Command, globals: () => GlobalOptions): void {
  program
    .command('status')
    .description('every node: role, term, commit, applied, lag; exit code 5 without a leader')
    .action(() => status(globals()));
}

function status(globals: GlobalOptions): Promise<void> {
  return withSession(globals, async ({ client, output }) => {
    const { cluster, leader, nodes } = await client.status();
    output.rows(
      { cluster, leader: leader ?? null, nodes: nodes.map(jsonNode) },
      ['NODE', 'ADDRESS', 'ROLE', 'TERM', 'COMMIT', 'APPLIED', 'LAG', 'VERSION'],
      nodes.map(rowOf),
    );
    if (leader === undefined) throw new ExitError(EXIT.unavailable, 'the cluster has no leader');
  });
}

function jsonNode(node: NodeReport): object {
  const { id, address, reachable } = node;
  return {
    id,
    address,
    reachable,
    role: node.role ?? null,
    term: node.term ?? null,
    commitIndex: node.commitIndex ?? null,
    appliedIndex: node.appliedIndex ?? null,
    lag: node.lag ?? null,
    version: node.version ?? null,
  };
}

function rowOf(node: NodeReport): Cell[] {
  return [
    node.id,
    node.address,
    node.reachable ? node.role : 'unreachable',
    node.term,
    node.commitIndex,
    node.appliedIndex,
    node.lag,
    node.version,
  ];
}
