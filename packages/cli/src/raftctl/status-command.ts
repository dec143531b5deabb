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
      { cluster: cluster ?? null, leader: leader ?? null, nodes: nodes.map(jsonNode) },
      ['NODE', 'ADDRESS', 'ROLE', 'TERM', 'COMMIT', 'APPLIED', 'LAG', 'VERSION'],
      nodes.map(rowOf),
    );
    if (leader === undefined) throw new ExitError(EXIT.unavailable, 'the cluster has no leader');
  });
}

function jsonNode(node: NodeReport): object {
  const { id = null, address, reachable } = node;
  if (!node.reachable) {
    const unknown = { role: null, term: null, commitIndex: null, appliedIndex: null };
    return { id, address, reachable, ...unknown, lag: null, version: null };
  }
  const { role, term, commitIndex, appliedIndex, lag, version } = node;
  return { id, address, reachable, role, term, commitIndex, appliedIndex, lag, version };
}

function rowOf(node: NodeReport): Cell[] {
  if (!node.reachable) return [node.id, node.address, 'unreachable'];
  const { role, term, commitIndex, appliedIndex, lag, version } = node;
  return [node.id, node.address, role, term, commitIndex, appliedIndex, lag, version];
}
