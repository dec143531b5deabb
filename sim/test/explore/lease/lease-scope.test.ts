import type { CommandCodec, FencingToken } from '@raftd/coordinator';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../src/explore/explore.js';
import type { LeaseConfig, LeaseMachine } from '../../../src/explore/lease/lease-config.js';
import { leaseScope } from '../../../src/explore/lease/lease-scope.js';
import type { LeaseState } from '../../../src/explore/lease/lease-state.js';
import { StateWriter } from '../../../src/explore/state-writer.js';
import {
  DenyingMachine,
  lying,
  MovedByQuestions,
  OwnerlessMachine,
  RevivingMachine,
  UnconditionalMachine,
  UnguardedMachine,
} from './broken-machine.js';

function broken(machine: new (codec: CommandCodec) => LeaseMachine): Partial<LeaseConfig> {
  return { createMachine: (codec) => new machine(codec) };
}

const SMALL: Partial<LeaseConfig> = { horizon: 3, renewers: 0 };

describe('the lease scope', () => {
  it('ends without a violation, with as many states as ever, past the dangers it is for', () => {
    const scope = leaseScope([
      { ...SMALL, asksUntil: 0, leaderChangesMax: 1 },
      { ...SMALL, asksUntil: 1, pausesMax: 1, writers: 1 },
    ]);
    const { states, exhausted, violations } = explore(scope);
    expect({ exhausted, violations }).toEqual({ exhausted: true, violations: [] });
    expect(scope.sightings.count('stale-write-refused-by-key')).toBeGreaterThan(0);
    expect(scope.sightings.count('expiry-before-its-time')).toBeGreaterThan(0);
    expect(scope.sightings.count('promoted-in-the-ending-entry')).toBeGreaterThan(0);
    expect(states).toBe(38_576);
  });

  it.each<{ invariant: string; mistake: string; bounds: Partial<LeaseConfig> }>([
    {
      invariant: 'L1',
      mistake: 'a token is granted twice',
      bounds: {
        createMachine: lying((events) =>
          events.map((event) =>
            event.type === 'granted'
              ? { ...event, leader: { ...event.leader, token: 1n as FencingToken } }
              : event,
          ),
        ),
      },
    },
    {
      invariant: 'L2',
      mistake: 'a successor is granted beside the holder',
      bounds: {
        createMachine: lying((events) => {
          const isHandOver = events.some(({ type }) => type === 'granted');
          return isHandOver ? events.filter(({ type }) => type !== 'ended') : events;
        }),
      },
    },
    {
      invariant: 'L3',
      mistake: 'the guard of a write is not asked when it is applied',
      bounds: { ...broken(UnguardedMachine), writers: 1 },
    },
    {
      invariant: 'L3',
      mistake: 'a resource takes every token',
      bounds: { mistake: 'resource-unguarded', writers: 2 },
    },
    {
      invariant: 'L4',
      mistake: 'a deadline counts from receipt',
      bounds: { mistake: 'deadline-from-receipt' },
    },
    {
      invariant: 'L5',
      mistake: 'a question changes the state',
      bounds: broken(MovedByQuestions),
    },
    {
      invariant: 'L6',
      mistake: 'an expiry is not conditional on the renewal',
      bounds: { ...broken(UnconditionalMachine), renewers: 1, horizon: 4, asksUntil: 0 },
    },
    {
      invariant: 'L7',
      mistake: 'the next leader counts from ahead of the last stamp',
      bounds: { mistake: 'leader-clock-ahead', leaderChangesMax: 1 },
    },
    {
      invariant: 'L7',
      mistake: 'a stranger ends a lease like its owner',
      bounds: { ...broken(OwnerlessMachine), foreignEndsMax: 1 },
    },
    {
      invariant: 'L8',
      mistake: 'a renewal revives a lease',
      bounds: { ...broken(RevivingMachine), renewers: 1, asksUntil: 0 },
    },
    {
      invariant: 'L9',
      mistake: 'a grant is not told',
      bounds: { createMachine: lying((events) => events.filter(({ type }) => type !== 'granted')) },
    },
    {
      invariant: 'C10',
      mistake: 'a renewal is told that its lease is over',
      bounds: { ...broken(DenyingMachine), renewers: 1 },
    },
  ])('$invariant: finds that $mistake', ({ invariant, bounds }) => {
    const { violations } = explore(leaseScope([{ ...SMALL, ...bounds }]));
    expect(violations.map((found) => found.invariant)).toEqual([invariant]);
    expect(violations[0]?.trace.length).toBeGreaterThan(0);
  });

  it('L4: finds that drift eats the margin, before anything happens', () => {
    const { violations } = explore(leaseScope([{ ...SMALL, mistake: 'slow-clock-unnoticed' }]));
    expect(violations).toMatchObject([{ invariant: 'L4', trace: [] }]);
  });

  it('promises no exclusion where no clock is to be trusted, but tokens all the same', () => {
    for (const outside of [
      { clocks: 'beyond' },
      { pauseShowsOn: 'neither', pausesMax: 1 },
    ] as const) {
      const scope = leaseScope([{ ...SMALL, ...outside, asksUntil: 1 }]);
      expect(explore(scope).violations).toEqual([]);
      expect(scope.sightings.count('two-believe')).toBeGreaterThan(0);
    }
  });

  it('writes every field of a state', () => {
    const scope = leaseScope([{ ...SMALL, leaderChangesMax: 1 }]);
    const state = scope.initial();
    const other = successor(scope, state, 'lease-grant of A is applied');
    const variants: Partial<LeaseState>[] = [
      { variant: 1 },
      { isInitial: false },
      { step: 1 },
      { machine: other.machine },
      { leader: { type: 'none' } },
      { leader: { type: 'second', behind: 1 } },
      { decided: { payloads: [], text: 'expiry' } },
      { clients: other.clients },
      { extendedAt: [0, -1] },
      { resource: 1 },
      { duplicates: 1 },
      { pauses: 1 },
      { leaderChanges: 1 },
      { foreignEnds: 1 },
      { broken: { invariant: 'L1', sentence: 'x' } },
    ];
    const written = variants.map((changed) => writing({ ...state, ...changed }));
    expect(new Set([writing(state), ...written]).size).toBe(variants.length + 1);

    function writing(shown: LeaseState): string {
      const writer = new StateWriter();
      scope.encode(shown, writer);
      return Array.from({ length: writer.length }, (_, at) => writer.at(at)).join();
    }
  });
});

function successor(
  scope: ReturnType<typeof leaseScope>,
  state: LeaseState,
  wanted: string,
): LeaseState {
  let found: LeaseState | undefined;
  scope.successors(state, (label, next) => {
    if (label() === wanted) found = next;
  });
  if (found === undefined) throw new Error(`nothing is called ${wanted}`);
  return found;
}
