import type { CommandResult, LoggedCommand } from '@raftd/coordinator';
import { Coordinator } from '@raftd/coordinator';
import {
  CommandTable,
  ELECTION,
  forgetting,
  INITIALIZE,
  leaseOf,
  plain,
} from './lease-commands.js';
import { type LeaseConfig, type LeaseMachine, STEP_MS } from './lease-config.js';
import type {
  Applied,
  LogEntry,
  LogPast,
  MachineNode,
  MachineView,
  Reply,
} from './machine-node.js';
import { broken, judge } from './machine-rules.js';

const TIME_ONLY = new Uint8Array();

/**
 * Logs are filled up to this index before they are compared, so that entries without effect leave
 * no trace in the digest.
 */
const COMPARED_AT = 128;

/** Long after every deadline: whatever lives is due. */
const LATER_STEPS = 100;

/**
 * The real state machine as a graph: every state once, every command applied to it once. A state
 * is reached by applying its log to a fresh machine, for the machine has no door to copy it by.
 */
export class ReplicatedMachine {
  readonly #config: LeaseConfig;
  readonly #table = new CommandTable();
  readonly #forget: readonly Uint8Array[];
  readonly #nodes = new Map<string, MachineNode>();
  readonly #applied = new Map<number, Map<number, Applied>>();
  readonly #due = new Map<number, Map<number, readonly Uint8Array[]>>();
  readonly #replies = new Map<string, Reply>();

  constructor(config: LeaseConfig) {
    this.#config = config;
    this.#forget = forgetting(config.clients).map((command) => this.#table.encode(command));
  }

  get size(): number {
    return this.#nodes.size;
  }

