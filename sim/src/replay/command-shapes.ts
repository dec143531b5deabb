import type { StormCommand } from '../storm/command.js';
import type { ClientOperation } from '../workload/operation.js';
import type { Fields, Shape } from './shapes.js';
import { either, listOf, number, optional, tagged, truth, whole, word } from './shapes.js';

/** Positions are counted round, so that any will do. */
export const POSITION_MAX = 1_000_000;
const KEYS_MAX = 128;
const DELAY_MAX_MS = 86_400_000;

const position = whole(0, POSITION_MAX);
const node: Shape = either(position, word('leader', 'old-leader', 'follower'));
const client: Shape = either(position, word('holder'));
const landed = word('nothing', 'torn', 'whole');
const delay = number(0, DELAY_MAX_MS);
const jump = number(-DELAY_MAX_MS * 365, DELAY_MAX_MS * 365);
const positions = listOf(position, KEYS_MAX);

const OPERATIONS: Readonly<Record<ClientOperation['type'], Fields>> = {
  get: { key: position, stale: truth },
  'get-leased': { key: position, stale: truth },
  put: { key: position },
  delete: { key: position },
  'compare-and-put': { key: position },
  transact: { reads: positions, writes: positions },
  range: {},
  'delete-range': { from: position, to: position },
  'put-leased': {
    key: position,
    ttlMs: delay,
    holdMs: delay,
    end: word('revoke', 'abandon'),
  },
  unbind: { key: position, by: word('put', 'delete', 'delete-range', 'transact') },
  lead: {
    election: position,
    ttlMs: delay,
    holdMs: delay,
    workEveryMs: delay,
    careless: truth,
    waitMs: optional(delay),
    end: word('resign', 'abandon'),
  },
  run: { election: position, ttlMs: delay, holdMs: delay, workEveryMs: delay },
  'show-election': { election: position },
  observe: { election: position, forMs: delay },
  watch: { from: position, to: position, forMs: delay },
  'end-grant': { election: position, by: word('revoke', 'withdraw') },
  'fence-advance': { election: position, resource: position },
};

/** The fields of each command, as its type says them. */
export const COMMANDS: Readonly<Record<StormCommand['type'], Fields>> = {
  operate: { client, operation: tagged(OPERATIONS) },
  crash: { node, landed },
  'crash-all': { landed },
  restart: { node },
  'restart-all': {},
  freeze: { node },
  thaw: { node, timersFirst: truth },
  'fail-write': { node },
  'stall-disk': { node, extraMs: delay },
  'fill-disk': { node },
  'free-disk': { node },
  corrupt: { node: position, fraction: number(0, 1) },
  wipe: { node: position },
  split: { mask: whole(0, 0xffff_ffff) },
  isolate: { node },
  'cut-one-way': { from: node, to: node },
  mute: { node },
  deafen: { node },
  mend: { from: node, to: node },
  heal: {},
  'cut-client': { client, node: either(node, word('all')) },
  'mend-client': { client },
  'reset-client': { client },
  'freeze-client': { client },
  'thaw-client': { client, timersFirst: truth },
  'kill-client': { client },
  'start-client': { client },
  'jump-node-clock': { node, byMs: jump },
  'jump-client-clock': { client, byMs: jump },
};
