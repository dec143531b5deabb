import type { LockInput, LockOperation, LockOutput } from '../linearizability/index.js';
import type {
  GuardSeen,
  LeadershipWon,
  OperationInvoked,
  OperationReturned,
  SeenElection,
  StormEvent,
} from '../storm/events.js';
import type { CanonicalEntry } from './canonical-log.js';
import type { HistoryContext } from './checker.js';
import type { GrantState } from './election-table.js';

interface Won {
  readonly won: LeadershipWon;
  readonly callMs: number;
  readonly wonAtMs: number;
}

/** A call that looks at elections, or writes in the name of a grant. */
interface Asked {
  readonly client: string;
  readonly callMs: number;
  readonly guarded: GuardSeen | undefined;
  /** A refusal tells that the grant is over. A fence may be that of another election (C3). */
  readonly tells: boolean;
}

/** Campaigns that one moment answered: when the first of them was called. */
interface Answered {
  readonly callMs: number;
  readonly atMs: number;
}

interface Times {
  readonly callMs: number;
  readonly returnMs: number;
}

interface Acquired {
  readonly election: string;
  readonly token: bigint;
  readonly holder: string;
}

interface Moment {
  readonly grant: GrantState;
  readonly atMs: number;
}

const STRANGER = 'stranger';

/**
 * Elections as fenced locks. Clients say when they won, who they were told holds it, and which
 * writes in the name of a grant were accepted or refused, by the cluster or by a resource (which
 * refuses what is older than something granted). The log says when the cluster ended a grant, and
 * when it made one of which no client was told: at its entry's first apply, for every operation of
 * a lower index was called by then, and none of a higher index has returned. Campaigns that gave up
 * say nothing: perhaps nobody held it and no leader could be reached.
 */
