import { type ClientCommand, commandCodec, type LeaseId, utf8ByteString } from '@raftd/protocol';
import { DEFAULT_LIMITS } from '@raftd/raft';
import { beforeEach, expect, test } from 'vitest';
import { DEFAULT_SERVER_LIMITS } from '../src/index.js';
import { stamp, type TestClient, TestCluster, type TestNode } from './test-cluster.js';
import { VirtualTime } from './virtual-time.js';

const MIB = 1024 * 1024;
const lease = 'l' as LeaseId;

let time: VirtualTime;
let leader: TestNode;
let client: TestClient;
let sequence: number;

/** A leader with as many uncommitted bytes as it takes, and followers whose disks stand still. */
beforeEach(() => {
  time = new VirtualTime();
  const cluster = new TestCluster(time, 3, {
    limits: { ...DEFAULT_SERVER_LIMITS, proposalTimeoutMs: 100_000 },
  });
  leader = cluster.start();
  for (const node of cluster.others(leader)) node.disk.frozen = true;
  client = cluster.client(leader);
  sequence = 0;
  const put: ClientCommand = {
    type: 'put',
    key: utf8ByteString('a'),
    value: new Uint8Array(MIB),
    lease: undefined,
    guards: [],
  };
  for (let at = 0; at < DEFAULT_LIMITS.uncommittedBytesMax / MIB - 1; at += 1) send(put);
});

function send(command: ClientCommand): number {
  sequence += 1;
  const logged = { stamp: stamp(sequence), command };
  const [id] = client.send({ type: 'command', payload: commandCodec.encode(logged), logged });
  return id ?? 0;
}

/** Undefined: it was taken and waits for its quorum. */
function refusalOf(command: ClientCommand): string | undefined {
  const request = send(command);
  time.settle();
  return client.errorTo(request)?.code;
}

const large: ClientCommand = {
  type: 'put',
  key: utf8ByteString('b'),
  value: new Uint8Array(MIB),
  lease: undefined,
  guards: [],
};

test('with too much uncommitted, writes are refused; renewals and what gives back pass', () => {
  expect(refusalOf(large)).toBe('OVERLOADED');
  const renewals = Array.from({ length: 30_000 }, (_, at) => {
    return { lease: `lease-${at}-${'x'.repeat(20)}` as LeaseId, attempt: 1 };
  });
  expect(refusalOf({ type: 'lease-renew', renewals })).toBeUndefined();
  expect(refusalOf({ type: 'lease-grant', lease, ttlMs: 1_000 })).toBe('OVERLOADED');
  expect(refusalOf({ type: 'lease-revoke', lease })).toBeUndefined();
  const campaign = { election: 'e', lease, campaignId: 'c' as never };
  expect(refusalOf({ type: 'withdraw', ...campaign })).toBeUndefined();
  expect(refusalOf({ type: 'session-close' })).toBeUndefined();
});

test('what the machine wants proposed passes too', () => {
  expect(refusalOf(large)).toBe('OVERLOADED');
  const payload = new Uint8Array(MIB + 1);
  leader.machine.due = () => [payload];
  time.advance(20);
  expect(leader.disk.entries.at(-1)?.payload).toBe(payload);
});
