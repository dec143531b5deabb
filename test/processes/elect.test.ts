import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { type Client, connect } from '@raftd/client';
import { type LocalCluster, startCluster } from '@raftd/scripts';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { isRunning, leaderOf, parentOf, run } from '../src/index.js';

const BIN = fileURLToPath(new URL('../bin/raftctl.js', import.meta.resolve('@raftd/cli')));
const EXIT_GRANT_LOST = 120;
const EXIT_WAIT_PASSED = 121;
const EXIT_UNREACHABLE = 122;

let cluster: LocalCluster;
let client: Client;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 3 });
  await leaderOf(cluster);
  client = await connect(cluster.endpoints);
});

afterAll(async () => {
  await client.close();
  await cluster.stop();
});

/** Ignores SIGTERM, forks a grandchild that does too, and says both process ids and its token. */
const STUBBORN =
  'trap "" TERM; bash -c \'trap "" TERM; while :; do sleep 0.05; done\' & ' +
  'echo "$$ $! $RAFTD_TOKEN $RAFTD_ELECTION $RAFTD_HOLDER"; while :; do sleep 0.05; done';

interface Elected {
  readonly raftctl: ChildProcess;
  readonly pids: readonly number[];
  readonly token: bigint;
  readonly exit: Promise<number | null>;
}

async function elect(election: string, ttl: string): Promise<Elected> {
  const args = ['--endpoints', cluster.endpoints, 'elect', election, '--ttl', ttl];
  const command = ['--', 'bash', '-c', STUBBORN];
  const raftctl = spawn(process.execPath, [BIN, ...args, ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(raftctl, 'exit').then(([code]) => code as number | null);
  const [line] = (await once(raftctl.stdout, 'data')) as [Buffer];
  const [child, grandchild, token, name, holder] = line.toString().trim().split(' ');
  expect(name).toBe(election);
  const leader = (await client.election(election).show())?.leader;
  expect(leader?.token).toBe(BigInt(token ?? ''));
  expect(leader?.holder).toBe(holder);
  return { raftctl, pids: [Number(child), Number(grandchild)], token: BigInt(token ?? ''), exit };
}

/** The next grant; at that very moment nothing of the old process group may run. */
async function expectGoneAtNextGrant(election: string, elected: Elected): Promise<void> {
  const next = await client.election(election).campaign({ candidate: 'next', ttlMs: 3_000 });
  const running = elected.pids.filter(isRunning);
  expect(running).toEqual([]);
  expect(next.token).toBeGreaterThan(elected.token);
  await next.resign();
}

test('a stubborn child and its grandchild are gone before the next grant when raftctl is frozen', async () => {
  const elected = await elect('frozen', '2s');
  expect(elected.pids.every(isRunning)).toBe(true);
  elected.raftctl.kill('SIGSTOP');
  await expectGoneAtNextGrant('frozen', elected);
  elected.raftctl.kill('SIGCONT');
  expect(await elected.exit).toBe(EXIT_GRANT_LOST);
});

test('a stubborn child and its grandchild are gone before the next grant when raftctl is killed', async () => {
  const elected = await elect('killed', '2s');
  elected.raftctl.kill('SIGKILL');
  await expectGoneAtNextGrant('killed', elected);
});

test('a stubborn child and its grandchild are gone before the next grant when the lease is revoked', async () => {
  const elected = await elect('revoked', '4s');
  const lease = (await client.election('revoked').show())?.leader?.lease;
  const { outcome } = await client.revokeLease(lease ?? '');
  expect(outcome).toBe('ending');
  await expectGoneAtNextGrant('revoked', elected);
  expect(await elected.exit).toBe(EXIT_GRANT_LOST);
});

test('a stubborn child and its grandchild are gone before the next grant when raftctl is told to stop', async () => {
  const elected = await elect('stopped', '2s');
  elected.raftctl.kill('SIGTERM');
  await expectGoneAtNextGrant('stopped', elected);
  expect(await elected.exit).not.toBe(0);
});

const raftctl = (args: readonly string[]): ReturnType<typeof run> => {
  return run('raftctl', ['--endpoints', cluster.endpoints, ...args]);
};

test('a stubborn child and its grandchild are ended by raftctl itself when the watchdog is frozen', async () => {
  const elected = await elect('watchdog', '2s');
  const [child = 0] = elected.pids;
  process.kill(parentOf(child), 'SIGSTOP');
  const lease = (await client.election('watchdog').show())?.leader?.lease;
  await client.revokeLease(lease ?? '');
  await expectGoneAtNextGrant('watchdog', elected);
  expect(await elected.exit).toBe(EXIT_GRANT_LOST);
});

test('a command killed by a signal gives 128 + its number', async () => {
  const { code } = await raftctl(['elect', 'signal', '--', 'sh', '-c', 'kill -SEGV $$']);
  expect(code).toBe(139);
});

test("elect passes on its command's exit code and resigns at once", async () => {
  const { code } = await raftctl(['elect', 'code', '--ttl', '20s', '--', 'sh', '-c', 'exit 42']);
  expect(code).toBe(42);
  expect((await client.election('code').show())?.leader).toBeUndefined();
});

test('elect ends what its command left behind before it resigns', async () => {
  const script = 'sleep 600 & echo $!';
  const { code, stdout } = await raftctl(['elect', 'left', '--', 'sh', '-c', script]);
  expect(code).toBe(0);
  expect(isRunning(Number(stdout.trim()))).toBe(false);
});

test('elect gives up with 121 when --wait passes, and leaves no candidate behind', async () => {
  const holder = await client.election('busy').campaign({ candidate: 'holder', ttlMs: 10_000 });
  const { code } = await raftctl(['elect', 'busy', '--wait', '300ms', '--', 'true']);
  expect(code).toBe(EXIT_WAIT_PASSED);
  expect((await client.election('busy').show())?.queue).toEqual([]);
  await holder.resign();
});

test('elect ends with 122 when the cluster cannot be reached', async () => {
  const args = ['--endpoints', 'ws://127.0.0.1:9', '--timeout', '500ms'];
  const { code } = await run('raftctl', [...args, 'elect', 'nobody', '--', 'true']);
  expect(code).toBe(EXIT_UNREACHABLE);
});

test('elect ends with 2 when its command cannot be started, and resigns at once', async () => {
  const args = ['elect', 'missing', '--ttl', '60s', '--', '/no/such/command'];
  const { code, stderr } = await raftctl(args);
  expect(stderr).toContain('/no/such/command');
  expect(code).toBe(2);
  expect((await client.election('missing').show())?.leader).toBeUndefined();
});
