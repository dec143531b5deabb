import type { ErrorBody, NodeStatus, ReplyBody } from '@raftd/protocol';
import type { CallOptions } from './call.js';
import type { ClientCore } from './core.js';
import type { NodeId } from './endpoints.js';
import { fromBody, RaftdError } from './errors.js';

export type NodeReport = ReachableNode | UnreachableNode;

export interface ReachableNode {
  readonly reachable: true;
  readonly id: NodeId;
  readonly address: string;
  readonly role: NodeStatus['role'];
  readonly term: NodeStatus['term'];
  readonly leader: NodeId | undefined;
  readonly commitIndex: number;
  readonly appliedIndex: number;
  /** Entries that the furthest node has committed and this one has not applied. */
  readonly lag: number;
  readonly revision: NodeStatus['revision'];
  readonly version: string;
}

export interface UnreachableNode {
  readonly reachable: false;
  /** Undefined where only the address is known. */
  readonly id: NodeId | undefined;
  readonly address: string;
  readonly error: RaftdError;
}

/** Every node asked by itself: what each believes, side by side. */
export interface ClusterStatus {
  readonly cluster: string | undefined;
  /** Of the highest term that any node reports; undefined: nobody leads, as far as can be seen. */
  readonly leader: NodeId | undefined;
  readonly nodes: readonly NodeReport[];
}

const NODE_TIMEOUT_MS = 2_000;

type Answer =
  | { readonly reachable: true; readonly address: string; readonly status: NodeStatus }
  | UnreachableNode;

export async function clusterStatus(
  core: ClientCore,
  options: CallOptions,
): Promise<ClusterStatus> {
  core.assertOpen();
  options.signal?.throwIfAborted();
  const answers = new Map<string, Answer>();
  // Those asked first may name members of which only they know.
  for (;;) {
    const unasked = core.endpoints.addresses.filter((address) => !answers.has(address));
    if (unasked.length === 0) break;
    const round = await Promise.all(unasked.map((address) => ask(core, address, options)));
    for (const answer of round) answers.set(answer.address, answer);
    options.signal?.throwIfAborted();
  }
  return summary(core, [...answers.values()]);
}

function summary(core: ClientCore, answers: readonly Answer[]): ClusterStatus {
  const reached = new Map<NodeId, NodeStatus>();
  for (const answer of answers) {
    if (answer.reachable) reached.set(answer.status.id, answer.status);
  }
  const statuses = [...reached.values()];
  const furthest = Math.max(0, ...statuses.map(({ commitIndex }) => commitIndex));
  const leaders = statuses.filter(({ role }) => role === 'leader');
  leaders.sort((one, other) => other.term - one.term);
  const nodes: NodeReport[] = statuses.map((status) => toReport(status, furthest));
  // A node known under two addresses is reached under one of them: that is enough.
  const named = new Set<NodeId>(reached.keys());
  for (const answer of answers) {
    if (answer.reachable || (answer.id !== undefined && named.has(answer.id))) continue;
    if (answer.id !== undefined) named.add(answer.id);
    nodes.push(answer);
  }
  nodes.sort((one, other) => compare(one.id ?? one.address, other.id ?? other.address));
  return { cluster: core.router.clusterId, leader: leaders[0]?.id, nodes };
}

function toReport(status: NodeStatus, furthestIndex: number): ReachableNode {
  const { id, address, role, term, leader, commitIndex, appliedIndex, revision, version } = status;
  const lag = Math.max(0, furthestIndex - appliedIndex);
  const known = { leader: leader?.id, commitIndex, appliedIndex, lag, revision, version };
  return { reachable: true, id, address, role, term, ...known };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function ask(core: ClientCore, address: string, options: CallOptions): Promise<Answer> {
  return new Promise((resolve) => {
    const connection = core.router.connectionTo(address);
    const requestId = core.nextRequestId();
    const timeoutMs = options.timeoutMs ?? NODE_TIMEOUT_MS;
    const finish = (answer: Answer): void => {
      cancel();
      resolve(answer);
    };
    const refuse = (error: RaftdError): void => {
      const id = core.endpoints.idAt(address);
      finish({ reachable: false, id, address, error });
    };
    const onTimeout = (): void => {
      connection.forget(requestId);
      const message = `${address} did not answer within ${timeoutMs} ms`;
      refuse(new RaftdError('UNAVAILABLE', message, { details: { address } }));
    };
    const cancel = core.ports.timers.after(timeoutMs, onTimeout, { ref: true });
    connection.send(
      { type: 'status', requestId },
      {
        onReply: (body: ReplyBody) => {
          if (body.type === 'status') {
            const { status } = body;
            return finish({ reachable: true, address, status });
          }
          const error: ErrorBody =
            body.type === 'error'
              ? body.error
              : { code: 'MALFORMED_FRAME', message: `answered ${body.type}`, details: {} };
          refuse(fromBody(error));
        },
        onLost: (error: ErrorBody) => refuse(fromBody(error)),
      },
    );
  });
}
