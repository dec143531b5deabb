import type { SessionId } from '@raftd/protocol';
import type { Lane } from './call.js';
import type { Connection } from './connection.js';
import { Session } from './session.js';
import { type CorePorts, elapsedMs, type Instant } from './timekeeper.js';

/**
 * Older than this, a Welcome's cluster time opens no session: the time may only be behind the
 * cluster's, and by much less than a session's life, or late duplicates could open it again.
 */
const WELCOME_AGE_MAX_MS = 60_000;

/** The present session of each lane. */
export class Sessions {
  readonly #ports: CorePorts;
  readonly #present = new Map<Lane, Session>();

  constructor(ports: CorePorts) {
    this.#ports = ports;
  }

  /** To stamp a command that goes to `connection`; `stale-welcome`: get a new connection first. */
  acquire(lane: Lane, connection: Connection, now: Instant): Session | 'stale-welcome' {
    const present = this.#present.get(lane);
    // Checked per call: after a suspend the session may be gone though nothing told us.
    if (present !== undefined && !present.doubtful(now)) return present;
    return this.#open(lane, connection, now);
  }

  /** The cluster does not know it any more; what comes next opens another. */
  expired(session: Session): void {
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

  #open(lane: Lane, connection: Connection, now: Instant): Session | 'stale-welcome' {
    const { welcome, welcomedAt } = connection;
    if (welcome === undefined || welcomedAt === undefined) return 'stale-welcome';
    if (welcome.clusterTimeMs === undefined) return 'stale-welcome';
    if (elapsedMs(welcomedAt, now) > WELCOME_AGE_MAX_MS) return 'stale-welcome';
    const id = this.#ports.randomId() as SessionId;
    const session = new Session(id, welcome.clusterTimeMs, welcomedAt);
    this.#present.set(lane, session);
    return session;
  }
}
