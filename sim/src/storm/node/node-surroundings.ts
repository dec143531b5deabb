import type { CommandCodec } from '@raftd/protocol';
import type { LoadedState, LogIndex, NodeId, Raft, RaftOptions } from '@raftd/raft';
import type { ServerOptions } from '@raftd/server';
import type { Agenda } from '../../world/agenda.js';
import type { DriverFault } from '../../world/driver-fault.js';
import type { StormEvent } from '../events.js';
import type { FaultKind } from '../fault-kind.js';
import type { PeerNetwork } from '../net/peer-network.js';
import type { StormProfile } from '../profile.js';

/** The core that a node runs; for cores broken on purpose. */
export type CreateCore = (options: RaftOptions, loaded: LoadedState, nowMs: number) => Raft;

/** The options of one life of a node, from 1, as somebody changed them. */
export type ChangeOptions = (options: ServerOptions, life: number) => ServerOptions;

/** What the storm lends to each of its nodes. */
export interface NodeSurroundings {
  readonly agenda: Agenda;
  readonly seed: number;
  readonly profile: StormProfile;
  /** All nodes, by position. */
  readonly ids: readonly NodeId[];
  readonly driverFaults: ReadonlySet<DriverFault>;
  readonly createCore: CreateCore;
  readonly nodeOptions: ChangeOptions | undefined;
  readonly codec: CommandCodec;
  readonly network: () => PeerNetwork;
  /** The highest commit index that any node ever reached. */
  highestCommit(): LogIndex;
  observe(event: StormEvent): void;
  onFault(kind: FaultKind): void;
  /** Something happened that no fault of the world explains. */
  onDefect(sentence: string): void;
  /** I13: a node goes on with what it could see is damaged. */
  onDamageTaken(sentence: string): void;
}

/** Where clients find a node. */
export function addressOf(id: NodeId): string {
  return `${id}:7400`;
}