  first(): MachineNode {
    const machine = this.#replay([]);
    const payload = this.#table.encode(INITIALIZE);
    machine.apply(1, 0, payload);
    const leases = Array.from({ length: this.#config.clients }, () => ({
      granted: false,
      ended: false,
      renewals: 0,
    }));
    const past: LogPast = { lastToken: 0, holder: 0, writtenToken: 0, leases, answered: [] };
    const log = [{ atStep: 0, payload }];
    return this.#intern(machine, log, { past, view: this.#view(machine), violation: undefined });
  }

  /** The command as an entry stamped `atStep`; cluster time never goes back. */
  apply(node: MachineNode, atStep: number, command: LoggedCommand): Applied {
    return this.applyPayload(node, atStep, this.#table.encode(command));
  }

  /** What the leader logs while leases live. */
  stamp(node: MachineNode, atStep: number): MachineNode {
    if (!node.view.needsTime || atStep <= node.atStep) return node;
    return this.applyPayload(node, atStep, TIME_ONLY).node;
  }

  applyPayload(node: MachineNode, atStep: number, payload: Uint8Array): Applied {
    const command = payload.length === 0 ? 0 : this.#table.numberOf(payload) + 1;
    const known = remembered(this.#applied, node.id);
    const key = command * LATER_STEPS + atStep;
    let applied = known.get(key);
    if (applied === undefined) {
      applied = this.#apply(node, { atStep: Math.max(atStep, node.atStep), payload });
      known.set(key, applied);
    }
    return applied;
  }

  /** What a leader that has applied this much would propose at its own cluster time. */
  due(node: MachineNode, atStep: number): readonly Uint8Array[] {
    const known = remembered(this.#due, node.id);
    let due = known.get(atStep);
    if (due === undefined) {
      const atMs = atStep * STEP_MS;
      due = this.#replay(node.log).due(atMs, atMs);
      known.set(atStep, due);
    }
    return due;
  }

  commandOf(payload: Uint8Array): LoggedCommand {
    return this.#table.decode(payload);
  }

  /** For people; equal for equal commands. */
  describe(payload: Uint8Array): string {
    const { command } = this.#table.decode(payload);
    if (command.type === 'expire-leases') {
      return command.leases.map(({ lease, renewals }) => `expiry ${lease}#${renewals}`).join('+');
    }
    if (command.type === 'end-grants') {
      return command.grants.map(({ token }) => `end of grant ${token}`).join('+');
    }
    return `${command.type} ${this.#table.numberOf(payload)}`;
  }

  #apply(node: MachineNode, entry: LogEntry): Applied {
    const machine = this.#replay(node.log);
    const { payload } = entry;
    const atMs = entry.atStep * STEP_MS;
    const { result, changes } = machine.apply(node.log.length + 1, atMs, payload);
    machine.checkInvariants();
    const after = this.#view(machine);
    const command = payload.length === 0 ? undefined : this.#table.decode(payload);
    const judged = judge({
      past: node.past,
      before: node.view,
      after,
      command,
      result,
      changes,
      beforeMs: node.atStep * STEP_MS,
      afterMs: atMs,
    });
    const next = this.#intern(machine, [...node.log, entry], { ...judged, view: after });
    let granted: Applied['granted'];
    for (const event of changes?.events ?? []) {
      if (event.type !== 'granted') continue;
      const client = event.leader.candidate.charCodeAt(0) - 65;
      granted = { client, token: Number(event.leader.token) };
    }
    return { node: next, reply: this.#reply(result), granted };
  }

  #intern(
    machine: LeaseMachine,
    log: readonly LogEntry[],
    found: Pick<MachineNode, 'past' | 'view' | 'violation'>,
  ): MachineNode {
    const atStep = log.at(-1)?.atStep ?? 0;
    // This replica was asked for what is due, the other one below never is.
    machine.due((atStep + LATER_STEPS) * STEP_MS, (atStep + LATER_STEPS) * STEP_MS);
    const digest = this.#digest(machine, log.length, atStep);
    const key = `${digest} ${JSON.stringify(found.past)} ${found.violation?.sentence ?? ''}`;
    let node = this.#nodes.get(key);
    if (node !== undefined) return node;
    const differs = this.#digest(this.#replay(log), log.length, atStep) !== digest;
    const violation =
      found.violation ?? (differs ? broken('L5', 'one log, two replicas, two states') : undefined);
    node = { id: this.#nodes.size, log, atStep, ...found, violation };
    this.#nodes.set(key, node);
    return node;
  }

  /**
   * Everything replicated but the length of the log and the replies that sessions keep: nobody here
   * hears the answer to a duplicate, and what is answered stands in `LogPast`. Ends the machine.
   */
  #digest(machine: LeaseMachine, length: number, atStep: number): string {
    const atMs = atStep * STEP_MS;
    let index = length;
    for (const payload of this.#forget) machine.apply((index += 1), atMs, payload);
    while (index < COMPARED_AT) machine.apply((index += 1), atMs, TIME_ONLY);
    return machine.stateHash();
  }

  #replay(log: readonly LogEntry[]): LeaseMachine {
    const { createMachine } = this.#config;
    const machine = createMachine?.(this.#table) ?? new Coordinator({ codec: this.#table });
    for (const [at, { atStep, payload }] of log.entries()) {
      machine.apply(at + 1, atStep * STEP_MS, payload);
    }
    return machine;
  }

  #view(machine: LeaseMachine): MachineView {
    const shown = machine.query({ type: 'election-show', election: ELECTION });
    const leases = Array.from({ length: this.#config.clients }, (_, client) => {
      const answer = machine.query({ type: 'lease-show', lease: leaseOf(client) });
      return answer.type === 'lease-show' ? answer.lease : undefined;
    });
    const election = shown.type === 'election-show' ? shown.election : undefined;
    return { revision: machine.revision, leases, election, needsTime: machine.needsTime() };
  }

  #reply(result: CommandResult): Reply {
    const key = JSON.stringify(result, withoutRevision);
    let reply = this.#replies.get(key);
    if (reply === undefined) {
      reply = { id: this.#replies.size, result };
      this.#replies.set(key, reply);
    }
    return reply;
  }
}

/** No client here looks at the revision. */
function withoutRevision(name: string, value: unknown): unknown {
  const dropped = name === 'revision' || name === 'grantedAtMs' || name === 'grantedAtWallMs';
  return dropped ? undefined : plain(name, value);
}

function remembered<K, V>(maps: Map<number, Map<K, V>>, id: number): Map<K, V> {
  let map = maps.get(id);
  if (map === undefined) {
    map = new Map();
    maps.set(id, map);
  }
  return map;
}
