import type { NodeId, Raft } from '@raftd/raft';
import { checkInvariants } from '@raftd/raft';
import { type CoreSnapshot, type CoreView, snapshotOf } from './core-view.js';
import type { Cause, Stepped } from './events.js';
import type { LogMirror } from './log-mirror.js';
import { viewOf } from './raft-view.js';

/** Looks at one core around each of its inputs, and tells what the input changed. */
export class CoreWatch {
  readonly view: CoreView;
  readonly #node: NodeId;
  readonly #core: Raft;
  readonly #log: LogMirror;
  readonly #observe: (event: Stepped) => void;
  #last: CoreSnapshot;

  /** `log` is kept over restarts: it tells what a restart took away. */
  constructor(node: NodeId, core: Raft, log: LogMirror, observe: (event: Stepped) => void) {
    this.view = viewOf(core);
    this.#node = node;
    this.#core = core;
    this.#log = log;
    this.#observe = observe;
    this.#last = snapshotOf(this.view);
  }

  /** Right before an input. */
  before(): CoreSnapshot {
    return this.#look();
  }

  /** Right after it; `before` is undefined at boot. The core's own invariants must hold. */
  stepped(cause: Cause, before: CoreSnapshot | undefined): void {
    const { view } = this;
    checkInvariants(this.#core.state);
    const log = this.#log.follow(view);
    const after = this.#look();
    this.#observe({ type: 'stepped', node: this.#node, cause, before, after, view, log });
  }

  /** Most inputs change nothing of it: then the last snapshot still stands. */
  #look(): CoreSnapshot {
    if (!isAsSeen(this.#last, this.view)) this.#last = snapshotOf(this.view);
    return this.#last;
  }
}

function isAsSeen(seen: CoreSnapshot, view: CoreView): boolean {
  return (
    seen.electionDeadlineMs === view.electionDeadlineMs &&
    seen.appliedIndex === view.appliedIndex &&
    seen.commitIndex === view.commitIndex &&
    seen.lastIndex === view.lastIndex &&
    seen.role === view.role &&
    seen.leaderId === view.leaderId &&
    seen.term === view.term &&
    seen.votedFor === view.votedFor
  );
}
