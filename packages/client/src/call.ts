import type {
  ClientCommand,
  ClientRequest,
  CommandResult,
  Consistency,
  ErrorBody,
  Query,
  QueryResult,
  ReplyBody,
} from '@raftd/protocol';
import type { Connection, ReplySink } from './connection.js';
import type { Attempt } from './errors.js';
import type { Session } from './session.js';
import type { Instant } from './timekeeper.js';

/**
 * Two sessions: leases, campaigns and withdrawals never wait behind a window that is full of
 * writes.
 */
export type Lane = 'data' | 'control';

export type CallBody =
  | { readonly type: 'command'; readonly lane: Lane; readonly command: ClientCommand }
  | { readonly type: 'query'; readonly consistency: Consistency; readonly query: Query };

export type Answer = CommandResult | QueryResult;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** What `Requests` does with what comes for a call. */
export interface CallOwner {
  onReply(call: Call, body: ReplyBody, from: Connection): void;
  onLost(call: Call, error: ErrorBody, from: Connection): void;
}

const ATTEMPTS_KEPT = 16;

/** One call from its start to its only outcome, over as many attempts as it takes. */
export class Call implements ReplySink {
  readonly requestId: number;
  readonly body: CallBody;
  /** What it holds of keys and values. */
  readonly bytes: number;
  readonly startedAtMs: number;
  readonly deadlineMs: number;
  /** True: one attempt only; the caller makes a new call for a new one (renewals). */
  readonly single: boolean;
  /** Only this connection can answer: a cursor lives on the node that gave it. */
  readonly via: Connection | undefined;
  /** Never refused for what else waits, and before it. */
  readonly vital: boolean;
  readonly #owner: CallOwner;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: unknown) => void;

  /** Built at the first attempt and the same in every later one. */
  request: ClientRequest | undefined;
  session: Session | undefined;
  sequence = 0;
  /** On both clocks, before any byte leaves (rule 1). */
  firstSentAt: Instant | undefined;
  /** Where the latest attempt went; undefined while the call waits. */
  at: Connection | undefined;
  /** The latest answer came from there. */
  answeredBy: Connection | undefined;
  /** Earlier attempts that may still be answered. */
  earlier: Connection[] | undefined;
  /** Attempts sent of which it is not known that they did not happen. */
  doubts = 0;
  attempts: readonly Attempt[] = [];
  settled = false;
  unlisten: (() => void) | undefined;

  constructor(
    owner: CallOwner,
    fields: {
      readonly requestId: number;
      readonly body: CallBody;
      readonly startedAtMs: number;
      readonly deadlineMs: number;
      readonly single: boolean;
      readonly via: Connection | undefined;
      readonly vital: boolean;
      readonly resolve: (answer: Answer) => void;
      readonly reject: (error: unknown) => void;
    },
  ) {
    this.#owner = owner;
    this.requestId = fields.requestId;
    this.body = fields.body;
    this.bytes = bytesOfBody(fields.body);
    this.startedAtMs = fields.startedAtMs;
    this.deadlineMs = fields.deadlineMs;
    this.single = fields.single;
    this.via = fields.via;
    this.vital = fields.vital;
    this.#resolve = fields.resolve;
    this.#reject = fields.reject;
  }

  onReply(body: ReplyBody, from: Connection): void {
    this.#owner.onReply(this, body, from);
  }

  onLost(error: ErrorBody, from: Connection): void {
    this.#owner.onLost(this, error, from);
  }

  queryRequest(): ClientRequest {
    const { requestId, body } = this;
    if (body.type !== 'query') throw new Error('assertion failed: a command has its stamp');
    return { type: 'query', requestId, consistency: body.consistency, query: body.query };
  }

  note(attempt: Attempt): void {
    this.attempts = [...this.attempts.slice(1 - ATTEMPTS_KEPT), attempt];
  }

  resolve(answer: Answer): void {
    this.#resolve(answer);
  }

  reject(error: unknown): void {
    this.#reject(error);
  }
}

function bytesOfBody(body: CallBody): number {
  if (body.type !== 'command') return 0;
  const { command } = body;
  if (command.type === 'put') return command.key.length + command.value.length;
  if (command.type === 'campaign') return command.metadata.length;
  if (command.type !== 'txn') return 0;
  let bytes = 0;
  for (const operation of [...command.success, ...command.failure]) {
    if (operation.type === 'put') bytes += operation.key.length + operation.value.length;
  }
  return bytes;
}
