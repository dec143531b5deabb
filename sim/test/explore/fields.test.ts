import { describe, expect, it } from 'vitest';
import { ClusterScope } from '../../src/explore/cluster/cluster-scope.js';
import type { ClusterState } from '../../src/explore/cluster/cluster-state.js';
import { factsOf } from '../../src/explore/cluster/facts.js';
import type { KnownNode } from '../../src/explore/cluster/node-space.js';
import { keyOf, LEFT_OUT, TIMERS } from '../../src/explore/cluster/state-key.js';
import type { ClusterBounds } from '../../src/explore/index.js';
import { preVoteBounds, replicationBounds, StateWriter } from '../../src/explore/index.js';

/** Criterion B9: two states that a rule can tell apart are never taken for one. */

const WORLDS: readonly ClusterBounds[] = [
  ...replicationBounds('ci').map((bounds) => ({ ...bounds, slowWritesMax: 2 })),
  ...preVoteBounds('ci'),
];

/** Some states along ways that take another turn at each step. */
function statesOf(scope: ClusterScope): readonly ClusterState[] {
  const states: ClusterState[] = [];
  for (let way = 0; way < 40; way += 1) {
    let state = scope.initial();
    for (let step = 0; step < 14; step += 1) {
      const nexts: ClusterState[] = [];
      scope.successors(state, (_label, next) => nexts.push(next));
      const next = nexts[(way * 7 + step * step) % Math.max(1, nexts.length)];
      if (next === undefined) break;
      state = next;
    }
    states.push(state);
  }
  return states;
}

function writingOf(scope: ClusterScope, state: ClusterState): string {
  const writer = new StateWriter();
  scope.encode(state, writer);
  return Array.from({ length: writer.length }, (_, at) => writer.at(at)).join(' ');
}

type Flip = (state: ClusterState, other: ClusterState) => ClusterState;

const FLIPS: Readonly<Record<keyof ClusterState, Flip>> = {
  nodes: (state, other) => ({ ...state, nodes: [...state.nodes.slice(0, -1), lastOf(other)] }),
  sent: (state) => ({ ...state, sent: state.sent.slice(0, -1) }),
  votes: (state) => ({ ...state, votes: [...state.votes, 1, 0, 0] }),
  leaders: (state) => ({ ...state, leaders: [...state.leaders, 2] }),
  committed: (state) => ({
    ...state,
    committed: [...state.committed, { code: 1, committedIn: 1 }],
  }),
  crashes: (state) => ({ ...state, crashes: state.crashes.map((count) => count + 1) }),
  slowWrites: (state) => ({ ...state, slowWrites: state.slowWrites + 1 }),
  campaigns: (state) => ({ ...state, campaigns: state.campaigns + 1 }),
  values: (state) => ({ ...state, values: state.values + 1 }),
  beats: (state) => ({ ...state, beats: state.beats + 1 }),
  silences: (state) => ({ ...state, silences: state.silences + 1 }),
  broken: (state) => ({ ...state, broken: { invariant: 'S0', sentence: '' } }),
};

function lastOf(state: ClusterState): number {
  return state.nodes.at(-1) ?? -1;
}

describe('the writing of a cluster state', () => {
  for (const bounds of WORLDS) {
    it(`changes with each field, in the world "${bounds.name}"`, () => {
      const scope = new ClusterScope(bounds);
      const states = statesOf(scope);
      const flipped = new Map<string, number>();
      for (const [at, state] of states.entries()) {
        const other = states[(at + 5) % states.length] ?? state;
        for (const [field, flip] of Object.entries(FLIPS)) {
          if (field === 'nodes' && lastOf(other) === lastOf(state)) continue;
          if (field === 'sent' && state.sent.length === 0) continue;
          expect(writingOf(scope, flip(state, other)), field).not.toBe(writingOf(scope, state));
          flipped.set(field, (flipped.get(field) ?? 0) + 1);
        }
      }
      expect(flipped.size).toBe(Object.keys(FLIPS).length);
    });
  }

  it('changes with each word of what was committed and of who voted for whom', () => {
    const [bounds] = WORLDS;
    if (bounds === undefined) throw new Error('there is no world');
    const scope = new ClusterScope(bounds);
    const state: ClusterState = {
      ...scope.initial(),
      votes: [1, 1, 3],
      leaders: [0, 1],
      committed: [{ code: 256, committedIn: 1 }],
    };
    const others: readonly ClusterState[] = [
      { ...state, votes: [1, 1, 1] },
      { ...state, leaders: [0, 2] },
      { ...state, leaders: [1, 0] },
      { ...state, committed: [{ code: 257, committedIn: 1 }] },
      { ...state, committed: [{ code: 256, committedIn: 2 }] },
    ];
    const writings = [state, ...others].map((one) => writingOf(scope, one));
    expect(new Set(writings).size).toBe(writings.length);
  });
});

