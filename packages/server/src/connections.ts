import {
  type ErrorBody,
  errorBody,
  type Reply,
  type ReplyBody,
  type Welcome,
} from '@raftd/protocol';
import type { ServerLimits } from './options.js';
import type { ClientConnection } from './ports.js';
import { replyBytes } from './sizes.js';
import type { Watch, WatchedChanges, WatchOwner } from './watches.js';

/** One client's connection: what it waits for, and the replies of this turn. */
export class Connection implements WatchOwner {
  readonly watches: Map<number, Watch> = new Map();
  /** True once the hello was accepted; requests before it close the connection. */
  welcomed = false;
  /** Requests without a reply yet. */
  pending = 0;
  #open = true;
  #replies: Reply[] = [];
  readonly #client: ClientConnection;
  readonly #limits: ServerLimits;
  readonly #onReply: (connection: Connection) => void;

  constructor(
    client: ClientConnection,
    limits: ServerLimits,
    onReply: (connection: Connection) => void,
  ) {
    this.#client = client;
    this.#limits = limits;
    this.#onReply = onReply;
  }

  get open(): boolean {
    return this.#open;
  }

  bufferedBytes(): number {
    return this.#client.bufferedBytes();
  }

  /** Queues one reply; all replies of a turn leave together. Each request gets exactly one. */
  reply(requestId: number, body: ReplyBody): void {
    this.pending -= 1;
    if (!this.#open) return;
    if (this.#replies.length === 0) this.#onReply(this);
    this.#replies.push({ requestId, body });
  }

  replyError(requestId: number, error: ErrorBody): void {
    this.reply(requestId, { type: 'error', error });
  }

  /** Sends the replies of the turn, in as few frames as fit the other side's limit. */
  flush(): void {
    const replies = this.#replies;
    if (!this.#open || replies.length === 0) return;
    this.#replies = [];
    const buffered = this.#client.bufferedBytes();
    if (buffered > this.#limits.connectionBufferedBytesMax) {
      const message = `${buffered} bytes wait to be read by this client`;
      this.close(errorBody('SLOW_CONSUMER', message, { bytes: buffered }));
      return;
    }
    let start = 0;
    let frameBytes = 0;
    for (let at = 0; at < replies.length; at += 1) {
      const reply = replies[at];
      if (reply === undefined) continue;
      const bytes = replyBytes(reply.body);
      const limit = this.#limits.replyBytesMax;
      if (bytes > limit) replies[at] = { requestId: reply.requestId, body: tooLarge(reply, limit) };
      if (at > start && frameBytes + bytes > this.#limits.frameBytesTarget) {
        this.#client.send({ type: 'replies', replies: replies.slice(start, at) });
        start = at;
        frameBytes = 0;
      }
      frameBytes += bytes;
    }
    const last = start === 0 ? replies : replies.slice(start);
    this.#client.send({ type: 'replies', replies: last });
  }

  sendWelcome(welcome: Welcome): void {
    this.welcomed = true;
    if (this.#open) this.#client.send(welcome);
  }

  sendEvents(watchId: number, changes: readonly WatchedChanges[]): void {
    if (this.#open) this.#client.send({ type: 'events', watchId, changes });
  }

  sendWatchEnded(watchId: number, error: ErrorBody): void {
    if (this.#open) this.#client.send({ type: 'watch-ended', watchId, error });
  }

  /** Says why and closes; the transport calls back when it is gone. */
  close(error: ErrorBody): void {
    if (!this.#open) return;
    this.#open = false;
    this.#client.close(error);
  }

  /** The other side is gone: what still waits has nobody to tell. */
  closed(): void {
    this.#open = false;
    this.#replies = [];
  }
}

/** What stands for a reply that fits no frame. A command's says that it was applied. */
function tooLarge({ body }: Reply, limit: number): ReplyBody {
  const error =
    body.type === 'command'
      ? errorBody('REPLY_DROPPED', `applied; its reply is above ${limit} bytes`, { limit })
      : errorBody('LIMIT_EXCEEDED', `the reply is above ${limit} bytes; ask for less at once`, {
          field: 'reply',
          limit,
        });
  return { type: 'error', error };
}

/** All client connections of the node, and those with replies to send. */
export class Connections {
  readonly #all = new Set<Connection>();
  #dirty: Connection[] = [];
  /** Called when the first reply of a turn was queued: somebody must flush. */
  readonly #wake: () => void;

  constructor(wake: () => void) {
    this.#wake = wake;
  }

  get count(): number {
    return this.#all.size;
  }

  open(client: ClientConnection, limits: ServerLimits): Connection {
    const connection = new Connection(client, limits, this.#onReply);
    this.#all.add(connection);
    return connection;
  }

  remove(connection: Connection): void {
    this.#all.delete(connection);
    connection.closed();
  }

  flush(): void {
    const dirty = this.#dirty;
    if (dirty.length === 0) return;
    this.#dirty = [];
    for (const connection of dirty) connection.flush();
  }

  /** What was answered since the last turn still leaves: a node that stops has no more turns. */
  closeAll(error: ErrorBody): void {
    this.flush();
    for (const connection of this.#all) connection.close(error);
    this.#all.clear();
  }

  readonly #onReply = (connection: Connection): void => {
    if (this.#dirty.length === 0) this.#wake();
    this.#dirty.push(connection);
  };
}
