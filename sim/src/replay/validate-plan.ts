import { DEFAULT_SETTINGS } from '@raftd/coordinator';
import { DEFAULT_LIMITS } from '@raftd/raft';
import { FAULT_KINDS } from '../storm/fault-kind.js';
import type { LivenessPlan, StormPlan } from '../storm/plan.js';
import { COMMANDS, POSITION_MAX } from './command-shapes.js';
import type { Shape } from './shapes.js';
import { listOf, number, optional, PlanInvalid, record, span, tagged } from './shapes.js';
import { truth, whole, word } from './shapes.js';

/** A day: far beyond what any plan asks for. */
const TIME_MAX_MS = 86_400_000;
const COMMANDS_MAX = 1_000_000;
const NODES_MAX = 7;
const CLIENTS_MAX = 8;

const percent = number(0, 100);
const moment = number(0, TIME_MAX_MS);
/** Messages, writes and turns that take longer make a world in which nothing happens. */
const DELAY_MAX_MS = 10_000;
const skew = number(-100, 100);

const limitsLike = (limits: object): Shape => {
  const limit = optional(whole(1, Number.MAX_SAFE_INTEGER));
  return record(Object.fromEntries(Object.keys(limits).map((name) => [name, limit])));
};

const profile = record({
  nodeCount: whole(1, NODES_MAX),
  clientCount: whole(1, CLIENTS_MAX),
  stormMs: moment,
  faults: listOf(word(...FAULT_KINDS), FAULT_KINDS.length),
  heartbeatMs: whole(1, 60_000),
  electionTimeoutMs: whole(1, 60_000),
  reads: word('quorum', 'lease'),
  latencyMs: span(DELAY_MAX_MS),
  slowPercent: percent,
  slowMs: number(0, DELAY_MAX_MS),
  lossPercent: percent,
  duplicatePercent: percent,
  writeMs: span(DELAY_MAX_MS),
  turnMs: span(DELAY_MAX_MS),
  nodeSkews: listOf(skew, NODES_MAX),
  clientSkews: listOf(skew, CLIENTS_MAX),
  encoded: truth,
  equalTimeouts: truth,
  windowEventsMax: whole(1, 1_000_000_000),
  pipelinedRequestsMax: whole(1, 1_000_000_000),
  tight: optional(
    record({ settings: limitsLike(DEFAULT_SETTINGS), core: limitsLike(DEFAULT_LIMITS) }),
  ),
});

const liveness = record({
  core: listOf(whole(0, POSITION_MAX), NODES_MAX),
  broken: listOf(
    record({
      node: whole(0, POSITION_MAX),
      how: word('down', 'frozen', 'isolated', 'mute', 'deaf'),
    }),
    NODES_MAX,
  ),
});

const plan: Shape = record({
  version: word('1'),
  seed: whole(0, 0xffff_ffff),
  profile,
  commands: listOf(record({ atMs: moment, command: tagged(COMMANDS) }), COMMANDS_MAX),
  liveness: optional(liveness),
});

/**
 * The value as a plan, if it is one.
 * @throws {PlanInvalid} naming the first place that is not as it should be.
 */
export function planFrom(value: unknown): StormPlan {
  if (typeof value !== 'object' || value === null) throw new PlanInvalid('', 'no plan');
  const { version, ...rest } = value as Readonly<Record<string, unknown>>;
  if (version !== 1) throw new PlanInvalid('version', 'only version 1 is known');
  plan({ version: '1', ...rest }, '');
  const found = value as StormPlan;
  demandOrder(found);
  demandPositions(found);
  demandTimes(found);
  if (found.liveness !== undefined && found.liveness !== null) {
    demandCore(found.liveness, found.profile.nodeCount);
  }
  // JSON leaves out what is undefined.
  return { ...found, liveness: found.liveness ?? undefined };
}

function demandOrder({ commands }: StormPlan): void {
  const at = commands.findIndex(({ atMs }, index) => atMs < (commands[index - 1]?.atMs ?? 0));
  if (at === -1) return;
  throw new PlanInvalid(`commands[${at}].atMs`, 'commands stand in the order of their times');
}

function demandPositions({
  profile: { nodeCount, nodeSkews, clientCount, clientSkews },
}: StormPlan): void {
  if (nodeSkews.length !== nodeCount) {
    throw new PlanInvalid('profile.nodeSkews', `${nodeCount} are wanted, one a node`);
  }
  if (clientSkews.length !== clientCount) {
    throw new PlanInvalid('profile.clientSkews', `${clientCount} are wanted, one a client`);
  }
}

/** As the core and the cluster demand it: a plan of others would end in their refusal. */
function demandTimes({ profile }: StormPlan): void {
  const { heartbeatMs, electionTimeoutMs, reads, tight } = profile;
  if (electionTimeoutMs < 2 * heartbeatMs) {
    throw new PlanInvalid('profile.electionTimeoutMs', 'at least twice heartbeatMs is wanted');
  }
  const promiseMsMax = tight?.core.promiseMsMax ?? DEFAULT_LIMITS.promiseMsMax;
  if (reads === 'lease' && electionTimeoutMs > promiseMsMax) {
    const most = `with lease reads, at most promiseMsMax (${promiseMsMax}) is wanted`;
    throw new PlanInvalid('profile.electionTimeoutMs', most);
  }
  const { leaseTtlMinMs, leaseTtlMaxMs } = { ...DEFAULT_SETTINGS, ...tight?.settings };
  const place = 'profile.tight.settings';
  if (leaseTtlMaxMs > DEFAULT_SETTINGS.leaseTtlMaxMs) {
    const most = `at most ${DEFAULT_SETTINGS.leaseTtlMaxMs} is wanted`;
    throw new PlanInvalid(`${place}.leaseTtlMaxMs`, most);
  }
  if (leaseTtlMinMs > leaseTtlMaxMs) {
    const most = `at most leaseTtlMaxMs (${leaseTtlMaxMs}) is wanted`;
    throw new PlanInvalid(`${place}.leaseTtlMinMs`, most);
  }
}

/** Not counted round: which nodes are well must be plain. */
function demandCore({ core, broken }: LivenessPlan, nodeCount: number): void {
  const seen = new Set<number>();
  const note = (node: number, place: string): void => {
    if (node >= nodeCount) throw new PlanInvalid(place, `there are ${nodeCount} nodes, from 0 on`);
    if (seen.has(node)) throw new PlanInvalid(place, `node ${node} is named twice`);
    seen.add(node);
  };
  core.forEach((node, at) => note(node, `liveness.core[${at}]`));
  if (core.length * 2 <= nodeCount) {
    throw new PlanInvalid('liveness.core', `a majority of ${nodeCount} nodes is wanted`);
  }
  broken.forEach(({ node }, at) => note(node, `liveness.broken[${at}].node`));
}
