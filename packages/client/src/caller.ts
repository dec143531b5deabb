import type {
  ClientCommand,
  CommandResult,
  Consistency,
  Query,
  QueryResult,
} from '@raftd/protocol';
import type { Answer, CallBody, CallOptions } from './call.js';
import type { Connection } from './connection.js';
import { mismatch } from './keys.js';

export interface SubmitOptions extends CallOptions {
  readonly via?: Connection;
  /**
   * What the client owes the cluster: renewals, releases, upkeep of sessions. Not refused where
   * too many calls wait, and before them.
   */
  readonly vital?: boolean;
}

/** The way to the leader; `Requests` is it. */
export interface Caller {
  submit(body: CallBody, options: SubmitOptions): Promise<Answer>;
}

export type CommandBody = Extract<CallBody, { readonly type: 'command' }>;

type ResultOf<T extends CommandResult['type']> = Extract<CommandResult, { readonly type: T }>;
type QueryResultOf<T extends QueryResult['type']> = Extract<QueryResult, { readonly type: T }>;

/** In the lane of plain writes. */
export function dataCommand(asked: ClientCommand): CommandBody {
  return { type: 'command', lane: 'data', command: asked };
}

/** In the lane of leases and elections, which no flood of writes holds up. */
export function controlCommand(asked: ClientCommand): CommandBody {
  return { type: 'command', lane: 'control', command: asked };
}

/** Sends a command and narrows its result. */
export async function command<T extends CommandResult['type']>(
  caller: Caller,
  type: T,
  body: CommandBody,
  options: SubmitOptions,
): Promise<ResultOf<T>> {
  const answer = await caller.submit(body, options);
  if (answer.type !== type) throw mismatch(type, answer.type);
  return answer as ResultOf<T>;
}

export async function query<T extends QueryResult['type']>(
  caller: Caller,
  type: T,
  asked: Query,
  options: CallOptions & { readonly consistency?: Consistency | undefined },
): Promise<QueryResultOf<T>> {
  const consistency = options.consistency ?? 'linearizable';
  const answer = await caller.submit({ type: 'query', consistency, query: asked }, options);
  if (answer.type !== type) throw mismatch(type, answer.type);
  return answer as QueryResultOf<T>;
}
