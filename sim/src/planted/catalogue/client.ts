import type { PlantedBug } from '../bug.js';

const CANDIDACY = 'packages/client/src/candidacy.ts';
const DEADLINE = 'packages/client/src/deadline.ts';
const GRANT = 'packages/client/src/grant.ts';
const HELD_LEASE = 'packages/client/src/held-lease.ts';
const KV = 'packages/client/src/kv.ts';
const OBSERVE = 'packages/client/src/observe.ts';
const OUTCOME = 'packages/client/src/outcome.ts';
const REQUESTS = 'packages/client/src/requests.ts';
const SESSION = 'packages/client/src/session.ts';
const WATCH_STREAM = 'packages/client/src/watch-stream.ts';

/** The library: deadlines, retries, sessions, watches. */
export const CLIENT_BUGS: readonly PlantedBug[] = [
  {
    id: 'N04',
    title: 'counts a lease from the receipt of its acknowledgement',
    class: 'b',
    edits: [
      {
        file: HELD_LEASE,
        anchor: 'if (result.applied && this.#deadline.acknowledge(sentAt)) this.#shaken = false;',
        replacement:
          'if (result.applied && this.#deadline.acknowledge(this.#now())) this.#shaken = false;',
      },
    ],
    caughtBy: ['L4'],
    by: ['explore:lease'],
    faults: ['freeze-client', 'client-cut', 'delay'],
  },
  {
    id: 'N05',
    title: 'subtracts neither the drift of clocks nor a margin nor time to stop',
    class: 'b',
    edits: [
      {
        file: DEADLINE,
        anchor: 'return (ttlMs * (1 - CLOCK_RATE_BOUND)) / (1 + CLOCK_RATE_BOUND) - marginMs;',
        replacement: 'return ttlMs + 0 * marginMs;',
      },
      {
        file: DEADLINE,
        anchor: 'return this.remainingMs(now) - stopBudgetMs(this.#ttlMs);',
        replacement: 'return this.remainingMs(now);',
      },
    ],
    caughtBy: ['L4'],
    by: ['storm'],
    faults: ['clock-rate', 'client-cut', 'client-death'],
    needs: 'clock-rate',
  },
  {
    id: 'N12',
    title: 'asserts its leadership by what timers told, without reading the clocks',
    seenIn: 'jepsen-io/etcd',
    class: 'a',
    edits: [
      {
        file: GRANT,
        anchor: '    this.assertAlive();\n    const { remainingMs } = this.lease;',
        replacement: `    if (this.#end !== 'none') throw this.#loss ?? this.#lossError('expired');
    if (minRemainingMs === 0) return;
    const { remainingMs } = this.lease;`,
      },
    ],
    caughtBy: ['L4'],
    by: ['storm'],
    faults: ['freeze-client'],
    needs: 'freeze-client',
    only: 'L4',
  },
  {
    id: 'P60',
    title: 'counts a grant that it hears of as a renewal of its lease',
    class: 'b',
    edits: [
      {
        file: CANDIDACY,
        anchor: '    if (!this.#lease.check()) return;\n    this.#over = true;',
        replacement: `    if (!this.#lease.check()) return;
    const { id, ttlMs, attempt } = this.#lease;
    const news = { applied: true, attempt: 0, lastAttempt: attempt, ending: false, grants: [] };
    const result = { outcome: 'renewed', lease: id, ttlMs, ...news } as const;
    this.#lease.renewed(result, this.#core.ports.time.now());
    this.#over = true;`,
      },
    ],
    caughtBy: ['L4'],
    by: ['storm'],
    faults: ['delay', 'client-cut', 'freeze-client'],
  },
  {
    id: 'P61',
    title: 'keeps a leadership alive that the cluster has ended',
    class: 'b',
    edits: [
      {
        file: GRANT,
        anchor: `if (isGone || mine?.ending === true) this.lose('revoked');`,
        replacement: 'void isGone;',
      },
      {
        file: GRANT,
        anchor: `if (event.type === 'ending' && event`,
        replacement: `if (event.type === 'ended' || event.type === 'ending') return;
    if (event.type === 'ending' && event`,
      },
    ],
    caughtBy: ['L4'],
    by: ['storm'],
  },
  {
    id: 'P63',
    title: 'retries a command under a new sequence',
    class: 'a',
    edits: [
      {
        file: REQUESTS,
        anchor: "this.#waiting.drain('again', (call) => this.#send(call, leader));",
        replacement: `this.#waiting.drain('again', (call) =>
        call.body.type === 'command' && call.body.lane === 'data'
          ? this.#sendStamped(call, 'data', leader)
          : this.#send(call, leader),
      );`,
      },
    ],
    caughtBy: ['I14', 'linearizability'],
    by: ['storm'],
  },
  {
    id: 'P64',
    title: 'says of a command that timed out that it did not happen',
    class: 'a',
    edits: [
      {
        file: OUTCOME,
        anchor: `if (call.body.type === 'command' && call.doubts > 0) {`,
        replacement: `if (call.body.type === 'command' && call.doubts > 1_000) {`,
      },
    ],
    caughtBy: ['linearizability', 'I14'],
    by: ['storm'],
  },
  {
    id: 'P65',
    title: 'forgets its doubts about a command that one node answered with "outcome unknown"',
    class: 'a',
    edits: [
      {
        file: REQUESTS,
        anchor: 'if (!inDoubt) call.doubts -= 1;',
        replacement: 'call.doubts -= inDoubt ? 1 : 1;',
      },
    ],
    caughtBy: ['linearizability', 'I14'],
    by: ['storm'],
  },
  {
    id: 'P67',
    title: 'resumes a watch after the revision that it should resume from',
    class: 'a',
    edits: [
      {
        file: WATCH_STREAM,
        anchor: 'this.#from = ((revision as number) + 1) as Revision;',
        replacement: 'this.#from = ((revision as number) + 2) as Revision;',
      },
    ],
    caughtBy: ['L9'],
    by: ['storm'],
    only: 'L9',
  },
  {
    id: 'P68',
    title: 'resumes a watch with the revision it has delivered already',
    class: 'a',
    edits: [
      {
        file: WATCH_STREAM,
        anchor: 'this.#from = ((revision as number) + 1) as Revision;',
        replacement: 'this.#from = revision;',
      },
    ],
    caughtBy: ['L9'],
    by: ['storm'],
  },
  {
    id: 'P69',
    title: 'observes an election from one revision too late after its snapshot',
    class: 'b',
    edits: [
      {
        file: OBSERVE,
        anchor: 'this.#follow(((revision as number) + 1) as Revision);',
        replacement: 'this.#follow(((revision as number) + 2) as Revision);',
      },
    ],
    caughtBy: ['L9'],
    by: ['storm'],
  },
  {
    id: 'P70',
    title: 'tells an observer of grants only, never of a vacancy',
    class: 'b',
    edits: [
      {
        file: OBSERVE,
        anchor: "else if (event.type === 'ended' && leader?.holder === event.campaignId)",
        replacement: "else if (event.type === 'ended' && leader === null)",
      },
    ],
    caughtBy: ['L9'],
    by: ['storm'],
  },
  {
    id: 'P71',
    title: 'measures what it holds by the wall clock alone',
    class: 'b',
    edits: [
      {
        file: 'packages/client/src/timekeeper.ts',
        anchor: 'const monotonicMs = this.#clock.monotonicMs();\n    const offsetMs',
        replacement: 'const monotonicMs = this.#clock.wallMs();\n    const offsetMs',
      },
      {
        file: 'packages/client/src/timekeeper.ts',
        anchor: 'const monotonicMs = clock.monotonicMs();',
        replacement: 'const monotonicMs = clock.wallMs();',
      },
    ],
    caughtBy: ['L4'],
    by: ['storm'],
    faults: ['clock-jump'],
    needs: 'clock-jump',
  },
  {
    id: 'P66',
    title: 'marks requests as answered that still wait for their answer',
    class: 'a',
    edits: [
      {
        file: SESSION,
        anchor:
          'return { session: this.id, openedAtMs: this.openedAtMs, sequence, mark: this.#mark };',
        replacement:
          'return { session: this.id, openedAtMs: this.openedAtMs, sequence, mark: sequence };',
      },
    ],
    caughtBy: ['C20'],
    by: ['storm'],
    faults: ['client-cut'],
  },
  {
    id: 'P76',
    title: 'puts a key without the lease that was asked for',
    class: 'a',
    edits: [
      {
        file: KV,
        anchor: '    lease: toLeaseId(options.lease),',
        replacement: '    lease: undefined,',
      },
    ],
    caughtBy: ['I14'],
    by: ['storm'],
    only: 'I14',
  },
  {
    id: 'P77',
    title: 'never opens a watch again whose connection has failed',
    class: 'a',
    edits: [
      {
        file: WATCH_STREAM,
        anchor: '    if (ELSEWHERE.has(error.code) && this.#connection?.ready)',
        replacement: `    if (this.#connection?.ready !== true) return;
    if (ELSEWHERE.has(error.code))`,
      },
    ],
    caughtBy: ['L9'],
    by: ['storm'],
  },
  {
    id: 'P78',
    title: 'resumes a watch that has shown nothing yet from the present, not from where it stood',
    class: 'b',
    edits: [
      {
        file: WATCH_STREAM,
        anchor: '      this.#from ??= body.revision;\n',
        replacement: '',
      },
    ],
    caughtBy: ['L9'],
    by: ['storm'],
    faults: ['client-cut'],
  },
  {
    id: 'P79',
    title: 'says that a lease is lost when it may end, which leaves no time to stop',
    class: 'a',
    edits: [
      {
        file: DEADLINE,
        anchor: 'return this.remainingMs(now) - stopBudgetMs(this.#ttlMs);',
        replacement: 'return this.remainingMs(now);',
      },
    ],
    caughtBy: ['L4'],
    by: ['storm'],
    faults: ['client-cut'],
  },
];
