import type { Exploration } from '../explore/scope.js';
import { ClusterScope } from '../explore/cluster/cluster-scope.js';
import { electionBounds } from '../explore/elections.js';
import { explore } from '../explore/explore.js';
import { leaseScope } from '../explore/lease/lease-scope.js';
import { preVoteBounds } from '../explore/prevote.js';
import { replicationBounds } from '../explore/replication.js';
import type { StormEngine } from '../replay/engine.js';

/** A bug may make a scope endless. */
const LIMITS = { statesMax: 4_000_000 };

interface StormDoor {
  readonly planStorm: StormEngine['plan'];
  readonly runStorm: StormEngine['run'];
}

export async function loadEngine(): Promise<StormEngine> {
  const path = ['../storm/planner/plan-storm', '../storm/run'].map((name) => `${name}.js`);
  const [planner, runner] = (await Promise.all(path.map((name) => import(name)))) as StormDoor[];
  if (planner === undefined || runner === undefined) throw new Error('no storm');
  return { plan: planner.planStorm, run: runner.runStorm };
}

/** The search of a scope at the size of every change. */
export async function loadSearch(scope: string): Promise<() => Exploration> {
  switch (scope) {
    case 'elections':
      return () => explore(new ClusterScope(electionBounds('ci')), LIMITS);
    case 'prevote':
      return () => explore(new ClusterScope(preVoteBounds('ci')), LIMITS);
    case 'replication':
      return () => explore(new ClusterScope(replicationBounds('ci')), LIMITS);
    case 'lease':
      return () => explore(leaseScope(), LIMITS);
    default:
      throw new RangeError(`no scope is called ${scope}`);
  }
}
