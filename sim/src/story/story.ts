import type { NodeId } from '@raftd/raft';
import type { StormEvent, StormObserver } from '../storm/events.js';
import type { ClusterProbe } from '../world/cluster-probe.js';
import type { WorldSize } from './describe-command.js';
import { describeStormEvent } from './describe-event.js';
import { kindOf } from './event-kind.js';
import { isQuiet } from './quiet.js';
import { eventMark, LEGEND } from './marks.js';
import { NodeStates } from './node-states.js';
import { Locator } from './where.js';

const TIME_WIDTH = 12;
const CLIENT_WIDTH = 8;
const NODE_WIDTH = 4;
/** `pre-candidate` and one more. */
const ROLE_WIDTH = 14;
const NO_STATE = ' '.repeat(49);

export interface StoryOptions {
  /** Whom the positions in commands mean. */
  readonly size: WorldSize;
  /** They are most of what happens; default: told as all else. */
  readonly heartbeats?: boolean;
}

/**
 * Tells a run to people, one aligned line an event: true time; a column a node with how it is
 * doing, or what just happened to it; the state of the node concerned; the client concerned; and
 * what happened, in words. Two runs of one plan tell the same story to the letter.
 */
export class Story implements StormObserver {
  readonly #cluster: ClusterProbe;
  readonly #states: NodeStates;
  readonly #locator = new Locator();
  readonly #tell: (line: string) => void;
  readonly #size: WorldSize;
  readonly #heartbeats: boolean;

  constructor(cluster: ClusterProbe, tell: (line: string) => void, options: StoryOptions) {
    this.#cluster = cluster;
    this.#states = new NodeStates(cluster);
    this.#tell = tell;
    this.#size = options.size;
    this.#heartbeats = options.heartbeats ?? true;
  }

  /** What the columns are. */
  static heading(nodes: readonly NodeId[]): readonly string[] {
    const marks = nodes.map((_, at) => String(at + 1)).join(' ');
    const state = 'node  role         term     log  com/app  synced';
    const time = 'true ms'.padStart(TIME_WIDTH);
    const head = `${time}  ${marks}  ${state}  ${'client'.padEnd(CLIENT_WIDTH)}`;
    return [...LEGEND, '', `${head}  what happened`];
  }

  observe(event: StormEvent): void {
    this.#states.see(event);
    if (isQuiet(event) || (!this.#heartbeats && kindOf(event) === 'heartbeat')) return;
    const where = this.#locator.locate(event);
    const node = where.type === 'node' ? where.node : undefined;
    const client = where.type === 'client' ? where.client : '';
    const time = this.#cluster.trueMs.toFixed(3).padStart(TIME_WIDTH);
    const state = node === undefined ? NO_STATE : this.#showState(node);
    const marks = this.#marks(event, node);
    const words = describeStormEvent(event, this.#size);
    this.#tell(`${time}  ${marks}  ${state}  ${client.padEnd(CLIENT_WIDTH)}  ${words}`);
  }

  #marks(event: StormEvent, concerned: NodeId | undefined): string {
    const marks = this.#cluster.nodes.map((node) => {
      const own = node.id === concerned ? eventMark(event) : undefined;
      return own ?? this.#states.mark(node);
    });
    return marks.join(' ');
  }

  #showState(node: NodeId): string {
    const state = this.#states.state(node);
    const log = `${state.logFirst}:${state.logLast}`.padStart(7);
    const progress = `${state.commit}/${state.applied}`.padStart(8);
    const synced = String(state.synced).padStart(6);
    const term = String(state.term).padStart(3);
    const name = `${node.padEnd(NODE_WIDTH)}  ${state.role.padEnd(ROLE_WIDTH)}`;
    return `${name}${term} ${log} ${progress}  ${synced}`;
  }
}
