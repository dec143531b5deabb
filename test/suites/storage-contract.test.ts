import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { NodeId } from '@raftd/raft';
import { SimulatedDisk, SimulatedStore } from '@raftd/sim';
import type { StorageError } from '@raftd/storage';
import { MemoryStore, openLevelStorage } from '@raftd/storage';
import { storageContract } from './storage-contract.js';

const root = mkdtempSync(join(tmpdir(), 'raftd-contract-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

storageContract('in memory', () => {
  let store = new MemoryStore('first-life');
  return {
    open: async () => {
      store = new MemoryStore('another-life', store.loaded());
      return { store, loaded: store.loaded() };
    },
  };
});

let places = 0;
storageContract('on LevelDB', () => {
  places += 1;
  const directory = join(root, `${places}`);
  return {
    open: () =>
      openLevelStorage({ directory, nodeId: 'n1' as NodeId, incarnation: () => 'first-life' }),
  };
});

storageContract('simulated', () => {
  const disk = new SimulatedDisk();
  return {
    open: async () => {
      const store = new SimulatedStore<StorageError>(disk, {
        incarnation: 'first-life',
        later: (complete) => setImmediate(complete),
      });
      return { store, loaded: store.load() };
    },
  };
});
