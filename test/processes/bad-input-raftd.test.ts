import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { connect } from '@raftd/client';
import { type LocalCluster, startCluster } from '@raftd/scripts';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { leaderOf, run } from '../src/index.js';

let cluster: LocalCluster;
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'raftd-bad-'));
  cluster = await startCluster({ nodes: 3 });
  await leaderOf(cluster);
});

afterAll(async () => {
  // Whatever was thrown at it: the cluster still serves.
  await using client = await connect(cluster.endpoints);
  await client.put('after', 'all');
  expect((await client.get('after'))?.valueText).toBe('all');
  await cluster.stop();
  await rm(scratch, { recursive: true, force: true });
});

const peers = (): string => cluster.ids.map((id) => `${id}=${cluster.address(id)}`).join(',');

const three = 'n1=127.0.0.1:29001,n2=127.0.0.1:29002,n3=127.0.0.1:29003';

test.each<{ name: string; args: string[]; says: RegExp }>([
  { name: 'an unknown flag', args: ['--no-such-flag'], says: /no-such-flag/ },
  { name: 'an unknown value of --reads', args: ['--reads', 'fast'], says: /reads.*quorum.*lease/s },
  { name: '--peers without addresses', args: ['--id', 'n1', '--peers', 'n1,n2'], says: /--peers/ },
  {
    name: '--peers with a port out of range',
    args: ['--id', 'n1', '--peers', 'n1=127.0.0.1:70000'],
    says: /--peers.*70000/s,
  },
  {
    name: '--peers that names a node twice',
    args: ['--id', 'n1', '--peers', 'n1=127.0.0.1:1,n1=127.0.0.1:2'],
    says: /--peers.*n1/s,
  },
  { name: 'an id that is not in --peers', args: ['--id', 'n9', '--peers', three], says: /n9/ },
  { name: '--peers without --id', args: ['--peers', three], says: /--id/ },
  { name: 'a duration without a unit', args: ['--heartbeat', '50'], says: /heartbeat.*50ms/s },
  {
    name: 'an election timeout below the heartbeat',
    args: ['--heartbeat', '500ms', '--election-timeout', '100ms'],
    says: /election-timeout/,
  },
])('raftd refuses $name with exit code 2 and names it', async ({ args, says }) => {
  const { code, stderr } = await run('raftd', [...args, '--data-dir', join(scratch, 'usage')]);
  expect(stderr).toMatch(says);
  expect(code).toBe(2);
});

test('an unknown key in the configuration file is refused with a suggestion', async () => {
  const file = join(scratch, 'config.json');
  await writeFile(file, JSON.stringify({ heartbaet: '50ms' }));
  const { code, stderr } = await run('raftd', ['--config', file]);
  expect(stderr).toMatch(/heartbaet.*heartbeat/s);
  expect(code).toBe(2);
});

test('a port in use ends raftd with exit code 10 and names the address', async () => {
  const address = cluster.address('n1');
  const directory = join(scratch, 'port');
  const args = ['--id', 'x1', '--peers', `x1=${address}`, '--data-dir', directory];
  const { code, stderr } = await run('raftd', args);
  expect(stderr).toContain(address);
  expect(code).toBe(10);
});

test('a second process on one data directory ends with exit code 10 and names it', async () => {
  const directory = cluster.dataDirectory('n1');
  const args = ['--id', 'n1', '--peers', 'n1=127.0.0.1:29011', '--data-dir', directory];
  const { code, stderr } = await run('raftd', args);
  expect(stderr).toContain(directory);
  expect(code).toBe(10);
});

test('a data directory that cannot be written ends raftd with exit code 12', async () => {
  const file = join(scratch, 'a-file');
  await writeFile(file, 'not a directory');
  const directory = join(file, 'n1.raftd');
  const args = ['--id', 'n1', '--peers', 'n1=127.0.0.1:29012', '--data-dir', directory];
  const { code, stderr } = await run('raftd', args);
  expect(stderr).toContain(directory);
  expect(code).toBe(12);
});

test('the data directory of another node is refused with exit code 13', async () => {
  await cluster.kill('n2');
  const directory = cluster.dataDirectory('n2');
  const args = ['--id', 'n3', '--peers', peers(), '--listen', '127.0.0.1:29013'];
  const { code, stderr } = await run('raftd', [...args, '--data-dir', directory]);
  expect(stderr).toMatch(/n2/);
  expect(code).toBe(13);
  await cluster.startNode('n2');
});

test('a data directory of another cluster is refused with exit code 13', async () => {
  const foreign = await startCluster({ nodes: 1, directory: join(scratch, 'foreign') });
  await leaderOf(foreign);
  await foreign.kill('n1', 'SIGTERM');
  await cluster.kill('n1');
  const directory = foreign.dataDirectory('n1');
  const args = ['--id', 'n1', '--peers', peers(), '--data-dir', directory];
  const { code, stderr } = await run('raftd', args);
  expect(stderr).toMatch(/cluster/);
  expect(code).toBe(13);
  await cluster.startNode('n1');
});

test('an emptied data directory under an old identity is refused with exit code 13', async () => {
  await cluster.kill('n3');
  const directory = join(scratch, 'emptied');
  const args = ['--id', 'n3', '--peers', peers(), '--data-dir', directory];
  const { code, stderr } = await run('raftd', args);
  expect(stderr).toMatch(/--rejoin/);
  expect(code).toBe(13);
  await cluster.startNode('n3');
});
