import type { PlantedBug } from '../bug.js';

const ELECTIONS = 'packages/coordinator/src/elections.ts';
const FENCES = 'packages/coordinator/src/fences.ts';
const GRANTS = 'packages/coordinator/src/grants.ts';
const LEASES = 'packages/coordinator/src/leases.ts';
const SESSIONS = 'packages/coordinator/src/sessions.ts';
const STATE_MACHINE = 'packages/coordinator/src/state-machine.ts';

/** The replicated state machine: leases, elections, tokens, guards, exactly-once, keys. */
export const COORDINATOR_BUGS: readonly PlantedBug[] = [
  {
    id: 'M39',
    title: 'applies a retried command once more',
    seenIn: 'RedisLabs/redisraft',
    class: 'a',
    edits: [
      {
        file: SESSIONS,
        anchor: 'const kept = session.replies.get(sequence);\n  if (kept === undefined) return',
        replacement: 'const kept = undefined;\n  if (kept === undefined) return',
      },
    ],
    caughtBy: ['I14', 'linearizability'],
    by: ['storm'],
    faults: ['client-cut'],
    needs: 'client-cut',
  },
  {
    id: 'P20',
    title: 'keeps no outcomes of transactions, so that a retry runs again',
    class: 'a',
    edits: [
      {
        file: SESSIONS,
        anchor: 'const bytes = replyBytes(result);',
        replacement: `if (result.type === 'txn') return;
  const bytes = replyBytes(result);`,
      },
    ],
    caughtBy: ['I14', 'linearizability'],
    by: ['storm'],
  },
  {
    id: 'P21',
    title: 'runs a late duplicate of a request that was answered for good (mark ignored)',
    class: 'b',
    edits: [
      {
        file: SESSIONS,
        anchor: `  if (sequence < session.mark) {
    return answer({ code: 'STALE_REQUEST', sequence, mark: session.mark });
  }
`,
        replacement: '',
      },
    ],
    caughtBy: ['I14', 'linearizability'],
    by: ['storm'],
    faults: ['delay'],
    needs: 'delay',
  },
  {
    id: 'P22',
    title: 'checks guards before it looks for the first outcome of a retry',
    class: 'b',
    edits: [
      {
        file: STATE_MACHINE,
        anchor: 'const admission = admit(state, entry, settings, stamp);',
        replacement: `if ('guards' in command) {
      const refusal = guardRefusal(state, command.guards);
      if (refusal !== undefined) return refused(refusal);
    }
    const admission = admit(state, entry, settings, stamp);`,
      },
    ],
    caughtBy: ['I14', 'linearizability', 'C20'],
    by: ['storm'],
  },
  {
    id: 'N01',
    title: "lets the leader's own clock into apply",
    class: 'a',
    edits: [
      {
        file: STATE_MACHINE,
        anchor: 'const commands = dueCommands(this.#state, clusterTimeMs, wallTimeMs);',
        replacement: `const known = this.#state.clusterTimeMs;
    this.#state.clusterTimeMs = Math.max(known, clusterTimeMs);
    const commands = dueCommands(this.#state, clusterTimeMs, wallTimeMs);`,
      },
    ],
    caughtBy: ['L5'],
    by: ['storm'],
  },
  {
    id: 'N02',
    title: 'expires a lease although it was renewed since',
    seenIn: 'etcd-io/etcd#15247, etcd-io/etcd#12528',
    class: 'b',
    edits: [
      {
        file: LEASES,
        anchor: 'if (lease === undefined || lease.renewals !== renewals) continue;',
        replacement: 'if (lease === undefined || renewals < 0) continue;',
      },
      {
        file: LEASES,
        anchor: '    if (entry.timeMs < lease.expiresAtMs) continue;\n',
        replacement: '',
      },
    ],
    caughtBy: ['L6', 'L7'],
    by: ['storm'],
    only: 'L6',
  },
  {
    id: 'P23',
    title: 'takes renewals that follow quickly for duplicates and moves nothing',
    class: 'a',
    edits: [
      {
        file: LEASES,
        anchor: 'const hadTimeLeft = lease.expiresAtMs > entry.timeMs;',
        replacement: `const hadTimeLeft = lease.expiresAtMs > entry.timeMs;
  if (lease.expiresAtMs - entry.timeMs > lease.ttlMs / 4) {
    lease.attempt = renewal.attempt;
    return true;
  }`,
      },
    ],
    caughtBy: ['L4', 'L6', 'L7'],
    by: ['storm'],
  },
  {
    id: 'P24',
    title: 'expires a lease before its time',
    class: 'a',
    edits: [
      {
        file: LEASES,
        anchor: '  lease.expiresAtMs = entry.timeMs + lease.ttlMs;',
        replacement: '  lease.expiresAtMs = entry.timeMs + Math.floor(lease.ttlMs / 2);',
      },
    ],
    caughtBy: ['L4', 'L7'],
    by: ['storm'],
  },
  {
    id: 'N06',
    title: 'gives every grant the same token',
    class: 'a',
    edits: [
      {
        file: GRANTS,
        anchor: 'state.token = (state.token + 1n) as FencingToken;',
        replacement: 'state.token = (state.token + 0n) as FencingToken;',
      },
    ],
    caughtBy: ['L1'],
    by: ['storm', 'explore:lease'],
  },
  {
    id: 'P25',
    title: 'mints a token when a holder renews',
    class: 'a',
    edits: [
      {
        file: LEASES,
        anchor: '  if (hadTimeLeft) return true;',
        replacement: `  for (const { grant } of campaignsOf(state, lease)) {
    if (grant === undefined) continue;
    state.token = (state.token + 1n) as typeof state.token;
    grant.leader = { ...grant.leader, token: state.token };
  }
  if (hadTimeLeft) return true;`,
      },
    ],
    caughtBy: ['L1', 'L9'],
    by: ['storm', 'explore:lease'],
  },
  {
    id: 'P26',
    title: 'promotes the next candidate in a later entry than the one that ended the holder',
    class: 'a',
    edits: [
      {
        file: GRANTS,
        anchor: 'if (election.grant === undefined) grantNext(state, entry, election);',
        replacement: `const ended = entry.events.some((event) => event.type === 'ended');
    if (election.grant === undefined && !ended) grantNext(state, entry, election);`,
      },
    ],
    caughtBy: ['C5'],
    by: ['storm'],
  },
  {
    id: 'P27',
    title: 'grants a candidate although somebody still holds',
    class: 'a',
    edits: [
      {
        file: GRANTS,
        anchor: 'if (election.grant === undefined) grantNext(state, entry, election);',
        replacement: `const { grant } = election;
    if (grant === undefined || grant.ending !== undefined) grantNext(state, entry, election);`,
      },
      {
        file: GRANTS,
        anchor: `  entry.events.push({ type: 'ending', leader: grant.leader });`,
        replacement: `  entry.events.push({ type: 'ending', leader: grant.leader });
  const election = state.elections.get(grant.leader.election);
  if (election !== undefined) touchElection(entry, election);`,
      },
    ],
    caughtBy: ['L2'],
    by: ['storm'],
  },
  {
    id: 'P28',
    title: 'accepts a guarded write of any grant while the election has a leader',
    class: 'a',
    edits: [
      {
        file: FENCES,
        anchor: `if (!isInForce(state.elections.get(election), token)) return fenced`,
        replacement: `const leader = leaderRecordOf(state.elections.get(election));
    if (leader === undefined || token < 0n) return fenced`,
      },
    ],
    caughtBy: ['C3', 'L3'],
    by: ['storm', 'explore:lease'],
  },
  {
    id: 'P29',
    title: 'checks the guard of a write when it is proposed, not when it is applied',
    class: 'b',
    edits: [
      {
        file: STATE_MACHINE,
        anchor: `      const refusal = guardRefusal(state, command.guards);
      if (refusal !== undefined) return refused(refusal);`,
        replacement: '',
      },
      {
        file: 'packages/server/src/requests.ts',
        anchor: 'const { stamp, command } = logged;',
        replacement: `const { stamp, command } = logged;
    for (const { election, token } of 'guards' in command ? command.guards : []) {
      const shown = this.#parts.machine.query({ type: 'election-show', election });
      const leader = shown.type === 'election-show' ? shown.election?.leader : undefined;
      if (leader?.token === token && !leader.ending) continue;
      const refusal = { code: 'FENCED', election, current: leader?.token } as const;
      connection.reply(requestId, { type: 'command', result: { type: 'refused', refusal } });
      return;
    }`,
      },
    ],
    caughtBy: ['C3'],
    by: ['storm'],
    only: 'C3',
  },
  {
    id: 'P30',
    title: 'lets a grant that is ending still write',
    class: 'a',
    edits: [
      {
        file: GRANTS,
        anchor: 'return leader !== undefined && leader.token === token && !leader.ending;',
        replacement: 'return leader !== undefined && leader.token === token;',
      },
    ],
    caughtBy: ['C3'],
    by: ['storm'],
  },
  {
    id: 'N09',
    title: 'lets a renewal revive a lease that has expired',
    class: 'b',
    edits: [
      {
        file: LEASES,
        anchor: '  state.leases.delete(lease.id);',
        replacement: `  if (reason === 'lease-expired') {
    lease.expiresAtMs = entry.timeMs + lease.ttlMs;
    state.deadlines.leases.set(lease, lease.expiresAtMs);
    return;
  }
  state.leases.delete(lease.id);`,
      },
    ],
    caughtBy: ['L8'],
    by: ['storm'],
  },
  {
    id: 'N10a',
    title: "ends a holder's grant at once on a stranger's withdrawal",
    class: 'b',
    edits: [
      {
        file: ELECTIONS,
        anchor: 'if (session !== lease.owner && endsAtMs > entry.timeMs) {',
        replacement: 'if (session === undefined && endsAtMs > entry.timeMs) {',
      },
    ],
    caughtBy: ['L4', 'L10'],
    by: ['storm'],
  },
  {
    id: 'N10b',
    title: "ends a holder's lease at once on a stranger's revocation",
    class: 'a',
    edits: [
      {
        file: LEASES,
        anchor: 'if (session === lease.owner || !hasGrants || waitMs <= 0) {',
        replacement: 'if (session !== undefined || !hasGrants || waitMs <= 0) {',
      },
    ],
    caughtBy: ['L4', 'L10'],
    by: ['storm'],
  },
  {
    id: 'P31',
    title: 'leaves an election alone whose holder was revoked and never let go',
    class: 'b',
    edits: [
      {
        file: GRANTS,
        anchor: '  state.deadlines.endingGrants.set(grant, endsAtMs);\n',
        replacement: '',
      },
      {
        file: LEASES,
        anchor: 'if (lease === undefined || lease.renewals !== renewals) continue;',
        replacement:
          'if (lease === undefined || lease.ending || lease.renewals !== renewals) continue;',
      },
    ],
    caughtBy: ['C1'],
    by: ['storm'],
  },
  {
    id: 'P32',
    title: 'lets a late campaign stand that was withdrawn since (no mark, no tombstone)',
    class: 'b',
    edits: [
      {
        file: ELECTIONS,
        anchor: 'if (lease.campaignIds.has(campaignId)) return',
        replacement: 'if (lease.campaignIds.size < 0) return',
      },
      {
        file: SESSIONS,
        anchor: 'if (sequence < session.mark) {',
        replacement: 'if (sequence < 0) {',
      },
    ],
    caughtBy: ['C6'],
    by: ['storm'],
    faults: ['delay', 'client-cut'],
  },
  {
    id: 'P36',
    title: 'looks for leases that have run out an hour late',
    class: 'a',
    edits: [
      {
        file: 'packages/coordinator/src/due.ts',
        anchor: 'const expired = leases.due(clusterTimeMs, SYSTEM_BATCH_MAX);',
        replacement: 'const expired = leases.due(clusterTimeMs - 3_600_000, SYSTEM_BATCH_MAX);',
      },
    ],
    caughtBy: ['L11'],
    by: ['storm'],
  },
  {
    id: 'N08a',
    title: 'advances the fence of a resource for a grant that has ended',
    class: 'b',
    edits: [
      {
        file: FENCES,
        anchor: 'if (!isInForce(state.elections.get(election), token)) return refused(',
        replacement: 'if (token < 0n) return refused(',
      },
      {
        file: FENCES,
        anchor: `    assert(token >= fence.token, 'the tokens of one election only grow');
`,
        replacement: '',
      },
    ],
    caughtBy: ['C3'],
    by: ['storm'],
  },
];
