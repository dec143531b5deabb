import type { CampaignId, Coordinator, FencingToken, Query, Settings } from '@raftd/coordinator';
import { isSameContent } from '../history/same-content.js';
import { InvariantBroken } from '../invariants/invariant.js';
import { Dice, type Weighted } from '../storm/planner/dice.js';
import { MachineCluster, type MachineClusterOptions } from './machine-cluster.js';
import { PageTurner } from './page-turner.js';
import { StrangeClient } from './strange-client.js';

/** Small enough that a stranger meets every one of them. */
export const SMALL_SETTINGS: Settings = {
  keysPerEntryMax: 3,
  keysPerLeaseMax: 1,
  leasesMax: 4,
  leaseTtlMinMs: 5,
  leaseTtlMaxMs: 2_000,
  electionsMax: 3,
  candidatesPerElectionMax: 2,
  fencesMax: 2,
  sessionsMax: 8,
  sessionTtlMs: 600,
  sessionWindow: 6,
  sessionReplyBytesMax: 250,
  withdrawalsPerLeaseMax: 4,
  txnReplyBytesMax: 130,
};

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Above every token there may be. */
const TOO_HIGH = (1n << 53n) as FencingToken;

type Step = 'strange' | 'due' | 'pages' | 'ask' | 'harm' | 'recover';

const STEPS: readonly Weighted<Step>[] = [
  [60, 'strange'],
  [14, 'due'],
  [10, 'pages'],
  [6, 'ask'],
  [2, 'harm'],
  [4, 'recover'],
];

/** Mostly the next entry comes soon; sometimes leases, sessions or elections are long over. */
const PAUSES_MS: readonly Weighted<number>[] = [
  [30, 0],
  [60, 2],
  [20, 20],
  [1, 300],
  [0.3, DAY_MS],
];

export interface MachineRun {
  readonly cluster: MachineCluster;
  readonly pages: PageTurner['seen'];
}

/** Cores fail and recover, strangers ask for anything; throws what the first checker finds. */
export function runMachines(
  seed: number,
  steps: number,
  options: Partial<MachineClusterOptions> = {},
): MachineRun {
  const dice = new Dice(seed, 'machines');
  const cluster = new MachineCluster({
    profile: { seed },
    settings: SMALL_SETTINGS,
    ...options,
  });
  cluster.advanceUntilLed();
  initialize(cluster);
  const client = new StrangeClient(new Dice(seed, 'strange-client'), {
    get clusterTimeMs(): number {
      return cluster.lastStampMs;
    },
    tokenOf: (election) => cluster.rules.tokenOf(election),
  });
  const turner = new PageTurner(new Dice(seed, 'page-turner'));
  for (let step = 0; step < steps; step += 1) {
    takeStep(dice, cluster, client, turner);
    cluster.world.advance(dice.skewed(0, 12));
  }
  recover(cluster);
  return { cluster, pages: turner.seen };
}

/** Also with a base that no cluster may have, and twice, as two leaders in a row may. */
function initialize(cluster: MachineCluster): void {
  const command = { type: 'initialize', settings: SMALL_SETTINGS, featureLevel: 1 } as const;
  for (const tokenBase of [TOO_HIGH, 0n, 0n] as FencingToken[]) {
    cluster.propose({ stamp: undefined, command: { ...command, tokenBase } });
  }
  cluster.world.advance(100);
}

function takeStep(
  dice: Dice,
  cluster: MachineCluster,
  client: StrangeClient,
  turner: PageTurner,
): void {
  const pauseMs = dice.weighted(PAUSES_MS);
  switch (dice.weighted(STEPS)) {
    case 'strange':
      cluster.propose(client.next(), pauseMs);
      return;
    case 'due':
      cluster.proposeDue(pauseMs, cluster.lastStampMs + (dice.percent(5) ? 3_000 : 0));
      return;
    case 'pages':
      turnPages(dice, turner, someMachine(dice, cluster));
      return;
    case 'ask':
      askStrangely(dice, someMachine(dice, cluster));
      return;
    case 'harm':
      harm(dice, cluster);
      return;
    case 'recover':
      recover(cluster);
  }
}

function turnPages(dice: Dice, turner: PageTurner, machine: Coordinator): void {
  turner.open(machine);
  turner.turn();
  if (dice.percent(30)) turner.carryTo(machine);
  if (dice.percent(20)) turner.makeUp(machine);
}

/** What a list or a single campaign tells must fit what the whole tells. */
function askStrangely(dice: Dice, machine: Coordinator): void {
  const limit = dice.pick([1, 2, 0, -1, Number.NaN]);
  askForPart(machine, { type: 'lease-list', limit });
  askForPart(machine, { type: 'election-list', prefix: dice.pick(['', 'e2', 'z']), limit });
  const election = `e${dice.whole(0, 4)}`;
  const campaignId = `c${dice.whole(1, 16)}` as CampaignId;
  const expected = placeOf(machine, election, campaignId);
  const answer = machine.query({ type: 'campaign-show', election, campaignId });
  const told = answer.type === 'campaign-show' ? answer.state : undefined;
  const place = told?.state === 'queued' ? told.position : told?.state;
  if (place === expected) return;
  throw new InvariantBroken('C1', `${campaignId} is ${place} in ${election}, not ${expected}`);
}

type ListQuery = Extract<Query, { readonly type: 'lease-list' | 'election-list' }>;

function askForPart(machine: Coordinator, query: ListQuery): void {
  const whole = itemsOf(machine, { ...query, limit: 1_000 });
  const part = itemsOf(machine, query);
  const count = query.limit > 0 ? Math.min(query.limit, whole.items.length) : whole.items.length;
  const isPart =
    isSameContent(part.items, whole.items.slice(0, count)) &&
    part.more === count < whole.items.length;
  if (!isPart)
    throw new InvariantBroken('C1', `a ${query.type} of ${query.limit} is no part of it`);
}

function itemsOf(
  machine: Coordinator,
  query: ListQuery,
): { readonly items: readonly unknown[]; readonly more: boolean } {
  const answer = machine.query(query);
  if (answer.type === 'lease-list') return { items: answer.leases, more: answer.more };
  if (answer.type === 'election-list') return { items: answer.elections, more: answer.more };
  throw new Error(`asked for a ${query.type}, answered ${answer.type}`);
}

/** Where the whole election says that a campaign stands. */
function placeOf(
  machine: Coordinator,
  election: string,
  campaignId: CampaignId,
): number | 'granted' | 'absent' {
  const shown = machine.query({ type: 'election-show', election });
  const record = shown.type === 'election-show' ? shown.election : undefined;
  if (record?.leader?.holder === campaignId) return 'granted';
  return record?.queue.find((queued) => queued.campaignId === campaignId)?.position ?? 'absent';
}

function harm(dice: Dice, { world }: MachineCluster): void {
  const node = dice.pick(world.nodes);
  const upCount = world.nodes.filter(({ isUp }) => isUp).length;
  if (upCount > 1 && dice.percent(50)) world.crash(node, dice.whole(0, 1));
  else world.partition((other) => other === node, 'drop');
}

function recover(cluster: MachineCluster): void {
  const { world } = cluster;
  world.heal();
  for (const node of world.nodes) world.restart(node);
  world.advance(300);
  cluster.advanceUntilLed();
}

function someMachine(dice: Dice, cluster: MachineCluster): Coordinator {
  const up = cluster.world.nodes.filter((node) => node.isUp);
  return cluster.machineOf(dice.pick(up));
}
