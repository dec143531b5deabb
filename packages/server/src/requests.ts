import {
  type ClientCommand,
  type ClientRequest,
  type ErrorBody,
  errorBody,
  type LeaderHint,
  type NodeStatus,
} from '@raftd/protocol';
import type { Connection } from './connections.js';
import { limitReached, notLeader, SHUTTING_DOWN } from './error-bodies.js';
import type { Leadership } from './leadership.js';
import type { ServerLimits } from './options.js';
import type { Clock, StateMachine } from './ports.js';
import type { Proposals } from './proposals.js';
import { answer, type Reads } from './reads.js';
import type { Replica } from './replica.js';
import type { Watches } from './watches.js';

type CommandRequest = Extract<ClientRequest, { readonly type: 'command' }>;
type QueryRequest = Extract<ClientRequest, { readonly type: 'query' }>;
type WatchRequest = Extract<ClientRequest, { readonly type: 'watch' }>;

interface HeldCommand {
  readonly connection: Connection;
  readonly request: CommandRequest;
}

export interface RequestParts {
  readonly limits: ServerLimits;
  readonly clock: Clock;
  readonly machine: StateMachine;
  readonly replica: Replica;
  readonly leadership: Leadership;
  readonly proposals: Proposals;
  readonly reads: Reads;
  readonly watches: Watches;
  readonly leaderHint: () => LeaderHint | undefined;
  /** False once no leader was known for two election time-outs. */
  readonly isLeftBehind: () => boolean;
  /** What is applied here is current but for what is on its way. */
  readonly isUpToDate: () => boolean;
  /** It was so once since this node started: what it has may be old, but is not unreplayed. */
  readonly hasCaughtUp: () => boolean;
  readonly status: () => NodeStatus;
}

const REPLAYING: ErrorBody = errorBody(
  'UNAVAILABLE',
  'this node has not caught up since it started and has no state to answer from yet',
);

const CATCHING_UP: ErrorBody = errorBody(
  'WATCH_INTERRUPTED',
  'this node has not caught up yet; watch at another node, or a little later',
);

/**
 * However much waits to be committed, nobody loses a lease over it, and what gives something back
 * passes (DESIGN §4).
 */
function isUrgent(command: ClientCommand): boolean {
  switch (command.type) {
    case 'lease-renew':
    case 'lease-revoke':
    case 'withdraw':
    case 'session-close':
      return true;
    default:
      return false;
  }
}

/** The only code that knows the types of requests: each goes to its chapter. */
export class Requests {
  readonly #parts: RequestParts;
  /** Commands that came between election and the start of leadership, in order. */
  #held: HeldCommand[] = [];
  #stopping = false;

  constructor(parts: RequestParts) {
    this.#parts = parts;
  }

  get heldCount(): number {
    return this.#held.length;
  }

  onRequests(connection: Connection, requests: readonly ClientRequest[]): void {
    const { pipelinedRequestsMax } = this.#parts.limits;
    for (const request of requests) {
      connection.pending += 1;
      if (connection.pending > pipelinedRequestsMax) {
        const error = limitReached('TOO_MANY_REQUESTS', 'pipelinedRequests', pipelinedRequestsMax);
        connection.replyError(request.requestId, error);
      } else if (this.#stopping) connection.replyError(request.requestId, SHUTTING_DOWN);
      else this.#onRequest(connection, request);
    }
  }

  #onRequest(connection: Connection, request: ClientRequest): void {
    switch (request.type) {
      case 'command':
        this.#onCommand(connection, request);
        return;
      case 'query':
        this.#onQuery(connection, request);
        return;
      case 'watch':
        this.#onWatch(connection, request);
        return;
      case 'unwatch': {
        const watch = connection.watches.get(request.watchId);
        if (watch !== undefined) this.#parts.watches.unsubscribe(watch);
        connection.reply(request.requestId, { type: 'unwatched' });
        return;
      }
      case 'status':
        connection.reply(request.requestId, { type: 'status', status: this.#parts.status() });
        return;
    }
  }

  #onCommand(connection: Connection, request: CommandRequest): void {
    const { leadership, limits, leaderHint } = this.#parts;
    if (leadership.serving) this.#propose(connection, request);
    else if (!this.#leads()) connection.replyError(request.requestId, notLeader(leaderHint()));
    else if (this.#held.length >= limits.heldCommandsMax) {
      const error = limitReached('OVERLOADED', 'heldCommands', limits.heldCommandsMax);
      connection.replyError(request.requestId, error);
    } else this.#held.push({ connection, request });
  }

  #propose(connection: Connection, request: CommandRequest): void {
    const { clock, leadership, proposals, replica, leaderHint } = this.#parts;
    const { requestId, logged, payload } = request;
    if (logged.stamp === undefined) {
      const error = errorBody(
        'UNKNOWN_REQUEST',
        `${logged.command.type} is not a client's command`,
      );
      connection.replyError(requestId, error);
      return;
    }
    const { stamp, command } = logged;
    // A renewal is never deduplicated: each attempt counts from its own send time (DESIGN §6).
    if (command.type !== 'lease-renew' && proposals.join(stamp, connection, requestId)) return;
    const nowMs = clock.monotonicMs();
    const proposed = replica.propose(payload, 'command', nowMs, { urgent: isUrgent(command) });
    if (proposed.type === 'accepted') {
      proposals.add(proposed.index, proposed.term, stamp, connection, requestId, nowMs);
      leadership.stamped(nowMs);
    } else if (proposed.code === 'NOT_LEADER') {
      connection.replyError(requestId, notLeader(leaderHint()));
    } else {
      const error = errorBody('OVERLOADED', 'too much is waiting to be committed; slow down');
      connection.replyError(requestId, error);
    }
  }

  #onQuery(connection: Connection, request: QueryRequest): void {
    const { machine, reads, replica, leaderHint, clock } = this.#parts;
    if (request.consistency === 'stale') {
      // After a restart an empty answer would be no older state: it would be none.
      if (!this.#parts.hasCaughtUp()) connection.replyError(request.requestId, REPLAYING);
      else connection.reply(request.requestId, answer(machine, request.query));
    } else if (!this.#leads()) connection.replyError(request.requestId, notLeader(leaderHint()));
    else {
      reads.add(connection, request.requestId, request.query, clock.monotonicMs());
      replica.wake();
    }
  }

  #onWatch(connection: Connection, request: WatchRequest): void {
    const { requestId, watchId, target, fromRevision } = request;
    // "From now" on a node that replays would be "from then": history would come as news.
    const isFromNow = fromRevision === undefined;
    if (this.#parts.isLeftBehind() || (isFromNow && !this.#parts.isUpToDate())) {
      connection.replyError(requestId, CATCHING_UP);
      return;
    }
    const subscribed = this.#parts.watches.subscribe(connection, watchId, target, fromRevision);
    if ('code' in subscribed) connection.replyError(requestId, subscribed);
    else connection.reply(requestId, { type: 'watching', revision: subscribed.revision });
  }

  /** Leadership has started: what was held goes first, in the order it came. */
  proposeHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const { connection, request } of held) this.#propose(connection, request);
  }

  /** They were never proposed: they did not happen. */
  rejectHeld(error: ErrorBody): void {
    const held = this.#held;
    this.#held = [];
    for (const { connection, request } of held) connection.replyError(request.requestId, error);
  }

  stop(): void {
    this.#stopping = true;
    this.rejectHeld(SHUTTING_DOWN);
  }

  #leads(): boolean {
    return this.#parts.replica.role === 'leader';
  }
}
