import { resolve } from 'node:path';
import type { MemberAddress } from '@raftd/protocol';
import type { NodeId } from '@raftd/raft';
import { z } from 'zod';
import { type HostPort, NODE_ID_PATTERN, parseHostPort, parsePeers } from './addresses.js';
import { parseDurationMs } from '../duration.js';
import { KEYS, type SourcedSettings } from './settings-sources.js';
import { UsageError } from './usage-error.js';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** One node's settings, checked and complete. */
export interface RaftdSettings {
  readonly id: NodeId;
  /** Every node, this one included, as peers reach it. */
  readonly peers: readonly MemberAddress[];
  readonly listen: HostPort;
  /** What clients are told, HOST:PORT. */
  readonly advertise: string;
  readonly dataDirectory: string;
  readonly clusterName: string;
  readonly reads: 'quorum' | 'lease';
  readonly heartbeatMs: number;
  readonly electionTimeoutMs: number;
  readonly logLevel: LogLevel;
}

const DEFAULT_ADDRESS = '127.0.0.1:7400';
const DEFAULT_ID = 'n1';

const duration = z
  .string()
  .refine((text) => parseDurationMs(text) !== undefined, {
    error: ({ input }) =>
      /^\d+$/.test(String(input))
        ? `has no unit; write ${String(input)}ms for milliseconds, or s, m, h`
        : 'is not a duration; write a number with its unit, such as 500ms or 2s',
  })
  .transform((text) => parseDurationMs(text) ?? 0);

const hostPort = z.string().refine((text) => parseHostPort(text) !== undefined, {
  error: 'is not HOST:PORT',
});

const schema = z.object({
  id: z
    .string()
    .regex(NODE_ID_PATTERN, 'is not a node id; use letters, digits, dot, dash, underscore')
    .optional(),
  peers: z.string().optional(),
  listen: hostPort.optional(),
  advertise: hostPort.optional(),
  'data-dir': z.string().min(1, 'is empty; name a directory').optional(),
  cluster: z
    .string()
    .regex(/^[\w.-]{1,63}$/, 'is not a name; use letters, digits, dot, dash, underscore')
    .default('raftd'),
  reads: z.enum(['quorum', 'lease'], { error: 'is neither quorum nor lease' }).default('quorum'),
  heartbeat: duration.default(50),
  'election-timeout': duration.default(300),
  'log-level': z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'is not one of trace, debug, info, warn, error, fatal, silent',
    })
    .default('info'),
});

/** @throws {UsageError} naming the first field that is wrong, where it was written, and why. */
export function checkSettings(sourced: SourcedSettings): RaftdSettings {
  const raw = Object.fromEntries([...sourced].map(([key, { value }]) => [key, value]));
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw invalid(sourced, parsed.error.issues[0]);
  const { data } = parsed;
  const id = checkId(data.id, data.peers !== undefined);
  const peers: readonly MemberAddress[] =
    data.peers === undefined
      ? [{ id, address: data.advertise ?? data.listen ?? DEFAULT_ADDRESS }]
      : parsePeers(data.peers);
  const own = peers.find((peer) => peer.id === id);
  if (own === undefined) {
    const names = peers.map((peer) => peer.id).join(', ');
    throw new UsageError('ID_NOT_IN_PEERS', `--id: ${id} is not one of --peers (${names})`);
  }
  const listen = parseHostPort(data.listen ?? own.address);
  if (listen === undefined) throw new Error('an address that was checked does not parse');
  const settings: RaftdSettings = {
    id,
    peers,
    listen,
    advertise: data.advertise ?? own.address,
    dataDirectory: resolve(data['data-dir'] ?? `${id}.raftd`),
    clusterName: data.cluster,
    reads: data.reads,
    heartbeatMs: data.heartbeat,
    electionTimeoutMs: data['election-timeout'],
    logLevel: data['log-level'],
  };
  checkTimes(settings);
  return settings;
}

/** What works but is unwise; logged at start. */
export function settingsWarnings(settings: RaftdSettings): readonly string[] {
  const warnings: string[] = [];
  const { heartbeatMs, electionTimeoutMs, peers } = settings;
  if (electionTimeoutMs < 5 * heartbeatMs) {
    warnings.push(
      `--election-timeout ${electionTimeoutMs}ms is below 5 × --heartbeat ${heartbeatMs}ms: ` +
        'a few late heartbeats will depose a healthy leader',
    );
  }
  if (peers.length % 2 === 0) {
    warnings.push(`${peers.length} nodes survive no more failures than ${peers.length - 1}`);
  }
  return warnings;
}

function checkId(id: string | undefined, hasPeers: boolean): NodeId {
  if (id === undefined && hasPeers) {
    throw new UsageError('ID_MISSING', '--id is missing: say which of --peers this node is');
  }
  return (id ?? DEFAULT_ID) as NodeId;
}

function checkTimes({ heartbeatMs, electionTimeoutMs }: RaftdSettings): void {
  if (electionTimeoutMs >= 2 * heartbeatMs) return;
  const message =
    `--election-timeout: ${electionTimeoutMs}ms is below twice --heartbeat ${heartbeatMs}ms; ` +
    'one late heartbeat would depose the leader: use five times or more';
  throw new UsageError('INVALID_VALUE', message);
}

function invalid(sourced: SourcedSettings, issue: z.core.$ZodIssue | undefined): UsageError {
  const key = KEYS.find((known) => known === issue?.path[0]);
  const written = key === undefined ? undefined : sourced.get(key);
  const message = `${written?.source ?? key}: "${written?.value}" ${issue?.message}`;
  return new UsageError('INVALID_VALUE', message);
}
