import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { type LocalCluster, startCluster } from '@raftd/scripts';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { leaderOf, type Ran, run } from '../src/index.js';

let cluster: LocalCluster;
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'raftctl-'));
  cluster = await startCluster({ nodes: 3 });
  await leaderOf(cluster);
});

afterAll(async () => {
  await cluster.stop();
  await rm(scratch, { recursive: true, force: true });
});

const raftctl = (...args: readonly string[]): Promise<Ran> => {
  return run('raftctl', args, { environment: { RAFTD_ENDPOINTS: cluster.endpoints } });
};

async function json<Document>(...args: readonly string[]): Promise<Document> {
  const { code, stdout, stderr } = await raftctl('-o', 'json', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Document;
}

test('status shows every node, one of them the leader, in the documented JSON', async () => {
  const status = await json<{ leader: string; nodes: Record<string, unknown>[] }>('status');
  expect(status.nodes.map(({ id }) => id)).toEqual(['n1', 'n2', 'n3']);
  expect(status.nodes.filter(({ role }) => role === 'leader')).toHaveLength(1);
  const keys = ['id', 'address', 'reachable', 'role', 'term', 'commitIndex'];
  expect(Object.keys(status.nodes[0] ?? {})).toEqual([...keys, 'appliedIndex', 'lag', 'version']);
  expect((await raftctl('status')).stdout).toMatch(/NODE +ADDRESS +ROLE/);
});

test('status still answers, with exit code 0, when one node is down', async () => {
  await cluster.kill('n3');
  const { nodes } = await json<{ nodes: { id: string; reachable: boolean }[] }>('status');
  expect(nodes.find(({ id }) => id === 'n3')?.reachable).toBe(false);
  await cluster.startNode('n3');
});

test('put, get, range and delete do what they say and share one JSON shape', async () => {
  expect(await json('put', 'jobs/1', 'one')).toMatchObject({ version: 1 });
  const record = await json<object>('get', 'jobs/1');
  expect(record).toMatchObject({ key: 'jobs/1', value: 'one', version: 1, lease: null });
  await json('put', 'jobs/2', 'two');
  const records = await json<object[]>('range', '--prefix', 'jobs/');
  expect(records).toMatchObject([{ key: 'jobs/1' }, { key: 'jobs/2' }]);
  expect((await raftctl('get', 'jobs/2')).stdout).toBe('two\n');
  expect(await json('delete', 'jobs/1')).toEqual({ deleted: 1 });
  expect((await raftctl('get', 'jobs/1')).code).toBe(3);
  expect((await raftctl('delete', 'jobs/1')).code).toBe(3);
  expect(await json('delete', '--prefix', 'jobs/')).toEqual({ deleted: 1 });
});

test('a transaction that compares runs one branch; exit code 4 when it is the other', async () => {
  const file = join(scratch, 'txn.json');
  const create = {
    compare: [{ key: 'once', target: 'version', operator: '=', operand: 0 }],
    then: [{ type: 'put', key: 'once', value: 'first' }],
    else: [{ type: 'get', key: 'once' }],
  };
  await writeFile(file, JSON.stringify(create));
  expect((await raftctl('txn', file)).code).toBe(0);
  const again = await raftctl('-o', 'json', 'txn', file);
  expect(again.code).toBe(4);
  expect(JSON.parse(again.stdout)).toMatchObject({
    succeeded: false,
    results: [{ type: 'get', record: { value: 'first' } }],
  });
  await writeFile(file, JSON.stringify({ then: [{ type: 'explode' }] }));
  const malformed = await raftctl('txn', file);
  expect(malformed.code).toBe(2);
  expect(malformed.stderr).toContain('type');
});

test('a lease is granted, shown, renewed and revoked with the keys it carries', async () => {
  const { lease } = await json<{ lease: string }>('lease', 'grant', '--ttl', '30s');
  await json('put', 'leased', 'value', '--lease', lease);
  expect(await json('lease', 'show', lease)).toMatchObject({ lease, ttlMs: 30_000, keys: 1 });
  expect(await json('lease', 'renew', lease)).toMatchObject({ ttlMs: 30_000, ending: false });
  expect(await json<object[]>('lease', 'list')).toHaveLength(1);
  expect(await json('lease', 'revoke', lease)).toMatchObject({ outcome: 'revoked' });
  expect((await raftctl('get', 'leased')).code).toBe(3);
  expect((await raftctl('lease', 'renew', lease)).code).toBe(3);
  expect((await raftctl('lease', 'show', lease)).code).toBe(3);
});

/** A command that goes on: its JSON lines as they come. */
function stream(...args: readonly string[]): {
  next: () => Promise<Record<string, unknown>>;
  interrupt: () => Promise<number | null>;
  /** Reads no more, as `head` does; how it ends once there is something to write. */
  leave: (cause: () => Promise<unknown>) => Promise<number | null>;
} {
  const bin = fileURLToPath(new URL('../bin/raftctl.js', import.meta.resolve('@raftd/cli')));
  const all = [bin, '--endpoints', cluster.endpoints, '-o', 'json', ...args];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exit = once(child, 'exit') as Promise<[number | null]>;
  return {
    next: async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>,
    leave: async (cause) => {
      child.stdout.destroy();
      await cause();
      return (await exit)[0];
    },
    interrupt: async () => {
      child.kill('SIGINT');
      return (await exit)[0];
    },
  };
}

test('a stream whose reader leaves ends in peace', async () => {
  const put = (): Promise<{ revision: number }> => json('put', 'left', 'a');
  const { revision } = await put();
  const watch = stream('watch', 'left', '--from', String(revision));
  expect(await watch.next()).toMatchObject({ type: 'put', key: 'left', revision });
  expect(await watch.leave(put)).toBe(0);
});

test('campaign, show, observe, guarded writes, fence advance and resign tell one story', async () => {
  const observer = stream('election', 'observe', 'story');
  expect(await observer.next()).toMatchObject({ election: 'story', leader: null });
  const campaign = stream('election', 'campaign', 'story', '--id', 'me', '--metadata', 'rack 7');
  const granted = await campaign.next();
  const token = String(granted.token);
  expect(granted).toMatchObject({ event: 'granted', candidate: 'me' });
  expect(await observer.next()).toMatchObject({ leader: { candidate: 'me', token } });
  const shown = await json<{ leader: { metadata: string } }>('election', 'show', 'story');
  expect(shown).toMatchObject({ election: 'story', queue: [], paused: false, leader: { token } });
  expect(shown.leader.metadata).toBe('rack 7');

  expect((await raftctl('put', 'cursor', '1', '--guard', `story:${token}`)).code).toBe(0);
  const stale = await raftctl('put', 'cursor', '2', '--guard', `story:${BigInt(token) - 1n}`);
  expect(stale.code).toBe(4);
  expect(stale.stderr).toMatch(new RegExp(`FENCED|${token}`));
  expect((await raftctl('fence', 'advance', 'ledger', 'story', token)).code).toBe(0);
  const above = String(BigInt(token) + 1_000n);
  expect((await raftctl('fence', 'advance', 'ledger', 'story', above)).code).toBe(2);

  expect(await campaign.interrupt()).toBe(0);
  expect(await observer.next()).toMatchObject({ leader: null });
  expect((await raftctl('put', 'cursor', '3', '--guard', `story:${token}`)).code).toBe(4);
  expect((await raftctl('fence', 'advance', 'ledger', 'story', token)).code).toBe(4);
  expect(await observer.interrupt()).toBe(0);
  expect(await json<object[]>('election', 'ls', 'sto')).toHaveLength(1);
  expect((await raftctl('election', 'show', 'never')).code).toBe(3);
});

test('watch prints each change of a prefix once, in order, from the revision asked', async () => {
  const { revision } = await json<{ revision: number }>('put', 'seen/1', 'a');
  const watch = stream('watch', '--prefix', 'seen/', '--from', String(revision));
  expect(await watch.next()).toMatchObject({ type: 'put', key: 'seen/1', value: 'a', revision });
  await json('put', 'seen/2', 'b');
  await json('delete', 'seen/1');
  expect(await watch.next()).toMatchObject({ type: 'put', key: 'seen/2' });
  expect(await watch.next()).toMatchObject({ type: 'delete', key: 'seen/1', reason: 'user' });
  expect(await watch.interrupt()).toBe(0);
});

test('bytes that are no UTF-8 appear as base64', async () => {
  const file = join(scratch, 'binary.json');
  const value = { base64: '/wA=' };
  await writeFile(file, JSON.stringify({ then: [{ type: 'put', key: 'binary', value }] }));
  await json('txn', file);
  expect(await json('get', 'binary')).toMatchObject({ value });
});

test.each<{ name: string; args: string[]; code: number; says: RegExp }>([
  { name: 'an unknown flag', args: ['get', 'k', '--fast'], code: 2, says: /--fast/ },
  { name: 'an unknown command', args: ['gett', 'k'], code: 2, says: /gett/ },
  { name: 'an unknown output', args: ['-o', 'xml', 'status'], code: 2, says: /xml.*table.*json/s },
  {
    name: 'a bare number as duration',
    args: ['lease', 'grant', '--ttl', '5'],
    code: 2,
    says: /500ms/,
  },
  {
    name: 'a lease TTL below the limit',
    args: ['lease', 'grant', '--ttl', '1ms'],
    code: 2,
    says: /ttl.*500/is,
  },
  { name: 'an empty prefix', args: ['delete', '--prefix', ''], code: 2, says: /every key/ },
  {
    name: 'a duration no timer runs',
    args: ['--timeout', '597h', 'status'],
    code: 2,
    says: /596h/,
  },
  { name: 'an unknown lease', args: ['put', 'k', 'v', '--lease', 'none'], code: 3, says: /none/ },
  { name: 'a malformed guard', args: ['put', 'k', 'v', '--guard', 'x'], code: 2, says: /--guard/ },
  { name: 'an oversize key', args: ['put', 'k'.repeat(4_097), 'v'], code: 2, says: /key.*4096/is },
  {
    name: 'a malformed token',
    args: ['fence', 'advance', 'r', 'e', '-1'],
    code: 2,
    says: /-1|TOKEN/,
  },
])('raftctl refuses $name, naming it', async ({ args, code, says }) => {
  const ran = await raftctl(...args);
  expect(ran.stderr).toMatch(says);
  expect(ran.code).toBe(code);
});

test('an interrupt ends a call that waits, as shells say it', async () => {
  const silent = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const bin = fileURLToPath(new URL('../bin/raftctl.js', import.meta.resolve('@raftd/cli')));
  const args = [bin, '--endpoints', `ws://127.0.0.1:${port}`, '--timeout', '60s', 'get', 'k'];
  const waiting = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [socket] = (await once(silent, 'connection')) as [Socket];
  waiting.kill('SIGINT');
  const [code] = (await once(waiting, 'exit')) as [number | null];
  expect(code).toBe(130);
  socket.destroy();
  silent.close();
});

test('an unreachable cluster is exit code 5 within the time-out', async () => {
  const args = ['--endpoints', 'ws://127.0.0.1:9', '--timeout', '500ms', 'get', 'k'];
  const { code, stderr } = await run('raftctl', args);
  expect(stderr).toMatch(/127\.0\.0\.1:9/);
  expect(code).toBe(5);
});