/** The same plain data with one leaf changed, for each leaf: where it is, and the whole. */
function* altered(value: unknown, path: string): Generator<readonly [string, unknown]> {
  if (typeof value === 'number') yield* [[path, value + 1] as const, [path, value - 1] as const];
  else if (typeof value === 'string') yield [path, value === 'n1' ? 'n2' : 'n1'];
  else if (typeof value === 'boolean') yield [path, !value];
  else if (value === undefined) yield [path, 1];
  else if (value instanceof Uint8Array) yield [path, Uint8Array.of(99)];
  else if (Array.isArray(value)) yield* alteredList(value, path);
  else if (typeof value === 'object' && value !== null) yield* alteredFields(value, path);
}

function* alteredList(
  list: readonly unknown[],
  path: string,
): Generator<readonly [string, unknown]> {
  yield [`${path}.length`, [...list, 77]];
  for (const [at, element] of list.entries()) {
    for (const [inner, changed] of altered(element, `${path}[${at}]`)) {
      yield [inner, list.with(at, changed)];
    }
  }
}

function* alteredFields(fields: object, path: string): Generator<readonly [string, unknown]> {
  for (const [field, content] of Object.entries(fields)) {
    if (LEFT_OUT.has(field) || TIMERS.has(field) || typeof content === 'function') continue;
    for (const [inner, changed] of altered(content, `${path}.${field}`)) {
      yield [inner, { ...fields, [field]: changed }];
    }
  }
}

/** Nodes of all roles, with and without a write under way. */
function nodesOf(bounds: ClusterBounds): readonly KnownNode[] {
  const scope = new ClusterScope(bounds);
  const numbers = new Set(statesOf(scope).flatMap(({ nodes }) => nodes));
  return [...numbers].map((number) => scope.space.node(number));
}

describe('the key of a node state', () => {
  it('changes with each leaf of the core, of the disk and of the write under way', () => {
    const flipped = new Set<string>();
    for (const { core, disk, pending } of WORLDS.flatMap(nodesOf)) {
      const context = { names: new Map<string, string>(), nowMs: core.state.nowMs, oldMs: 2 };
      // A copy has no spent positions in its windows, which count for nothing.
      const { state } = core.fork();
      for (const [name, part] of Object.entries({ core: state, disk, pending })) {
        const key = keyOf(part, context);
        const same = new Map<string, boolean>();
        for (const [path, changed] of altered(part, name)) {
          same.set(path, (same.get(path) ?? true) && keyOf(changed, context) === key);
          flipped.add(path.replace(/\[\d+\]/g, '[]'));
        }
        // How old an old contact is does not count, and of an empty window nothing is spent.
        const missed = [...same].filter(([path, isSame]) => isSame && !LOOSE.test(path));
        expect(missed).toEqual([]);
      }
    }
    for (const path of LEAVES) expect(flipped).toContain(path);
  });

  it('tells apart who shares a hard state from who has an equal one', () => {
    const [node] = nodesOf(replicationBounds('small')[0] ?? failed());
    const state = node?.core.state ?? failed();
    const context = { names: new Map<string, string>(), nowMs: state.nowMs, oldMs: 2 };
    const unshared = { ...state, hardState: { ...state.hardState } };
    expect(keyOf(unshared, context)).not.toBe(keyOf(state, context));
  });

  it('leaves out nothing that a rule reads', () => {
    const read = new Set<string>();
    for (const node of WORLDS.flatMap(nodesOf)) {
      const core = { state: watched(node.core.state, read) };
      factsOf({ ...node, core: core as KnownNode['core'] });
    }
    const isLeftOut = (field: string): boolean => LEFT_OUT.has(field) || TIMERS.has(field);
    // Who the voters are, how long a timeout is and what time it is: the same for equal keys.
    expect([...read].filter(isLeftOut).toSorted()).toEqual(['membership', 'nowMs', 'options']);
    expect(read).toContain('commitIndex');
  });
});

/** Leaves that may differ between states which behave alike. */
const LOOSE = /\.(contactMs|inflight\.head)$/;

/** Some leaves that must have been met, so that the test above is not empty. */
const LEAVES = [
  'core.commitIndex',
  'core.hardState.votedFor',
  'core.log.entries[].payload',
  'core.persistence.inFlight.claimIndex',
  'core.persistence.durableIndex',
  'core.role.progress[].match',
  'core.role.progress[].flow.sent',
  'core.role.leader.contactMs',
  'core.role.leader.matchedIndex',
  'core.role.granted[]',
  'disk.hardState.term',
  'disk.entries[].term',
  'pending.write.entries[].index',
];

function watched<Plain extends object>(plain: Plain, read: Set<string>): Plain {
  return new Proxy(plain, {
    get: (target, field, receiver): unknown => {
      if (typeof field === 'string') read.add(field);
      const content: unknown = Reflect.get(target, field, receiver);
      if (typeof content !== 'object' || content === null || Array.isArray(content)) return content;
      return watched(content, read);
    },
  });
}

function failed(): never {
  throw new Error('there is nothing to look at');
}
