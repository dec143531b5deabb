import type {
  ConfirmedRead,
  Entry,
  HardState,
  LogIndex,
  Message,
  NodeId,
  Role,
  Term,
} from '@raftd/raft';
import { expect } from 'vitest';
import type {
  ClusterProbe,
  CoreSnapshot,
  CoreView,
  History,
  Invariant,
  NodeProbe,
  ProgressView,
  WorldEvent,
} from '../../src/index.js';
import { inform, LogMirror, snapshotOf } from '../../src/index.js';

/** A log as the scenarios write it: `log(1, 1, 2)` is `1/1, 2/1, 3/2`. */
export function log(...terms: readonly number[]): readonly Entry[] {
  return terms.map((term, at) => entry(at + 1, term));
}

export function entry(index: number, term: number, byte = 7): Entry {
  return {
    index: index as LogIndex,
    term: term as Term,
    kind: 'command',
    clusterTimeMs: index,
    payload: Uint8Array.of(byte),
  };
}

export function hardState(term: number, votedFor?: string, promiseMs = 0): HardState {
  return { term: term as Term, votedFor: votedFor as NodeId | undefined, promiseMs };
}

/** Everything a checker can see of a node; what a test does not care about is calm. */
export interface HandNode {
  term: number;
  votedFor: string | undefined;
  role: Role;
  leaderId: string | undefined;
  commitIndex: number;
  appliedIndex: number;
  entries: readonly Entry[];
  electionDeadlineMs: number | undefined;
  pendingReads: number;
  lastReadId: number;
  confirmedReads: readonly ConfirmedRead[];
  leaseLeftMs: number | undefined;
  heldMessages: number;
  progress: Record<string, ProgressView>;
  durable: { hardState: HardState; entries: readonly Entry[] };
  elapsedMs: number;
  leaseHeld: boolean;
  isUp: boolean;
}

const CALM_NODE: HandNode = {
  term: 1,
  votedFor: undefined,
  role: 'follower',
  leaderId: undefined,
  commitIndex: 0,
  appliedIndex: 0,
  entries: [],
  electionDeadlineMs: 300,
  pendingReads: 0,
  lastReadId: 0,
  confirmedReads: [],
  leaseLeftMs: undefined,
  heldMessages: 0,
  progress: {},
  durable: { hardState: hardState(1), entries: [] },
  elapsedMs: 0,
  leaseHeld: false,
  isUp: true,
};

/** A leader as it should be: its own vote on disk, no election timer. */
export function leading(
  node: string,
  term: number,
  change: Partial<HandNode> = {},
): Partial<HandNode> {
  return {
    term,
    votedFor: node,
    role: 'leader',
    leaderId: node,
    electionDeadlineMs: undefined,
    durable: { hardState: hardState(term, node), entries: change.entries ?? [] },
    ...change,
  };
}

/** A cluster whose every field is set by hand: the way to show a checker what must not be. */
export class HandCluster implements ClusterProbe {
  trueMs = 0;
  readonly nodes: readonly (NodeProbe & { readonly hand: HandNode })[];

  constructor(...ids: readonly string[]) {
    this.nodes = ids.map((id) => handProbe(id as NodeId, { ...CALM_NODE }));
  }

  node(id: string): NodeProbe & { readonly hand: HandNode } {
    const found = this.nodes.find((node) => node.id === id);
    if (found === undefined) throw new Error(`no node ${id}`);
    return found;
  }

  set(id: string, change: Partial<HandNode>): void {
    Object.assign(this.node(id).hand, change);
  }

  /** Changes a node in one step and tells the invariant. */
  step(
    invariant: Invariant,
    id: string,
    change: Partial<HandNode>,
    cause: Extract<WorldEvent, { type: 'stepped' }>['cause'] = { type: 'tick' },
  ): void {
    const { hand, view, log: mirror } = this.node(id);
    if (view === undefined) throw new Error(`${id} is down`);
    const before = cause.type === 'boot' ? undefined : snapshotOf(view);
    Object.assign(hand, change);
    this.#tell(invariant, {
      type: 'stepped',
      node: id as NodeId,
      cause,
      before,
      after: snapshotOf(view),
      view,
      log: mirror.follow(view),
    });
  }

  tell(invariant: Invariant, event: WorldEvent): void {
    this.#tell(invariant, event);
  }

  #tell(invariant: Invariant, event: WorldEvent): void {
    inform(invariant, event, this);
  }
}

