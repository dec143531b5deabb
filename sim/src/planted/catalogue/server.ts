import type { PlantedBug } from '../bug.js';

const CLUSTER_CLOCK = 'packages/server/src/cluster-clock.ts';
const CLUSTER_NODE = 'packages/server/src/cluster-node.ts';
const LEADERSHIP = 'packages/server/src/leadership.ts';
const PROPOSALS = 'packages/server/src/proposals.ts';
const REPLICA = 'packages/server/src/replica.ts';
const REQUESTS = 'packages/server/src/requests.ts';
const WATCHES = 'packages/server/src/watches.ts';

/** The replica loop, replies, cluster time and watches. */
export const SERVER_BUGS: readonly PlantedBug[] = [
  {
    id: 'P40',
    title: 'sends what speaks of a write beside the write, not behind it',
    class: 'a',
    edits: [
      {
        file: REPLICA,
        anchor: '    this.#ports.storage.append(write, this.#onWritten);',
        replacement: `    this.#send(messagesAfterWrite);
    this.#ports.storage.append(write, this.#onWritten);`,
      },
    ],
    caughtBy: ['S3', 'S7'],
    by: ['storm'],
  },
  {
    id: 'P41',
    title: 'tells the core that a write is durable before it is',
    class: 'a',
    edits: [
      {
        file: REPLICA,
        anchor: '    this.#ports.storage.append(write, this.#onWritten);',
        replacement: `    const nowMs = this.#ports.clock.monotonicMs();
    this.#raft.persisted(write.lastTerm, write.lastIndex, nowMs);
    this.#ports.storage.append(write, this.#onWritten);`,
      },
    ],
    caughtBy: ['S3', 'S7', 'S15', 'S16', 'S33'],
    by: ['storm'],
  },
  {
    id: 'P42',
    title: 'answers a confirmed read before its index is applied',
    class: 'a',
    edits: [
      {
        file: REPLICA,
        anchor: 'if (read.index <= this.#appliedIndex) this.#handlers.readConfirmed(read.readId);',
        replacement: 'if (read.index >= 0) this.#handlers.readConfirmed(read.readId);',
      },
    ],
    caughtBy: ['I12', 'linearizability'],
    by: ['storm'],
    faults: ['disk-stall'],
    needs: 'disk-stall',
  },
  {
    id: 'N11',
    title: 'answers a put when it is proposed, before it is committed',
    class: 'a',
    edits: [
      {
        file: REQUESTS,
        anchor: '      leadership.stamped(nowMs);',
        replacement: `      leadership.stamped(nowMs);
      if (command.type === 'put' && command.guards.length === 0) {
        const shown = this.#parts.machine.query({ type: 'get', key: command.key });
        const version = (shown.type === 'get' ? (shown.record?.version ?? 0) : 0) + 1;
        const revision = (this.#parts.machine.revision + 1) as never;
        const result = { type: 'put', revision, version } as const;
        connection.reply(requestId, { type: 'command', result });
      }`,
      },
    ],
    caughtBy: ['I12', 'I14', 'linearizability'],
    by: ['storm'],
  },
  {
    id: 'P43',
    title: 'reads at any node, which answers without asking a quorum',
    class: 'a',
    edits: [
      {
        file: REQUESTS,
        anchor: `if (request.consistency === 'stale') {`,
        replacement: `if (request.consistency === 'stale' || this.#parts.isUpToDate()) {`,
      },
      {
        file: 'packages/client/src/requests.ts',
        anchor: 'const connection = stale ? this.#router.any() : this.#router.leader();',
        replacement: 'const connection = stale ? this.#router.any() : this.#router.any();',
      },
    ],
    caughtBy: ['I12', 'linearizability'],
    by: ['storm'],
  },
  {
    id: 'P44',
    title: 'answers a leader that was deposed with the result of whatever took its place',
    class: 'b',
    edits: [
      {
        file: PROPOSALS,
        anchor: `pending.term === term ? { type: 'command', result }`,
        replacement: `pending.term <= term ? { type: 'command', result }`,
      },
      {
        file: CLUSTER_NODE,
        anchor: `    this.#proposals.abandonAll(OUTCOME_UNKNOWN);
    this.#rejectUndone();`,
        replacement: '    this.#rejectUndone();',
      },
    ],
    caughtBy: ['C20', 'I14', 'linearizability'],
    by: ['storm'],
  },
  {
    id: 'P45',
    title: 'says of undecided commands that they did not happen, when it steps down',
    class: 'b',
    edits: [
      {
        file: CLUSTER_NODE,
        anchor: `    this.#proposals.abandonAll(OUTCOME_UNKNOWN);
    this.#rejectUndone();`,
        replacement: `    this.#proposals.abandonAll(notLeader(this.leaderHint()));
    this.#rejectUndone();`,
      },
    ],
    caughtBy: ['linearizability', 'I14'],
    by: ['storm'],
  },
  {
    id: 'P46',
    title: "lets cluster time jump to the new leader's own clock",
    class: 'a',
    edits: [
      {
        file: LEADERSHIP,
        anchor: 'Math.max(replica.lastStampMs, this.#machine.clusterTimeMs)',
        replacement:
          'Math.max(replica.lastStampMs, this.#machine.clusterTimeMs, Math.floor(nowMs))',
      },
    ],
    caughtBy: ['L7', 'L4'],
    by: ['storm'],
    only: 'L7',
  },
  {
    id: 'P48',
    title: 'counts a stall of its loop as time, and expires leases whose renewals lie unread',
    class: 'a',
    edits: [
      {
        file: CLUSTER_CLOCK,
        anchor: 'this.#timeMs += Math.min(elapsedMs, ELAPSED_MAX_MS);',
        replacement: 'this.#timeMs += 4 * elapsedMs;',
      },
    ],
    caughtBy: ['L4', 'L7'],
    by: ['storm'],
  },
  {
    id: 'P50',
    title: 'resumes a watch one change too late',
    class: 'b',
    edits: [
      {
        file: WATCHES,
        anchor:
          'fromRevision <= this.#revision ? this.#window.positionOf(fromRevision) : undefined;',
        replacement:
          'fromRevision <= this.#revision ? this.#window.positionOf(fromRevision + 1) : undefined;',
      },
    ],
    caughtBy: ['L9'],
    by: ['storm'],
  },
  {
    id: 'P52',
    title: 'drops what was published while a watch was catching up',
    class: 'a',
    edits: [
      {
        file: WATCHES,
        anchor: 'if (position < this.#window.endPosition) {\n      watch.position',
        replacement: 'if (position + 1 < this.#window.endPosition) {\n      watch.position',
      },
      {
        file: WATCHES,
        anchor: 'const stop = Math.min(position + CATCH_UP_CHANGES, this.#window.endPosition);',
        replacement:
          'const stop = Math.min(position + CATCH_UP_CHANGES, this.#window.endPosition - 1);',
      },
    ],
    caughtBy: ['L9'],
    by: ['storm'],
  },
  {
    id: 'P53',
    title: 'keeps its watches though it is cut off from the cluster or left behind',
    class: 'a',
    edits: [
      {
        file: CLUSTER_NODE,
        anchor: 'if (this.#isLeftBehind(nowMs) && this.#watches.count > 0)',
        replacement: 'if (nowMs < 0)',
      },
    ],
    caughtBy: ['L9'],
    by: ['storm'],
    faults: [],
    world: { nodeCount: 3, clientCount: 8 },
  },
  {
    id: 'P54',
    title: 'shows elections and leases at once as leader, and checks no quorum',
    class: 'b',
    edits: [
      {
        file: REQUESTS,
        anchor:
          '      reads.add(connection, request.requestId, request.query, clock.monotonicMs());',
        replacement: `      if (/^(election|lease)-/.test(request.query.type)) {
        connection.reply(request.requestId, answer(machine, request.query));
        return;
      }
      reads.add(connection, request.requestId, request.query, clock.monotonicMs());`,
      },
      {
        file: 'packages/raft/src/timers.ts',
        anchor: `if (role.type === 'leader' && isQuorumSilent(state, role, excusedMs))`,
        replacement: `if (role.type === 'leader' && state.nowMs < 0)`,
      },
    ],
    caughtBy: ['I12'],
    by: ['storm'],
    faults: ['partition'],
    world: { nodeCount: 5, clientCount: 8 },
  },
  {
    id: 'P81',
    title: 'takes a tick of its loop for a stall, and discards most of it',
    class: 'a',
    edits: [
      {
        file: CLUSTER_CLOCK,
        anchor: 'const ELAPSED_MAX_MS = 200;',
        replacement: 'const ELAPSED_MAX_MS = 20;',
      },
    ],
    caughtBy: ['L7'],
    by: ['storm'],
  },
  {
    id: 'M29',
    title: 'lets a node whose disk was emptied back in under its old identity',
    class: 'a',
    edits: [
      {
        file: 'packages/raft/src/bootstrap.ts',
        anchor: 'if (known.incarnation !== self.incarnation) {',
        replacement: 'if (known.incarnation.length !== self.incarnation.length) {',
      },
      {
        file: 'packages/raft/src/bootstrap.ts',
        anchor: '({ id, incarnation }) => id === member.id && incarnation === member.incarnation,',
        replacement: '({ id }) => id === member.id,',
      },
    ],
    caughtBy: ['S1', 'S2', 'S12', 'S14', 'S18'],
    by: ['storm'],
    faults: ['wipe'],
    needs: 'wipe',
  },
  {
    id: 'N03',
    title: 'lets cluster time start anew with each leader, so that leases outlive it',
    seenIn: 'etcd-io/etcd#13491, etcd-io/etcd#17132',
    class: 'b',
    edits: [
      {
        file: LEADERSHIP,
        anchor: 'Math.max(replica.lastStampMs, this.#machine.clusterTimeMs)',
        replacement:
          'Math.max(0, Math.min(replica.lastStampMs, this.#machine.clusterTimeMs) - 60_000)',
      },
    ],
    caughtBy: ['L7', 'L11'],
    by: ['storm'],
  },
];
