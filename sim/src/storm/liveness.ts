import type { ClientCrew } from './client-crew.js';
import type { StormCluster } from './cluster.js';
import { type CoreMember, leaderOfCore, progressOf } from './core-leader.js';
import { addressOf } from './node/node-surroundings.js';
import type { StormNode } from './node/storm-node.js';
import { aroundOf, cutLinks } from './perform-network.js';
import type { LastingBreakage, LivenessPlan } from './plan.js';
import type { StormProfile } from './profile.js';

/** A healthy core has this many election time-outs to elect: their base, T of [T, 2T). */
const ELECTIONS_MAX = 10;
/** All calls have deadlines and all work has an end: this long after the heal nothing is open. */
const SETTLE_MS = 180_000;
/** Once nobody writes, the nodes of the core are equal again within this. */
const CONVERGE_MS = 10_000;
/** Then all that is in the log has reached every open watch. Clients ask a silent node first. */
const SHOWN_MS = 60_000;
/** How often the state of things is looked at; events in between cost nothing. */
const LOOK_EVERY_MS = 20;

/** Lets the storm go on to a moment of true time; false: it failed meanwhile. */
export type Advance = (toMs: number) => Promise<boolean>;

export interface LivenessRun {
  readonly cluster: StormCluster;
  readonly crew: ClientCrew;
  readonly profile: StormProfile;
  readonly plan: LivenessPlan;
  readonly advance: Advance;
  readonly leaderChanges: () => number;
  /** Some open watch lacks something that was in the log when the core had converged. */
  readonly isUnshown: () => boolean;
  /** The core has a leader, so many election time-outs after it was healed. */
  readonly elected: (elections: number) => void;
  readonly fail: (checker: string, sentence: string) => void;
}

/**
 * What must happen once a majority is healthy, whatever the rest does: a leader, an end to every
 * call, equal replicas, and then calm.
 */
export async function demandLiveness(run: LivenessRun): Promise<void> {
  const { cluster, profile } = run;
  if (!(await form(run))) return;
  healCore(run);
  const healedMs = cluster.trueMs;
  const electionMs = profile.electionTimeoutMs;
  const before = progressOf(membersOf(run));
  const leads = (): boolean => leaderOfCore(membersOf(run), before) !== undefined;
  const unled = 'no leader that the whole core follows commits';
  if (!(await waitFor(run, ELECTIONS_MAX * electionMs, leads, unled))) return;
  run.elected((cluster.trueMs - healedMs) / electionMs);
  const settled = (): boolean => run.crew.isIdle;
  const open = (): string => `calls are still open: ${run.crew.pending().join(', ')}`;
  if (!(await waitFor(run, SETTLE_MS, settled, open))) return;
  if (!(await waitFor(run, CONVERGE_MS, () => isConverged(run), 'the core does not converge'))) {
    return;
  }
  demandEqualStates(run);
  if (!(await demandShown(run))) return;
  const changes = run.leaderChanges();
  if (!(await run.advance(cluster.trueMs + 2 * ELECTIONS_MAX * electionMs))) return;
  if (run.leaderChanges() === changes) return;
  run.fail('liveness', 'the core changed its leader though nothing was wrong with it');
}

/**
 * A cluster that has not formed needs every node once (DESIGN 4, bootstrap). A storm that began
 * before it formed first gives it the time to.
 */
async function form(run: LivenessRun): Promise<boolean> {
  const { cluster } = run;
  const hasFormed = (): boolean =>
    cluster.nodes.every(({ disk, isDoomed }) => disk.hasIdentity || isDoomed);
  if (hasFormed()) return true;
  cluster.network.links.heal();
  cluster.observe({ type: 'rewired', cuts: [] });
  for (const node of cluster.nodes) repair(node);
  return waitFor(run, CONVERGE_MS, hasFormed, 'the cluster does not form', 'links were mended');
}

