import type { SystemName } from '../report.js';

/** A cluster of real processes under measurement. */
export interface System {
  readonly name: SystemName;
  /** HOST:PORT of every node, the leader's first: each system is given its best case. */
  addresses(): Promise<readonly string[]>;
  /** `kill -9` of the present leader; the name of the node killed. */
  killLeader(): Promise<string>;
  /** Starts a killed node again; resolves once every node has caught up with the leader. */
  restart(node: string): Promise<void>;
  stop(): Promise<void>;
}

export interface SystemOptions {
  /** Put before the command line of each node, e.g. a system-call counter. */
  readonly wrapper?: (node: string) => readonly string[];
}
