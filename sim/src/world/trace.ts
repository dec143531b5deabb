import type { Message, NodeId } from '@raftd/raft';
import { describeEntry, describeMessage } from '@raftd/raft';
import type { ClusterProbe } from './cluster-probe.js';
import type { Cause, Crashed, ReadAnswered, Stepped } from './events.js';
import type { WorldEvent, WorldObserver } from './events.js';

const MARK_OF_ROLE = { follower: ' ', 'pre-candidate': '?', candidate: '%', leader: '*' } as const;

/**
 * The story of a run, one line an event, fixed columns first: true time, node, role (`*` leader,
 * `%` candidate, `?` pre-candidate), term, commit/last index. Two runs of one schedule tell the
 * same story to the letter.
 */
export class Trace implements WorldObserver {
  readonly #cluster: ClusterProbe;
  readonly #lines: string[] = [];

  constructor(cluster: ClusterProbe) {
    this.#cluster = cluster;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** The last `count` lines, for a failure's page. */
  tail(count: number): string {
    return this.#lines.slice(-count).join('\n');
  }

  note(text: string): void {
    this.#lines.push(`${this.#time()}  ${text}`);
  }

  observe(event: WorldEvent): void {
    const line = this.#describe(event);
    if (line !== undefined) this.#lines.push(`${this.#time()}  ${line}`);
  }

  #time(): string {
    return this.#cluster.trueMs.toFixed(3).padStart(11);
  }

  #describe(event: WorldEvent): string | undefined {
    switch (event.type) {
      case 'stepped':
        return describeStep(event);
      case 'sent':
        return `${at(event.message.from)}  > ${describeMessage(event.message)}`;
      case 'delivered':
        return `${at(event.message.to)}  < ${describeMessage(event.message)} (${event.copy})`;
      case 'lost':
        return `${at(event.message.to)}  x ${describeMessage(event.message)} (${event.reason})`;
      case 'write-started':
        return `${at(event.node)}  disk begins ${describeWrite(event.write)}`;
      case 'write-done':
        return `${at(event.node)}  disk holds ${describeWrite(event.write)}`;
      case 'applied':
        return `${at(event.node)}  applies ${describeEntry(event.entry)}`;
      case 'proposed':
        return `${at(event.node)}  proposal ${event.outcome}`;
      case 'read-answered':
        return `${at(event.node)}  ${describeRead(event)}`;
      case 'crashed':
        return `${at(event.node)}  ! crash: ${describeLoss(event)}`;
      case 'restarted':
        return `${at(event.node)}  ^ restart`;
      case 'frozen':
        return `${at(event.node)}  frozen`;
      case 'thawed':
        return `${at(event.node)}  thawed after ${event.frozenMs.toFixed(3)} ms`;
      case 'rewired':
        return event.cuts.length === 0 ? '    healed' : `    cut ${event.cuts.join(' ')}`;
    }
  }
}

function at(node: NodeId): string {
  return node.padEnd(3);
}

function describeStep({ node, cause, before, after, log }: Stepped): string | undefined {
  const isQuiet =
    before !== undefined &&
    before.role === after.role &&
    before.term === after.term &&
    before.commitIndex === after.commitIndex &&
    before.votedFor === after.votedFor &&
    before.lastIndex === after.lastIndex &&
    log.truncatedFrom === undefined;
  if (isQuiet) return undefined;
  const state = `${MARK_OF_ROLE[after.role]}${after.term} vote ${after.votedFor ?? '-'}`;
  const indexes = `${after.appliedIndex}/${after.commitIndex}/${after.lastIndex}`;
  return `${at(node)}  = ${state} applied/commit/last ${indexes} after ${describeCause(cause)}`;
}

function describeRead({ kind, outcome, floorIndex }: ReadAnswered): string {
  return `${kind} read ${outcome.type}, floor ${floorIndex}`;
}

function describeLoss({ lostWrites, landedWrites }: Crashed): string {
  return `${lostWrites} writes lost, ${landedWrites} landed`;
}

function describeCause(cause: Cause): string {
  return cause.type === 'message' ? messageName(cause.message) : cause.type;
}

function messageName(message: Message): string {
  return `${message.type} of ${message.from}`;
}

function describeWrite(write: Extract<WorldEvent, { type: 'write-done' }>['write']): string {
  const { hardState, truncateFrom, entries, lastIndex } = write;
  const parts: string[] = [];
  if (hardState !== undefined) {
    parts.push(`term ${hardState.term} vote ${hardState.votedFor ?? '-'}`);
    parts.push(`promise ${hardState.promiseMs} ms`);
  }
  if (truncateFrom !== undefined) parts.push(`cut from ${truncateFrom}`);
  parts.push(`${entries.length} entries to ${lastIndex}`);
  return parts.join(', ');
}
