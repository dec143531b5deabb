import type { ErrorBody, NodeStatus, ReplyBody } from '@raftd/protocol';
import type { CallOptions } from './call.js';
import type { ClientCore } from './core.js';
import type { NodeId } from './endpoints.js';
import { fromBody, RaftdError } from './errors.js';

export type NodeReport =
  | {
      readonly reachable: true;
      readonly id: NodeId;
      readonly address: string;
      readonly status: NodeStatus;
    }
  | {
      readonly reachable: false;
      /** Undefined where only the address is known. */
      readonly id: NodeId | undefined;
      readonly address: string;
      readonly error: RaftdError;
    };

/** Every node asked by itself: what each believes, side by side. */
export interface ClusterStatus {
  readonly cluster: string | undefined;
  /** Of the highest term that any node reports; undefined: nobody leads, as far as can be seen. */
  readonly leader: NodeId | undefined;
  readonly nodes: readonly NodeReport[];
}

const NODE_TIMEOUT_MS = 2_000;

export async function clusterStatus(
  core: ClientCore,
  options: CallOptions,
): Promise<ClusterStatus> {
  core.assertOpen();
  options.signal?.throwIfAborted();
  const reports = new Map<string, NodeReport>();
  // Those asked first may name members of which only they know.
  for (;;) {
    const unasked = core.endpoints.addresses.filter((address) => !reports.has(address));
    if (unasked.length === 0) break;
    const answers = await Promise.all(unasked.map((address) => ask(core, address, options)));
    for (const answer of answers) reports.set(answer.address, answer);
    options.signal?.throwIfAborted();
  }
  return summary(core, [...reports.values()]);
}

function summary(core: ClientCore, reports: readonly NodeReport[]): ClusterStatus {
  const nodes: NodeReport[] = [];
  const ids = new Set<NodeId>();
  let leader: { readonly id: NodeId; readonly term: number } | undefined;
  for (const report of reports) {
    if (!report.reachable || ids.has(report.id)) continue;
    ids.add(report.id);
    nodes.push(report);
    const { role, term, id } = report.status;
    if (role === 'leader' && (leader === undefined || term > leader.term)) leader = { id, term };
  }
  // A node known under two addresses is reached under one of them: that is enough.
  for (const report of reports) {
    if (report.reachable || (report.id !== undefined && ids.has(report.id))) continue;
    if (report.id !== undefined) ids.add(report.id);
    nodes.push(report);
  }
  nodes.sort((one, other) => compare(one.id ?? one.address, other.id ?? other.address));
  return { cluster: core.router.clusterId, leader: leader?.id, nodes };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function ask(core: ClientCore, address: string, options: CallOptions): Promise<NodeReport> {
  return new Promise((resolve) => {
    const connection = core.router.connectionTo(address);
    const requestId = core.nextRequestId();
    const timeoutMs = options.timeoutMs ?? NODE_TIMEOUT_MS;
    const finish = (report: NodeReport): void => {
      cancel();
      resolve(report);
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
            return finish({ reachable: true, id: status.id, address, status });
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