function healCore({ cluster, crew, plan }: LivenessRun): void {
  const core = coreOf(cluster, plan);
  cluster.observe({ type: 'phase', phase: 'liveness', core: core.map(({ id }) => id) });
  for (const { node, how } of plan.broken) breakForGood(cluster, cluster.nth(node), how);
  const { links } = cluster.network;
  for (const from of core) for (const to of core) links.mend(from.position, to.position);
  cluster.observe({ type: 'rewired', cuts: [] });
  cluster.network.becomeCalm(plan.core);
  for (const node of core) repair(node);
  crew.heal(core.map(({ id }) => addressOf(id)));
}

function coreOf(cluster: StormCluster, plan: LivenessPlan): readonly StormNode[] {
  return plan.core.map((position) => cluster.nth(position));
}

function repair(node: StormNode): void {
  node.disk.heal();
  node.thaw({ timersFirst: false });
  node.start();
}

function breakForGood(cluster: StormCluster, node: StormNode, how: LastingBreakage): void {
  switch (how) {
    case 'down':
      node.crash('nothing');
      return;
    case 'frozen':
      node.freeze();
      return;
    case 'isolated':
      cutLinks(cluster, aroundOf(cluster, node, 'both'));
      return;
    case 'mute':
      cutLinks(cluster, aroundOf(cluster, node, 'out'));
      return;
    case 'deaf':
      cutLinks(cluster, aroundOf(cluster, node, 'in'));
      return;
  }
}

function membersOf({ cluster, plan }: LivenessRun): readonly CoreMember[] {
  return coreOf(cluster, plan).map(({ id, view, log }) => {
    return { id, view, commitTerm: view && log.termAt(view.commitIndex) };
  });
}

/** All of the core have applied the whole of one log. */
function isConverged({ cluster, plan }: LivenessRun): boolean {
  const [first, ...others] = coreOf(cluster, plan);
  if (first?.view === undefined) return false;
  const { lastIndex, term } = first.view;
  const isAt = ({ view, log }: StormNode): boolean =>
    view?.term === term &&
    view.lastIndex === lastIndex &&
    view.appliedIndex === lastIndex &&
    log.chainAt(lastIndex) === first.log.chainAt(lastIndex);
  return isAt(first) && others.every(isAt);
}

/** Equal logs must have made equal states (L5): whatever apply read beside the log shows here. */
function demandEqualStates({ cluster, plan, fail }: LivenessRun): void {
  const hashes = coreOf(cluster, plan).map(({ id, machine }) => {
    machine?.checkInvariants();
    return { id, hash: machine?.stateHash() };
  });
  const [first, ...others] = hashes;
  for (const { id, hash } of others) {
    if (hash === first?.hash) continue;
    fail('L5', `${id} has another state than ${first?.id ?? ''} after the same log`);
  }
}

/** What is in the log reaches everybody who watches it, whatever node he watches it from. */
async function demandShown(run: LivenessRun): Promise<boolean> {
  const { cluster, crew } = run;
  cluster.observe({ type: 'phase', phase: 'converged' });
  const endMs = cluster.trueMs + SHOWN_MS;
  while (run.isUnshown() && cluster.trueMs < endMs) {
    if (!(await run.advance(Math.min(endMs, cluster.trueMs + LOOK_EVERY_MS)))) return false;
  }
  // Whoever has not been shown it by now is found by the checker that knows what is missing.
  cluster.observe({ type: 'phase', phase: 'all-shown' });
  crew.endWatches();
  const open = (): string => `watches do not end: ${crew.pending().join(', ')}`;
  return waitFor(run, SETTLE_MS, () => crew.isIdle, open);
}

async function waitFor(
  run: LivenessRun,
  limitMs: number,
  isReached: () => boolean,
  complaint: string | (() => string),
  since = 'the core was healed',
): Promise<boolean> {
  const endMs = run.cluster.trueMs + limitMs;
  while (!isReached()) {
    const nowMs = run.cluster.trueMs;
    if (nowMs >= endMs) {
      const sentence = typeof complaint === 'string' ? complaint : complaint();
      run.fail('liveness', `${sentence}, ${limitMs} ms after ${since}`);
      return false;
    }
    if (!(await run.advance(Math.min(endMs, nowMs + LOOK_EVERY_MS)))) return false;
  }
  return true;
}
