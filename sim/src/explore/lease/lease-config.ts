import type { CommandCodec, Coordinator } from '@raftd/coordinator';

/** What the search asks of the replicated state machine. */
export type LeaseMachine = Pick<
  Coordinator,
  'apply' | 'query' | 'due' | 'needsTime' | 'stateHash' | 'checkInvariants' | 'revision'
>;

/** A mistake outside the state machine and the client, to see that the search would find it. */
export type LeaseMistake =
  /** The answer's arrival is taken for its request's send. */
  | 'deadline-from-receipt'
  /** The outside resource takes every write. */
  | 'resource-unguarded'
  /** The next leader's cluster time starts ahead of the log's last stamp. */
  | 'leader-clock-ahead'
  /** Clients' clocks run at half the rate, and nobody takes L4 for not promised. */
  | 'slow-clock-unnoticed';

/** Bounds of the search: how often each thing may happen, in all unless it says otherwise. */
export interface LeaseConfig {
  readonly clients: number;
  /** One TTL, in steps of time. */
  readonly ttlSteps: number;
  /** The last step of time. */
  readonly horizon: number;
  /** Of each client: leases after this step are not asked for. */
  readonly asksUntil: number;
  /** Clients that renew, from the first one on. */
  readonly renewers: number;
  /** Of each of these. */
  readonly renewalsMax: number;
  /** Clients that write, from the first one on: one write each, to any target. */
  readonly writers: number;
  /** Clients that may resign, from the first one on. */
  readonly resigners: number;
  /** Requests that reach the log a second time. */
  readonly duplicatesMax: number;
  /** Suspensions of the first client, of any length; clients are alike. */
  readonly pausesMax: number;
  readonly leaderChangesMax: number;
  /** Revocations and withdrawals by a stranger. */
  readonly foreignEndsMax: number;
  /** `beyond`: a client's clock runs at half the rate; then L4 is not promised. */
  readonly clocks: 'within-bound' | 'beyond';
  /** `neither`: a suspension that no clock shows; then L4 is not promised. */
  readonly pauseShowsOn: 'wall-clock' | 'neither';
  readonly mistake: LeaseMistake | undefined;
  /** The real one by default. */
  readonly createMachine: ((codec: CommandCodec) => LeaseMachine) | undefined;
}

/** Nothing goes wrong but the network: what every variant starts from. */
export const LEASE_CONFIG: LeaseConfig = {
  clients: 2,
  ttlSteps: 2,
  horizon: 4,
  asksUntil: 2,
  renewers: 1,
  renewalsMax: 1,
  writers: 0,
  resigners: 0,
  duplicatesMax: 0,
  pausesMax: 0,
  leaderChangesMax: 0,
  foreignEndsMax: 0,
  clocks: 'within-bound',
  pauseShowsOn: 'wall-clock',
  mistake: undefined,
  createMachine: undefined,
};

/**
 * In CI, one after the other: the golden count belongs to these. Each has a few troubles in full;
 * all of them at once is `LEASE_VARIANTS_LARGE`.
 */
export const LEASE_VARIANTS: readonly Partial<LeaseConfig>[] = [
  // Another leader, and commands of the old one at large.
  { leaderChangesMax: 1, horizon: 5 },
  // A holder that is suspended, and its write that comes too late.
  { pausesMax: 1, writers: 1 },
  // A stranger ends what the holder has; it renews meanwhile, writes, and resigns.
  { foreignEndsMax: 1, asksUntil: 1, resigners: 1, horizon: 3 },
  { foreignEndsMax: 1, asksUntil: 1, writers: 1, horizon: 3 },
  // Duplicates, and renewals that overtake one another.
  { duplicatesMax: 1, renewalsMax: 2, asksUntil: 1 },
  // Outside what L4 promises: tokens and guards hold all the same.
  { clocks: 'beyond', writers: 2, renewers: 0 },
  { pauseShowsOn: 'neither', pausesMax: 1, writers: 2, renewers: 0 },
];

/** For a night. */
export const LEASE_VARIANTS_LARGE: readonly Partial<LeaseConfig>[] = [
  { leaderChangesMax: 1, pausesMax: 1, writers: 1, horizon: 6 },
  { leaderChangesMax: 1, foreignEndsMax: 1, renewers: 2, resigners: 1, horizon: 5 },
  { duplicatesMax: 1, renewers: 2, renewalsMax: 2, horizon: 6 },
  { clients: 3, renewalsMax: 1, horizon: 5 },
];

/** One step of cluster time, ms: a TTL of one step is the shortest that is granted. */
export const STEP_MS = 500;

/** ρ as DESIGN §12 promises it, not as the code has it: a code that forgot it is to be caught. */
const PROMISED_RATE_BOUND = 0.01;

/** Far outside of it: two steps look like one. */
const BEYOND_RATE = 0.5;

/**
 * What a client's clock shows of one step, ms. The worst within the bound: the leader's clock is
 * fast and every client's is slow, so that a lease ends as early as it can while clients believe
 * as long as they can. All else is less.
 */
export function clientStepMs(config: LeaseConfig): number {
  const trueMs = STEP_MS / (1 + PROMISED_RATE_BOUND);
  const isBeyond = config.clocks === 'beyond' || config.mistake === 'slow-clock-unnoticed';
  return trueMs * (isBeyond ? BEYOND_RATE : 1 - PROMISED_RATE_BOUND);
}

/** DESIGN §8: what stays unused of a TTL for granularity, after drift was subtracted. */
export function marginMs(ttlMs: number): number {
  return Math.max(20, 0.02 * ttlMs);
}

/** Both are outside what L4 promises; L1 and L3 hold all the same. */
export function promisesExclusion(config: LeaseConfig): boolean {
  return config.clocks === 'within-bound' && config.pauseShowsOn === 'wall-clock';
}
