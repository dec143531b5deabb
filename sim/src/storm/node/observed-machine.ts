import type { Coordinator } from '@raftd/coordinator';
import {
  type Changes,
  type CommandResult,
  decodeCommand,
  type LeaseId,
  type Query,
  type QueryResult,
} from '@raftd/protocol';
import type { LogIndex, NodeId } from '@raftd/raft';
import type { StateMachine } from '@raftd/server';
import type { CoreView } from '../../world/core-view.js';
import type { StormEvent } from '../events.js';

/** The whole state is looked at only so often: it costs more than applying one entry. */
const CHECK_EVERY = 64;

/** The real machine; whoever watches sees each entry as the server hands it over. */
export class ObservedMachine implements StateMachine {
  readonly machine: Coordinator;
  readonly #node: NodeId;
  /** Of the core beside it: what the log says of an entry. */
  readonly #view: () => CoreView | undefined;
  readonly #observe: (event: StormEvent) => void;

  constructor(
    node: NodeId,
    machine: Coordinator,
    view: () => CoreView | undefined,
    observe: (event: StormEvent) => void,
  ) {
    this.#node = node;
    this.machine = machine;
    this.#view = view;
    this.#observe = observe;
  }

  apply(
    index: number,
    clusterTimeMs: number,
    payload: Uint8Array,
  ): { readonly result: CommandResult; readonly changes: Changes | undefined } {
    const node = this.#node;
    const logged = this.#view()?.entryAt(index as LogIndex);
    if (logged === undefined) throw new Error(`${node} applies ${index}, which is not in its log`);
    // What the server handed over, not what it should have.
    const isAsLogged =
      logged.index === index &&
      logged.clusterTimeMs === clusterTimeMs &&
      logged.payload === payload;
    const entry = isAsLogged
      ? logged
      : { ...logged, index: index as LogIndex, clusterTimeMs, payload };
    this.#observe({ type: 'applied', node, entry });
    const { result, changes } = this.machine.apply(index, clusterTimeMs, payload);
    if (index % CHECK_EVERY === 0) this.machine.checkInvariants();
    this.#observe({
      type: 'machine-applied',
      node,
      index: index,
      clusterTimeMs,
      payload,
      result,
      changes,
      leasesGone: leasesGone(this.machine, payload, result),
    });
    return { result, changes };
  }

  query(query: Query): QueryResult {
    return this.machine.query(query);
  }

  due(clusterTimeMs: number, wallTimeMs: number): readonly Uint8Array[] {
    return this.machine.due(clusterTimeMs, wallTimeMs);
  }

  raiseFeatureLevel(level: number): Uint8Array | undefined {
    return this.machine.raiseFeatureLevel(level);
  }

  needsTime(): boolean {
    return this.machine.needsTime();
  }

  get revision(): number {
    return this.machine.revision;
  }

  get clusterTimeMs(): number {
    return this.machine.clusterTimeMs;
  }

  get featureLevel(): number {
    return this.machine.featureLevel;
  }

  get initialized(): boolean {
    return this.machine.initialized;
  }
}

const NONE: readonly LeaseId[] = [];

/** The end of a lease that nobody used changes nothing that a watch could show. */
export function leasesGone(
  machine: Pick<Coordinator, 'query'>,
  payload: Uint8Array,
  result: CommandResult,
): readonly LeaseId[] {
  if (result.type !== 'done' || payload.length === 0) return NONE;
  const decoded = decodeCommand(payload);
  if (!decoded.ok || decoded.value.command.type !== 'expire-leases') return NONE;
  return decoded.value.command.leases
    .map(({ lease }) => lease)
    .filter((lease) => !isThere(machine, lease));
}

function isThere(machine: Pick<Coordinator, 'query'>, lease: LeaseId): boolean {
  const shown = machine.query({ type: 'lease-show', lease });
  return shown.type === 'lease-show' && shown.lease !== undefined;
}
