import {
  type ByteString,
  type ClientCommand,
  Coordinator,
  type LoggedCommand,
  type SessionId,
} from '@raftd/coordinator';
import { describe, expect, it } from 'vitest';
import { MachineCluster, type MachineClusterOptions } from '../../src/machines/machine-cluster.js';
import { SMALL_SETTINGS } from '../../src/machines/run-machines.js';

const CURSORS_KEPT = 64;

function start(options: Partial<MachineClusterOptions> = {}): MachineCluster {
  const cluster = new MachineCluster({ profile: {}, settings: SMALL_SETTINGS, ...options });
  cluster.advanceUntilLed();
  cluster.proposeDue(1, 0);
  cluster.world.advance(50);
  return cluster;
}

function stamped(sequence: number, command: ClientCommand): LoggedCommand {
  const session = 'writer' as SessionId;
  return { stamp: { session, openedAtMs: 1, sequence, mark: sequence }, command };
}

function put(sequence: number, key: string): LoggedCommand {
  const operation = { key: key as ByteString, value: new Uint8Array(1), lease: undefined };
  return stamped(sequence, { type: 'put', ...operation, guards: [] });
}

describe('the feature level of a cluster', () => {
  it('is raised once by the leader, and by no machine that knows it already', () => {
    const cluster = start({
      createMachine: (codec) => new Coordinator({ codec, featureLevelMax: 2 }),
    });
    const machines = cluster.world.nodes.map((node) => cluster.machineOf(node));
    expect(machines.map((machine) => machine.featureLevel)).toEqual([1, 1, 1]);
    for (const machine of machines) {
      expect(machine.raiseFeatureLevel(1)).toBeUndefined();
      expect(machine.raiseFeatureLevel(2)).toBeDefined();
    }
    const raise = { type: 'raise-feature-level', level: 2 } as const;
    cluster.propose({ stamp: undefined, command: raise });
    cluster.world.advance(200);
    expect(machines.map((machine) => machine.featureLevel)).toEqual([2, 2, 2]);
    for (const machine of machines) expect(machine.raiseFeatureLevel(2)).toBeUndefined();
  });

  it('is not spoken of before the cluster is initialized', () => {
    const cluster = new MachineCluster({ profile: {}, settings: SMALL_SETTINGS });
    cluster.advanceUntilLed();
    for (const node of cluster.world.nodes) {
      expect(cluster.machineOf(node).raiseFeatureLevel(2)).toBeUndefined();
    }
  });

  it('stops a machine that does not know it, rather than let it guess', () => {
    const cluster = start();
    cluster.propose({ stamp: undefined, command: { type: 'raise-feature-level', level: 2 } });
    expect(() => cluster.world.advance(200)).toThrow(/needs feature level 2.*upgrade/);
  });
});

describe('the pages of many readers', () => {
  it('are kept for the last of them; whoever was idle for longest must start again', () => {
    const cluster = start();
    const [node] = cluster.world.nodes;
    if (node === undefined) throw new Error('a world without nodes');
    const machine = cluster.machineOf(node);
    const cursors: string[] = [];
    for (let sequence = 1; sequence <= CURSORS_KEPT + 6; sequence += 1) {
      cluster.propose(put(sequence, `k${sequence % 2}`));
      cluster.world.advance(50);
      const page = machine.query({
        type: 'range',
        start: '' as ByteString,
        end: undefined,
        limit: 1,
      });
      if (page.type === 'range' && page.cursor !== undefined) cursors.push(page.cursor);
    }
    const types = cursors.map((cursor) => machine.query({ type: 'range-next', cursor }).type);
    const gone = cursors.length - CURSORS_KEPT;
    expect(gone).toBeGreaterThan(0);
    expect(types.slice(0, gone)).toEqual(Array<string>(gone).fill('cursor-expired'));
    expect(types.slice(gone)).toEqual(Array<string>(CURSORS_KEPT).fill('range'));
  });
});
