import type { ConfirmedRead, LogIndex, NodeId, Raft } from '@raftd/raft';
import type { CoreWatch } from '../../world/core-watch.js';
import type { ReadKind, ReadOutcome, WorldEvent } from '../../world/events.js';

export interface CoreSurroundings {
  readonly node: NodeId;
  /** The highest commit index any node ever reached: what a new read must not miss. */
  highestCommit(): LogIndex;
  observe(event: WorldEvent): void;
}

/**
 * Puts a watcher between the server and its core: every input is seen with the state before and
 * after it, and every read with what it may not miss. The core itself is left as it is, whatever
 * class it has.
 */
export function observeCore(core: Raft, watch: CoreWatch, around: CoreSurroundings): void {
  observeInputs(core, watch, around);
  observeReads(core, watch, around);
  watch.stepped({ type: 'boot' }, undefined);
}

function observeInputs(core: Raft, watch: CoreWatch, { node, observe }: CoreSurroundings): void {
  const step = core.step.bind(core);
  const tick = core.tick.bind(core);
  const propose = core.propose.bind(core);
  const persisted = core.persisted.bind(core);

  core.step = (message, nowMs) => {
    const before = watch.before();
    step(message, nowMs);
    watch.stepped({ type: 'message', message }, before);
  };
  core.tick = (nowMs) => {
    const before = watch.before();
    tick(nowMs);
    watch.stepped(TICK, before);
  };
  core.propose = (payload, kind, clusterTimeMs, nowMs, options) => {
    const before = watch.before();
    const proposed = propose(payload, kind, clusterTimeMs, nowMs, options);
    const outcome = proposed.type === 'accepted' ? 'accepted' : proposed.code;
    observe({ type: 'proposed', node, outcome });
    watch.stepped(PROPOSE, before);
    return proposed;
  };
  core.persisted = (term, index, nowMs) => {
    const before = watch.before();
    persisted(term, index, nowMs);
    watch.stepped(PERSISTED, before);
  };
}

const TICK = { type: 'tick' } as const;
const PROPOSE = { type: 'propose' } as const;
const PERSISTED = { type: 'persisted' } as const;
const READ = { type: 'read' } as const;

function observeReads(core: Raft, watch: CoreWatch, around: CoreSurroundings): void {
  const { node, observe } = around;
  const readIndex = core.readIndex.bind(core);
  const leaseReadIndex = core.leaseReadIndex.bind(core);
  const ready = core.ready.bind(core);
  /** By read: the floor when the core took it on. */
  const floors = new Map<number, LogIndex>();
  let confirmed: ConfirmedRead[] = [];

  function answer(kind: ReadKind, floorIndex: LogIndex, outcome: ReadOutcome): void {
    observe({ type: 'read-answered', node, kind, floorIndex, outcome });
  }

  function served(readIndex: LogIndex): ReadOutcome {
    return { type: 'served', readIndex, appliedIndex: watch.view.appliedIndex };
  }

  function settle(readId: number, outcome: ReadOutcome): void {
    const floorIndex = floors.get(readId);
    if (floorIndex === undefined) throw new Error(`${node} settled an unknown read ${readId}`);
    floors.delete(readId);
    answer('quorum', floorIndex, outcome);
  }

  /** Since the last `ready` the replica applied what it was handed, and then served these. */
  function serve(): void {
    const waiting: ConfirmedRead[] = [];
    for (const read of confirmed) {
      if (read.index > watch.view.appliedIndex) waiting.push(read);
      else settle(read.readId, served(read.index));
    }
    confirmed = waiting;
  }

  core.readIndex = (nowMs) => {
    const before = watch.before();
    const requested = readIndex(nowMs);
    if (requested.type === 'accepted') floors.set(requested.readId, around.highestCommit());
    watch.stepped(READ, before);
    if (requested.type === 'rejected') {
      answer('quorum', around.highestCommit(), { type: 'refused' });
    }
    return requested;
  };
  core.leaseReadIndex = (nowMs) => {
    const index = leaseReadIndex(nowMs);
    const isServed = index !== undefined && index <= watch.view.appliedIndex;
    answer('lease', around.highestCommit(), isServed ? served(index) : { type: 'refused' });
    return index;
  };
  core.ready = () => {
    if (confirmed.length > 0) serve();
    const next = ready();
    if (next === undefined) return undefined;
    for (const readId of next.abortedReads) settle(readId, { type: 'aborted' });
    for (const read of next.confirmedReads) confirmed.push(read);
    return next;
  };
}
