import { expect, test } from 'vitest';
import { Cluster } from './cluster.js';

test('three nodes elect a leader by time alone, commit and apply everywhere', () => {
  const cluster = new Cluster(['a', 'b', 'c']);
  cluster.advance(400);
  expect(cluster.leaders()).toEqual(['a']);
  for (let i = 0; i < 10; i += 1) cluster.propose('a');
  cluster.advance(100);
  for (const node of cluster.nodes.values()) {
    expect(node.applied.map((entry) => entry.index)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(node.disk.entries.length).toBe(11);
  }
});

test('a single node leads at once and commits only what its own disk holds (R-079)', () => {
  const cluster = new Cluster(['a']);
  cluster.advance(5);
  expect(cluster.leaders()).toEqual(['a']);
  cluster.hangDisk('a');
  cluster.propose('a');
  expect(cluster.node('a').commitIndex).toBe(1);
  cluster.fixDisk('a');
  cluster.settle();
  expect(cluster.node('a').commitIndex).toBe(2);
  expect(cluster.node('a').applied.length).toBe(2);
});
