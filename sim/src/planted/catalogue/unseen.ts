import type { PlantedBug } from '../bug.js';

const LEADERSHIP = 'packages/server/src/leadership.ts';
const REQUESTS = 'packages/server/src/requests.ts';
const ROLES = 'packages/raft/src/roles.ts';
const TERM_GATE = 'packages/raft/src/term-gate.ts';
const REPLICATION = 'packages/raft/src/replication.ts';
const LEASE = 'packages/raft/src/lease.ts';
const WINDOW = 'packages/server/src/event-window.ts';
const WATCHES = 'packages/server/src/watches.ts';
const SESSIONS = 'packages/coordinator/src/sessions.ts';
const ENDPOINTS = 'packages/client/src/endpoints.ts';
const GRANT = 'packages/client/src/grant.ts';
const CLIENT_REQUESTS = 'packages/client/src/requests.ts';

/** Mistakes that no checker notices yet: no part of the catalogue until one does. */
export const UNSEEN_BUGS: readonly PlantedBug[] = [
  // Every command stamps time as well: only a pause of all clients with a change of leader
  // shows it, and no checker bounds from above what a change of leader may add.
  {
    id: 'P47',
    title: 'logs no time while leases live, so that a change of leader adds what had passed',
    class: 'a',
    edits: [
      {
        file: LEADERSHIP,
        anchor: 'else if (nowMs - this.#stampedAtMs >= STAMP_EVERY_MS &&',
        replacement: 'else if (nowMs - this.#stampedAtMs >= 240 * STAMP_EVERY_MS &&',
      },
    ],
    caughtBy: ['L11', 'L7'],
    by: ['storm'],
  },
  // Calls have deadlines, and whoever made them asks again: a forgotten command looks like one
  // whose answer was lost. It costs time, which no checker counts.
  {
    id: 'P49',
    title: 'forgets the commands that it held while it began to lead',
    class: 'b',
    edits: [
      {
        file: REQUESTS,
        anchor: 'for (const { connection, request } of held) this.#propose(connection, request);',
        replacement: 'void held;',
      },
    ],
    caughtBy: ['liveness'],
    by: ['storm'],
  },
  // An acknowledgement has to outlive two elections; explore's worlds of one term more are large.
  {
    id: 'M20',
    title: 'believes acknowledgements of an earlier term',
    class: 'b',
    edits: [
      {
        file: TERM_GATE,
        anchor: 'if (message.term < term) {',
        replacement: `if (message.term < term && message.type === 'append-accepted') return true;
  if (message.term < term) {`,
      },
      {
        file: REPLICATION,
        anchor: 'assert(matchIndex <= lastIndex(state.log),',
        replacement: 'assert(matchIndex >= 0,',
      },
    ],
    caughtBy: ['S18', 'S15'],
    by: ['storm'],
  },
  // A voter has to restart and be asked before the next heartbeat: 400 seeds did not meet it.
  {
    id: 'P12',
    title: 'forgets over a restart what it promised a leader',
    class: 'b',
    edits: [
      {
        file: LEASE,
        anchor: 'if (promiseMs === 0 || isSingleVoter(state)) return;',
        replacement: 'return;',
      },
    ],
    caughtBy: ['S25', 'S24'],
    by: ['storm'],
    faults: ['crash', 'partition', 'one-way-cut'],
  },
  // A watch has to come back for the very change that its node's window has just given up.
  {
    id: 'P51',
    title: 'says that its window reaches one revision further back than it does',
    class: 'b',
    edits: [
      {
        file: WINDOW,
        anchor: 'this.#lowestRevision = first.revision + 1;',
        replacement: 'this.#lowestRevision = first.revision;',
      },
    ],
    caughtBy: ['L9'],
    by: ['storm'],
  },
  // Two attempts of one grant have to straddle a change of leader, and the holder must be idle.
  {
    id: 'P62',
    title: 'counts the lease from the last attempt of its grant, not from the first',
    class: 'c',
    edits: [
      {
        file: CLIENT_REQUESTS,
        anchor: '    call.at = connection;\n    call.doubts += 1;',
        replacement: `    call.firstSentAt &&= this.#ports.time.now();
    call.at = connection;
    call.doubts += 1;`,
      },
    ],
    caughtBy: ['L4'],
    by: ['storm'],
  },
  // A grant has to be ended by a stranger between a renewal and its answer, near its deadline.
  {
    id: 'P73',
    title: 'hears nothing from a renewal that was built before its grant was known',
    seenIn: 'this client, until the simulator found it',
    class: 'b',
    edits: [
      {
        file: GRANT,
        anchor: 'if (isGone || mine?.ending === true)',
        replacement: 'if (isGone || (mine?.ending === true && attempt > this.#knownAtAttempt))',
      },
    ],
    caughtBy: ['L4'],
    by: ['storm'],
  },
  // Timers have to stay in step over ten elections; latencies and writes differ.
  {
    id: 'M38',
    title: 'has one election time-out for its whole life',
    class: 'b',
    edits: [
      {
        file: ROLES,
        anchor: 'return electionTimeoutMs * (1 + random());',
        replacement: 'return electionTimeoutMs * (random() > 1 ? 2 : 1.5);',
      },
    ],
    caughtBy: ['liveness'],
    by: ['storm'],
  },
  // A command sent before the close has to arrive after it: one connection keeps their order, and
  // a client closes only when its calls are answered. The coordinator's own properties find it.
  {
    id: 'P84',
    title: 'forgets a session that is closed, so that a late duplicate opens it again',
    class: 'c',
    edits: [
      {
        file: SESSIONS,
        anchor: `  session.closed = true;
  session.replies.clear();
  session.replyBytes = 0;
  state.deadlines.sessions.set(session, endsAtMs(session, settings));`,
        replacement: `  state.sessions.delete(stamp.session);
  state.deadlines.sessions.clear(session);`,
      },
    ],
    caughtBy: ['I14'],
    by: ['storm'],
  },
  // It costs a detour to a node that refuses: nothing wrong is ever answered, only later.
  {
    id: 'P85',
    title: 'believes hints of a leader whose term is over',
    class: 'b',
    edits: [
      {
        file: ENDPOINTS,
        anchor: 'if (known !== undefined && hint.term < known.term) return false;',
        replacement: '',
      },
    ],
    caughtBy: ['liveness'],
    by: ['storm'],
  },
  // A reader has to be slower than a whole window of changes; those of storms read at once.
  {
    id: 'P86',
    title: 'skips what a watch has not read yet when the window moves past it',
    class: 'c',
    edits: [
      {
        file: WATCHES,
        anchor: `      this.#end(watch, this.#compacted());
      return false;
    }
    const stop =`,
        replacement: `      position = this.#window.firstPosition;
    }
    const stop =`,
      },
    ],
    caughtBy: ['L9'],
    by: ['storm'],
  },
];
