import type { SessionId } from '@raftd/protocol';
import type { Lane } from './call.js';
import type { ClusterTime } from './cluster-time.js';
import { Session } from './session.js';
import type { CorePorts, Instant } from './timekeeper.js';

/** The present session of each lane. */
export class Sessions {
  readonly #ports: CorePorts;
  readonly #clusterTime: ClusterTime;
  readonly #present = new Map<Lane, Session>();

  constructor(ports: CorePorts, clusterTime: ClusterTime) {
    this.#ports = ports;
    this.#clusterTime = clusterTime;
  }

  /** Undefined: none can be opened before a Welcome has told the cluster's time. */
  acquire(lane: Lane, now: Instant): Session | undefined {
    const present = this.#present.get(lane);
    // Checked per call: after a suspend the session may be gone though nothing told us.
    if (present !== undefined && !present.doubtful(now)) return present;
    const told = this.#clusterTime.read(now);
    if (told === undefined) return undefined;
    const session = new Session(this.#ports.randomId() as SessionId, told.timeMs, told.at);
    this.#present.set(lane, session);
    return session;
  }

  /** The cluster does not know it any more; what comes next opens another, at a later time. */
  expired(session: Session): void {
    this.#clusterTime.spend(session.openedAtMs);
    for (const [lane, present] of this.#present) {
      if (present === session) this.#present.delete(lane);
    }
  }

  get opened(): readonly (readonly [Lane, Session])[] {
    return [...this.#present].filter(([, session]) => session.opened);
  }

  get idle(): readonly Lane[] {
    const now = this.#ports.time.now();
    return this.opened.filter(([, session]) => session.idle(now)).map(([lane]) => lane);
  }
}
