import type { NodeId } from '@raftd/raft';
import type { StormEvent } from '../storm/events.js';
import type { ClusterProbe, NodeProbe } from '../world/cluster-probe.js';
import { DOWN_MARK, FROZEN_MARK, ROLE_MARKS } from './marks.js';

/** What a line or a hover tells of one node. */
export interface NodeState {
  readonly mark: string;
  /** `leader`, `down`. */
  readonly role: string;
  readonly term: number;
  readonly logFirst: number;
  readonly logLast: number;
  readonly commit: number;
  readonly applied: number;
  /** Last index that the disk holds. */
  readonly synced: number;
}

/** Reads the states of all nodes; whether one is frozen only its events tell. */
export class NodeStates {
  readonly #cluster: ClusterProbe;
  readonly #frozen = new Set<NodeId>();

  constructor(cluster: ClusterProbe) {
    this.#cluster = cluster;
  }

  see(event: StormEvent): void {
    if (event.type === 'frozen') this.#frozen.add(event.node);
    const isAwake = event.type === 'thawed' || event.type === 'crashed';
    if (isAwake || event.type === 'restarted') this.#frozen.delete(event.node);
  }

  mark(node: NodeProbe): string {
    if (node.view === undefined) return DOWN_MARK;
    return this.#frozen.has(node.id) ? FROZEN_MARK : ROLE_MARKS[node.view.role];
  }

  state(id: NodeId): NodeState {
    const node = this.#cluster.node(id);
    const { view, disk } = node;
    const logLast = view?.lastIndex ?? disk.lastIndex;
    return {
      mark: this.mark(node),
      role: view?.role ?? 'down',
      term: view?.term ?? disk.hardState.term,
      logFirst: logLast === 0 ? 0 : 1,
      logLast,
      commit: view?.commitIndex ?? 0,
      applied: view?.appliedIndex ?? 0,
      synced: disk.lastIndex,
    };
  }
}
