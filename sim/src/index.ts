export type { History, Invariant, InvariantId } from './invariants/invariant.js';
export { emptyHistory, InvariantBroken } from './invariants/invariant.js';
export type { Bounds } from './invariants/bounded.js';
export { acknowledgedDurable } from './invariants/acknowledged-durable.js';
export { appliedAlike } from './invariants/applied-alike.js';
export { appliedInOrder } from './invariants/applied-in-order.js';
export { bounded } from './invariants/bounded.js';
export { commitDurable } from './invariants/commit-durable.js';
export { commitMonotonic } from './invariants/commit-monotonic.js';
export { commitOwnTerm } from './invariants/commit-own-term.js';
export { committedImmutable } from './invariants/committed-immutable.js';
export { durableBeforeSent } from './invariants/durable-before-sent.js';
export { electionQuorum } from './invariants/election-quorum.js';
export { electionSafety } from './invariants/election-safety.js';
export { leaderAppendOnly } from './invariants/leader-append-only.js';
export { leaderCompleteness } from './invariants/leader-completeness.js';
export { leaderStartsClean } from './invariants/leader-starts-clean.js';
export { leaseCovered } from './invariants/lease-covered.js';
export { leaseExclusive } from './invariants/lease-exclusive.js';
export { logMatching } from './invariants/log-matching.js';
export { logOrdered } from './invariants/log-ordered.js';
export { preVoteHarmless } from './invariants/pre-vote-harmless.js';
export { progressTrue } from './invariants/progress-true.js';
export { promiseKept } from './invariants/promise-kept.js';
export { readConfirmed } from './invariants/read-confirmed.js';
export { readFresh } from './invariants/read-fresh.js';
export { roleConsistent } from './invariants/role-consistent.js';
export { termMonotonic } from './invariants/term-monotonic.js';
export { truncationJustified } from './invariants/truncation-justified.js';
export { voteOnce } from './invariants/vote-once.js';
export { voteUpToDate } from './invariants/vote-up-to-date.js';
export { allInvariants, Checkers, inform } from './invariants/checkers.js';
export type { Command, Target } from './schedule/command.js';
export type { Breakage, Converged, Convergence } from './schedule/converge.js';
export { converge, Stalled } from './schedule/converge.js';
export { perform, recover } from './schedule/perform.js';
export type { Retold, RunOptions } from './schedule/run.js';
export { retell, runSchedule } from './schedule/run.js';
export type { Schedule } from './schedule/schedule.js';
export type { Occurrence, Tally } from './world/census.js';
export { Census, emptyTally, OCCURRENCES } from './world/census.js';
export { NodeClock, TrueClock } from './world/clock.js';
export type { ClusterProbe, DiskProbe, NodeProbe } from './world/cluster-probe.js';
export type { CoreSnapshot, CoreView, ProgressView } from './world/core-view.js';
export { snapshotOf } from './world/core-view.js';
export type { DiskWrite, Durable } from './world/disk.js';
export { SimulatedDisk } from './world/disk.js';
export type { DriverFault } from './world/driver-fault.js';
export type { ReadKind, WorldEvent, WorldObserver } from './world/events.js';
export type { ChainHash, LogChange } from './world/log-mirror.js';
export { EMPTY_CHAIN, extendChain, LogMirror } from './world/log-mirror.js';
export type { CutMode, Packet, PacketCopy } from './world/network.js';
export { Network } from './world/network.js';
export type { WorldProfile } from './world/profile.js';
export { CALM_PROFILE } from './world/profile.js';
export { RandomStream } from './world/random.js';
export type { SimulatedContent } from './world/simulated-store.js';
export { SimulatedStore } from './world/simulated-store.js';
export type { TimedSource } from './world/timeline.js';
export { runUntil } from './world/timeline.js';
export { Trace } from './world/trace.js';
export type { WorldOptions } from './world/world.js';
export { World } from './world/world.js';
export type {
  ClientCommand,
  ClientCrew,
  ClientTarget,
  CrewSurroundings,
  FaultKind,
  HireCrew,
  Landed,
  LastingBreakage,
  Listeners,
  LivenessPlan,
  NodeListener,
  NodeTarget,
  StormCommand,
  StormEvent,
  StormFailure,
  StormObserver,
  StormOptions,
  StormPlan,
  StormProbe,
  StormProfile,
  StormResult,
  TimedCommand,
} from './storm/index.js';
export { FAULT_KINDS, planStorm, runStorm, SOMETIMES } from './storm/index.js';