function handProbe(id: NodeId, hand: HandNode): NodeProbe & { readonly hand: HandNode } {
  const view = handView(hand);
  return {
    id,
    hand,
    log: new LogMirror(),
    get view() {
      return hand.isUp ? view : undefined;
    },
    disk: {
      get hardState() {
        return hand.durable.hardState;
      },
      get lastIndex() {
        return hand.durable.entries.length;
      },
      entryAt: (index) => hand.durable.entries[index - 1],
    },
    get elapsedMs() {
      return hand.elapsedMs;
    },
    leaseHeld: () => hand.leaseHeld,
  };
}

function handView(hand: HandNode): CoreView {
  const field = <Key extends keyof CoreSnapshot>(value: unknown): CoreSnapshot[Key] =>
    value as CoreSnapshot[Key];
  return {
    get term() {
      return field<'term'>(hand.term);
    },
    get votedFor() {
      return field<'votedFor'>(hand.votedFor);
    },
    get role() {
      return hand.role;
    },
    get leaderId() {
      return field<'leaderId'>(hand.leaderId);
    },
    get commitIndex() {
      return field<'commitIndex'>(hand.commitIndex);
    },
    get appliedIndex() {
      return field<'appliedIndex'>(hand.appliedIndex);
    },
    get lastIndex() {
      return field<'lastIndex'>(hand.entries.length);
    },
    get electionDeadlineMs() {
      return hand.electionDeadlineMs;
    },
    get pendingReads() {
      return hand.pendingReads;
    },
    get lastReadId() {
      return hand.lastReadId;
    },
    get confirmedReads() {
      return hand.confirmedReads;
    },
    get leaseLeftMs() {
      return hand.leaseLeftMs;
    },
    get heldMessages() {
      return hand.heldMessages;
    },
    entryAt: (index) => hand.entries[index - 1],
    progressOf: (peer) => hand.progress[peer],
  };
}

export function progress(match: number, next: number): ProgressView {
  return {
    match: match as LogIndex,
    next: next as LogIndex,
    inflightMessages: 0,
    inflightBytes: 0,
    oldestInflight: undefined,
  };
}

/** A message with the fields that matter; its envelope from plain values. */
export function message(fields: {
  readonly type: Message['type'];
  readonly from: string;
  readonly to: string;
  readonly term: number;
  readonly [field: string]: unknown;
}): Message {
  return fields as unknown as Message;
}

export function sent(fields: Parameters<typeof message>[0]): WorldEvent {
  return { type: 'sent', message: message(fields) };
}

export function received(
  fields: Parameters<typeof message>[0],
): Extract<WorldEvent, { type: 'stepped' }>['cause'] {
  return { type: 'message', message: message(fields) };
}

export function applied(node: string, applying: Entry): WorldEvent {
  return { type: 'applied', node: node as NodeId, entry: applying };
}

export function crashed(node: string): WorldEvent {
  return { type: 'crashed', node: node as NodeId, lostWrites: 0, landedWrites: 0 };
}

/** What a completed write changed; a test sets the disk itself. */
export function written(node: string, state: HardState): WorldEvent {
  return {
    type: 'write-done',
    node: node as NodeId,
    write: {
      hardState: state,
      truncateFrom: undefined,
      entries: [],
      lastIndex: 0 as LogIndex,
      lastTerm: 0 as Term,
    },
  };
}

export function committedHistory(
  history: History,
  entries: readonly Entry[],
  inTerm: number,
): void {
  const mirror = new LogMirror();
  mirror.follow({
    lastIndex: entries.length as LogIndex,
    entryAt: (index) => entries[index - 1],
  });
  for (const { index, term } of entries) {
    const chain = mirror.chainAt(index) ?? 0;
    history.committed.push({ index, term, chain, committedIn: inTerm as Term });
  }
}

/** The invariant must refuse what `violate` does, in its own name. */
export function expectBroken(invariant: Invariant, violate: () => void): void {
  expect(violate).toThrow(expect.objectContaining({ invariant: invariant.id }));
}