export class LockHistory {
  readonly #context: HistoryContext;
  /** Campaigns under way, by client: when each was called. */
  readonly #campaigns = new Map<string, Map<number, number>>();
  /** The campaigns that were answered last, by client: their wins are told right after. */
  readonly #answered = new Map<string, Answered>();
  readonly #won: Won[] = [];
  readonly #asked = new Map<number, Asked>();
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
    else if (event.type === 'operation-invoked') this.#onInvoked(event);
    else if (event.type === 'resource-write' && !event.accepted) {
      this.#addWrite(event.client, momentOf(this.#context.probe.trueMs), event, false);
    }
  }

  /** The tables show what is after the entry. */
  followEntry({ changes, appliedAtMs: atMs }: CanonicalEntry): void {
    if (changes === undefined) return;
    const { elections } = this.#context.log;
    for (const event of changes.events) {
      if (event.type === 'ending') {
        const grant = elections.grantOf(event.leader.token);
        if (grant !== undefined) this.#marked.push({ grant, atMs });
      } else if (event.type === 'ended') {
        const grant = elections.grantOf(event.token);
        if (grant !== undefined && isOwnWord(grant)) this.#released.push({ grant, atMs });
      }
    }
  }

  operations(): readonly LockOperation[] {
    const history = [...this.#operations];
    const told = new Set(this.#won.map(({ won }) => won.token));
    for (const { won, callMs, wonAtMs: returnMs } of this.#won) {
      this.#addAcquire(history, won.client, { callMs, returnMs }, won);
    }
    for (const grant of this.#context.log.elections.grants()) {
      const { election, token, campaignId: holder, grantedAtMs: atMs } = grant;
      if (told.has(token)) continue;
      this.#addAcquire(history, holder, momentOf(atMs), { election, token, holder });
    }
    for (const { grant, atMs } of this.#marked) addRelease(history, grant, atMs, 'ending');
    for (const { grant, atMs } of this.#released) addRelease(history, grant, atMs, 'released');
    return history;
  }

  #addAcquire(history: LockOperation[], process: string, times: Times, got: Acquired): void {
    const { election: lock, token, holder: owner } = got;
    const grant = this.#context.log.elections.grantOf(token);
    const isExpired = grant?.ended !== undefined && !isOwnWord(grant);
    const nowMs = this.#context.probe.trueMs;
    const heldUntilMs = isExpired ? (grant.ended?.endedAtMs ?? nowMs) : nowMs + 1;
    const output = { type: 'acquire', token: Number(token) } as const;
    add(history, process, times, { type: 'acquire', lock, owner, heldUntilMs }, output);
  }

  #onInvoked({ client, operation, call }: OperationInvoked): void {
    const callMs = this.#context.probe.trueMs;
    if ('guarded' in call && call.guarded !== undefined) {
      const tells = call.type !== 'fence-advance';
      this.#asked.set(operation, { client, callMs, guarded: call.guarded, tells });
    } else if (call.type === 'look' && !call.stale) {
      this.#asked.set(operation, { client, callMs, guarded: undefined, tells: false });
    } else if (call.type === 'other' && CAMPAIGNS.has(call.name)) {
      const under = this.#campaigns.get(client) ?? new Map<number, number>();
      this.#campaigns.set(client, under.set(operation, callMs));
    }
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
      this.#noteAnswered(client, calledMs);
    }
    const asked = this.#asked.get(operation);
    if (asked === undefined) return;
    this.#asked.delete(operation);
    const times = { callMs: asked.callMs, returnMs: this.#context.probe.trueMs };
    const { guarded } = asked;
    if (guarded !== undefined) {
      const isRefused = asked.tells && outcome.type === 'failed' && outcome.code === 'FENCED';
      if (outcome.type === 'answered') this.#addWrite(client, times, guarded, true);
      else if (isRefused) this.#addWrite(client, times, guarded, false);
    } else if (outcome.type === 'answered' && outcome.answer.type === 'elections') {
      for (const shown of outcome.answer.elections) this.#addLook(client, times, shown);
    }
  }

  /** One reconnect may answer several at once, before the first of their wins is told. */
  #noteAnswered(client: string, calledMs: number): void {
    const atMs = this.#context.probe.trueMs;
    const others = this.#answered.get(client);
    const callMs = others?.atMs === atMs ? Math.min(others.callMs, calledMs) : calledMs;
    this.#answered.set(client, { callMs, atMs });
  }

  #addWrite(client: string, times: Times, guarded: GuardSeen, accepted: boolean): void {
    const { election: lock, token } = guarded;
    const owner = this.#context.log.elections.grantOf(token)?.campaignId ?? STRANGER;
    const input = { type: 'write', lock, owner, token: Number(token) } as const;
    add(this.#operations, client, times, input, { type: 'write', accepted });
  }

  #addLook(client: string, times: Times, { election: lock, leader }: SeenElection): void {
    const holder =
      leader === undefined ? undefined : { owner: leader.holder, token: Number(leader.token) };
    add(this.#operations, client, times, { type: 'holder', lock }, { type: 'holder', holder });
  }
}

/** Names of calls that may end in leadership. */
const CAMPAIGNS: ReadonlySet<string> = new Set(['campaign', 'run']);

/** Nobody but the holder ends a grant that is neither marked nor expired. */
function isOwnWord({ isEnding, ended }: GrantState): boolean {
  return ended !== undefined && !isEnding && ended.reason !== 'lease-expired';
}

function momentOf(atMs: number): Times {
  return { callMs: atMs, returnMs: atMs };
}

function addRelease(
  history: LockOperation[],
  { election: lock, token, campaignId }: GrantState,
  atMs: number,
  outcome: 'ending' | 'released',
): void {
  const owner = outcome === 'released' ? campaignId : STRANGER;
  const input = { type: 'release', lock, owner, token: Number(token) } as const;
  add(history, owner, momentOf(atMs), input, { type: 'release', outcome });
}

function add(
  history: LockOperation[],
  process: string,
  times: Times,
  input: LockInput,
  output: LockOutput,
): void {
  history.push({ id: history.length, process, ...times, input, output });
}
