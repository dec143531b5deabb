import type { LogIndex } from '@raftd/raft';
import type { RaftNode } from '../world/node.js';
import type { World } from '../world/world.js';

/** How a node outside the core stays broken, for ever. */
export type Breakage = 'down' | 'frozen' | 'isolated' | 'mute' | 'deaf';

export interface Convergence {
  /** By position; at most a minority, or there is nothing to demand. */
  readonly broken: ReadonlyMap<number, Breakage>;
  /** Election timeouts (at their longest) within which the core must have a leader. */
  readonly timeoutsMax: number;
}

export interface Converged {
  /** Election timeouts (at their longest) from the healing to a leader that has committed. */
  readonly timeoutsToLeader: number;
}

/** Election timeouts for which nothing may happen, once all is well. */
const CALM_TIMEOUTS = 10;

/** A cluster that ought to make progress and does not. Not a safety failure: a stall. */
export class Stalled extends Error {
  constructor(sentence: string) {
    super(`stalled: ${sentence}`);
    this.name = 'Stalled';
  }
}

/**
 * Liveness mode: the core is healed and left alone, every other failure is permanent, and then
 * progress is demanded in bounded time. Healing everything would hide what the rest can do to
 * the core (a node that hears nothing and campaigns for ever).
 * @throws {Stalled}
 */
export function converge(world: World, { broken, timeoutsMax }: Convergence): Converged {
  const core = world.nodes.filter((_, position) => !broken.has(position));
  if (core.length * 2 <= world.nodes.length) throw new Error('the core must be a quorum');
  heal(world, core, broken);

  const healedMs = world.trueMs;
  const timeoutMs = 2 * world.profile.electionTimeoutMs;
  advanceUntil(world, timeoutsMax * timeoutMs, () => leaderOf(core) !== undefined);
  const leader = leaderOf(core);
  if (leader === undefined) throw new Stalled(`no leader in ${timeoutsMax} election timeouts`);
  const timeoutsToLeader = (world.trueMs - healedMs) / timeoutMs;

  const before = leader.view?.commitIndex ?? 0;
  world.propose(leader, 16);
  advanceUntil(world, timeoutsMax * timeoutMs, () => isLevel(core, (before + 1) as LogIndex));
  if (!isLevel(core, (before + 1) as LogIndex)) {
    throw new Stalled(`logs differ after ${timeoutsMax} election timeouts: ${describe(core)}`);
  }
  expectCalm(world, core, CALM_TIMEOUTS * timeoutMs);
  return { timeoutsToLeader };
}

function heal(world: World, core: readonly RaftNode[], broken: Convergence['broken']): void {
  world.heal();
  world.becomeCalm();
  for (const [position, node] of world.nodes.entries()) {
    node.thaw({ timersFirst: true });
    world.restart(node);
    const breakage = broken.get(position);
    if (breakage !== undefined) breakNode(world, node, breakage);
  }
  if (core.length === 0) throw new Error('a world without a core');
}

function breakNode(world: World, node: RaftNode, breakage: Breakage): void {
  if (breakage === 'down') world.crash(node, 0);
  if (breakage === 'frozen') node.freeze();
  for (const other of world.nodes) {
    if (other === node) continue;
    if (breakage === 'isolated' || breakage === 'mute') world.cut(node, other, 'drop');
    if (breakage === 'isolated' || breakage === 'deaf') world.cut(other, node, 'drop');
  }
}

/** Lets time pass in heartbeats until `reached`, at most `limitMs`. */
function advanceUntil(world: World, limitMs: number, reached: () => boolean): void {
  const endMs = world.trueMs + limitMs;
  while (world.trueMs < endMs && !reached()) world.advance(world.profile.heartbeatMs);
}

/** The core's leader, once it has committed something of its own term. */
function leaderOf(core: readonly RaftNode[]): RaftNode | undefined {
  return core.find((node) => {
    const { view } = node;
    return view?.role === 'leader' && node.log.termAt(view.commitIndex) === view.term;
  });
}

function isLevel(core: readonly RaftNode[], commitMin: LogIndex): boolean {
  const [first] = core;
  if (first?.view === undefined) return false;
  const { lastIndex, commitIndex } = first.view;
  const chain = first.log.chainAt(lastIndex);
  return core.every(({ view, log, disk }) => {
    if (view === undefined || view.commitIndex < commitMin) return false;
    const isSettled = view.commitIndex === lastIndex && view.appliedIndex === lastIndex;
    const isSame = view.lastIndex === lastIndex && log.chainAt(lastIndex) === chain;
    return isSettled && isSame && disk.lastIndex === lastIndex && commitIndex === lastIndex;
  });
}

/** L2: nothing happens to a cluster that nothing happens to; S32: its queues run empty. */
function expectCalm(world: World, core: readonly RaftNode[], ms: number): void {
  const terms = core.map(({ view }) => view?.term);
  world.advance(ms);
  for (const [at, { id, view }] of core.entries()) {
    if (view?.term !== terms[at]) throw new Stalled(`${id} changed its term without a cause`);
    if (view === undefined || view.pendingReads > 0 || view.heldMessages > 0) {
      throw new Stalled(`${id} has reads or messages waiting for nothing`);
    }
  }
}

function describe(core: readonly RaftNode[]): string {
  const parts = core.map(({ id, view }) => {
    const role = view?.role ?? 'down';
    const indexes = `${view?.appliedIndex ?? 0}/${view?.commitIndex ?? 0}/${view?.lastIndex ?? 0}`;
    return `${id} ${role} term ${view?.term ?? 0} ${indexes}`;
  });
  return parts.join('; ');
}
