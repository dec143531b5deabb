import { type Guard, utf8ByteString } from '@raftd/protocol';
import type { LockInput, LockOperation, LockOutput } from '../linearizability/index.js';
import type { LeadershipWon, OperationReturned, StormEvent } from '../storm/events.js';
import type { CanonicalEntry } from './canonical-log.js';
import type { HistoryContext } from './checker.js';
import type { GrantState } from './election-table.js';
import { writeName } from './exactly-once.js';

interface Won {
  readonly won: LeadershipWon;
  readonly callMs: number;
  readonly wonAtMs: number;
}

interface GuardedPut {
  readonly client: string;
  readonly name: string;
  readonly callMs: number;
}

interface Moment {
  readonly grant: GrantState;
  readonly atMs: number;
}

const STRANGER = 'stranger';

/**
 * Elections as fenced locks. Clients say when they won and which guarded writes were accepted. The
 * log says when the cluster ended a grant: at its entry's first apply, for every operation of a
 * lower index was called by then, and none of a higher index has returned.
 */
export class LockHistory {
  readonly #context: HistoryContext;
  /** Campaigns under way, by client: when each was called. */
  readonly #campaigns = new Map<string, Map<number, number>>();
  /** The campaign that was answered last, by client: its win is told right after. */
  readonly #answered = new Map<string, { readonly callMs: number; readonly atMs: number }>();
  readonly #won: Won[] = [];
  readonly #puts = new Map<number, GuardedPut>();
  readonly #guards = new Map<string, readonly Guard[]>();
  readonly #operations: LockOperation[] = [];
  /** Grants that a stranger asked to end, and those that their holders gave back. */
  readonly #marked: Moment[] = [];
  readonly #released: Moment[] = [];

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  follow(event: StormEvent): void {
    if (event.type === 'leadership-won') this.#onWon(event);
    else if (event.type === 'operation-returned') this.#onReturned(event);
    else if (event.type === 'operation-invoked') {
      const { client, operation, call } = event;
      const callMs = this.#context.probe.trueMs;
      if (call.type === 'put' && call.guarded) {
        const name = writeName(utf8ByteString(call.key), utf8ByteString(call.value));
        this.#puts.set(operation, { client, name, callMs });
      } else if (call.type === 'other' && CAMPAIGNS.has(call.name)) {
        const under = this.#campaigns.get(client) ?? new Map<number, number>();
        this.#campaigns.set(client, under.set(operation, callMs));
      }
    }
  }

  /** The tables show what is after the entry. */
  followEntry({ logged, changes, appliedAtMs: atMs }: CanonicalEntry): void {
    if (changes === undefined) return;
    const { elections, keys } = this.#context.log;
    const command = logged?.command;
    for (const event of changes.events) {
      if (event.type === 'put' && command !== undefined && 'guards' in command) {
        if (command.guards.length === 0) continue;
        const value = keys.current(event.record.key)?.value ?? '';
        this.#guards.set(writeName(event.record.key, value), command.guards);
      } else if (event.type === 'ending') {
        const grant = elections.grantOf(event.leader.token);
        if (grant !== undefined) this.#marked.push({ grant, atMs });
      } else if (event.type === 'ended') {
        const grant = elections.grantOf(event.token);
        if (grant !== undefined && isOwnWord(grant)) this.#released.push({ grant, atMs });
      }
    }
  }

  operations(): readonly LockOperation[] {
    const nowMs = this.#context.probe.trueMs;
    const known = new Set(this.#won.map(({ won }) => won.token));
    const history = [...this.#operations];
    for (const { won, callMs, wonAtMs } of this.#won) {
      const { client, election: lock, holder: owner, token } = won;
      const ended = this.#context.log.elections.grantOf(token);
      const isExpired = ended?.ended !== undefined && !isOwnWord(ended);
      const heldUntilMs = isExpired ? (ended.ended?.endedAtMs ?? nowMs) : nowMs + 1;
      const input = { type: 'acquire', lock, owner, heldUntilMs } as const;
      add(history, client, { callMs, returnMs: wonAtMs }, input, {
        type: 'acquire',
        token: Number(token),
      });
    }
    for (const { grant, atMs } of this.#marked) {
      if (known.has(grant.token)) addRelease(history, grant, atMs, STRANGER, 'ending');
    }
    for (const { grant, atMs } of this.#released) {
      if (known.has(grant.token)) addRelease(history, grant, atMs, grant.campaignId, 'released');
    }
    return history;
  }

  #onWon(won: LeadershipWon): void {
    const wonAtMs = this.#context.probe.trueMs;
    const under = this.#campaigns.get(won.client);
    const answered = this.#answered.get(won.client);
    const answeredMs = answered?.atMs === wonAtMs ? answered.callMs : wonAtMs;
    // Which of its campaigns it was is not told: the first one began before, at any rate.
    const callMs = Math.min(answeredMs, ...(under?.values() ?? []));
    this.#won.push({ won, callMs, wonAtMs });
  }

  #onReturned({ client, operation, outcome }: OperationReturned): void {
    const calledMs = this.#campaigns.get(client)?.get(operation);
    if (calledMs !== undefined) {
      this.#campaigns.get(client)?.delete(operation);
      this.#answered.set(client, { callMs: calledMs, atMs: this.#context.probe.trueMs });
    }
    const put = this.#puts.get(operation);
    if (put === undefined) return;
    this.#puts.delete(operation);
    if (outcome.type !== 'answered') return;
    const times = { callMs: put.callMs, returnMs: this.#context.probe.trueMs };
    for (const { election: lock, token } of this.#guards.get(put.name) ?? []) {
      const owner = this.#context.log.elections.grantOf(token)?.campaignId ?? STRANGER;
      const input = { type: 'write', lock, owner, token: Number(token) } as const;
      add(this.#operations, client, times, input, { type: 'write', accepted: true });
    }
  }
}

/** Names of calls that may end in leadership. */
const CAMPAIGNS: ReadonlySet<string> = new Set(['campaign', 'run']);

/** Nobody but the holder ends a grant that is neither marked nor expired. */
function isOwnWord({ isEnding, ended }: GrantState): boolean {
  return ended !== undefined && !isEnding && ended.reason !== 'lease-expired';
}

function addRelease(
  history: LockOperation[],
  { election: lock, token }: GrantState,
  atMs: number,
  owner: string,
  outcome: 'ending' | 'released',
): void {
  const times = { callMs: atMs, returnMs: atMs };
  const input = { type: 'release', lock, owner, token: Number(token) } as const;
  add(history, owner, times, input, { type: 'release', outcome });
}

function add(
  history: LockOperation[],
  process: string,
  times: { readonly callMs: number; readonly returnMs: number },
  input: LockInput,
  output: LockOutput,
): void {
  history.push({ id: history.length, process, ...times, input, output });
}
