import {
  DEFAULT_LIMITS,
  DEFAULT_OPTIONS,
  checkInvariants,
  describeMessage,
  type Entry,
  type LogIndex,
  type LogWrite,
  type Message,
  type NodeId,
  Raft,
  type Ready,
  type Term,
} from '@raftd/raft';
import { describeReady } from './describe-ready.js';

/** One node of a trace: the core and the write its disk has not finished. */
interface TracedNode {
  readonly id: NodeId;
  readonly raft: Raft;
  writing: { readonly write: LogWrite; readonly after: readonly Message[] } | undefined;
}

/**
 * Runs the commands of a golden trace against real cores and prints all that comes out.
 *
 *   nodes a b c                three empty nodes; `a=4:1,1,4` has term 4 and entries of these terms
 *   elect a                    a becomes the leader of a quiet cluster; only the result is shown
 *   timeout a                  a's election timer fires
 *   heartbeat a                a heartbeat is due at a
 *   propose a 12               12 bytes are proposed at a
 *   read a                     a linearizable read is asked for at a
 *   persist a                  the write that a has in flight is durable
 *   deliver                    everything under way arrives, in order
 *   lose                       everything under way is lost
 *   settle                     persist and deliver until nothing moves
 *   pass 400                   so many milliseconds pass; no timer fires
 *   tick                       timers that are due fire, node by node
 *   cut a b · heal             messages between a and b are lost · no longer
 *   status                     one line a node
 */
export class RaftTrace {
  readonly #nodes = new Map<string, TracedNode>();
  readonly #cuts = new Set<string>();
  #flying: Message[] = [];
  #nowMs = 0;
  #lines: string[] = [];

  /** The output of one command, line by line. */
  run(command: string): readonly string[] {
    this.#lines = [];
    const [verb = '', ...words] = command.split(' ');
    this.#perform(verb, words);
    if (this.#lines.length === 0) this.#print('ok');
    return this.#lines;
  }

  #perform(verb: string, words: readonly string[]): void {
    const [first = '', second = ''] = words;
    switch (verb) {
      case 'nodes':
        return this.#create(words);
      case 'elect':
        this.#perform('timeout', [first]);
        this.#settle();
        this.#lines = [];
        return this.#print(describeNode(this.#node(first)));
      case 'timeout':
        return this.#input(first, (raft) => raft.electionTimeout(this.#nowMs));
      case 'heartbeat':
        return this.#input(first, (raft) => raft.heartbeatDue(this.#nowMs));
      case 'propose':
        return this.#input(first, (raft) => this.#propose(raft, Number(second)));
      case 'read':
        return this.#input(first, (raft) => this.#read(raft));
      case 'persist':
        return this.#persist(this.#node(first));
      case 'deliver':
        return this.#deliver();
      case 'lose':
        this.#flying = [];
        return undefined;
      case 'settle':
        return this.#settle();
      case 'pass':
        this.#nowMs += Number(first);
        return undefined;
      case 'tick':
        for (const id of this.#nodes.keys()) this.#input(id, (raft) => raft.tick(this.#nowMs));
        return undefined;
      case 'cut':
        this.#cuts.add(`${first}>${second}`).add(`${second}>${first}`);
        return undefined;
      case 'heal':
        return this.#cuts.clear();
      case 'status':
        for (const node of this.#nodes.values()) this.#print(describeNode(node));
        return undefined;
      default:
        throw new Error(`unknown command ${verb}`);
    }
  }

  #create(words: readonly string[]): void {
    const voters = words.map((word) => word.split('=')[0] as NodeId);
    for (const word of words) {
      const [id = '', disk = '0:'] = word.split('=');
      const [term, terms = ''] = disk.split(':');
      const options = { ...DEFAULT_OPTIONS, id: id as NodeId, random: () => 0 };
      const hardState = { term: Number(term) as Term, votedFor: undefined, promiseMs: 0 };
      const loaded = { hardState, entries: entriesOf(terms), membership: { voters } };
      const raft = new Raft({ ...options, limits: DEFAULT_LIMITS }, loaded, this.#nowMs);
      this.#nodes.set(id, { id: id as NodeId, raft, writing: undefined });
    }
  }

  #input(id: string, act: (raft: Raft) => void): void {
    const node = this.#node(id);
    act(node.raft);
    this.#pump(node);
  }

  #propose(raft: Raft, bytes: number): void {
    const proposed = raft.propose(new Uint8Array(bytes), 'command', 0, this.#nowMs);
    if (proposed.type === 'rejected') this.#print(proposed.code);
  }

  #read(raft: Raft): void {
    const requested = raft.readIndex(this.#nowMs);
    this.#print(requested.type === 'accepted' ? `read ${requested.readId}` : requested.code);
  }

  #persist(node: TracedNode): void {
    const { writing } = node;
    if (writing === undefined) return;
    node.writing = undefined;
    const { lastTerm, lastIndex } = writing.write;
    this.#print(`${node.id}: durable to ${lastIndex}/${lastTerm}`);
    this.#flying.push(...writing.after);
    node.raft.persisted(lastTerm, lastIndex, this.#nowMs);
    this.#pump(node);
  }

  #deliver(): void {
    const messages = this.#flying;
    this.#flying = [];
    for (const message of messages) {
      const { from, to } = message;
      const isLost = this.#cuts.has(`${from}>${to}`);
      this.#print(`${describeMessage(message)}${isLost ? ' (lost)' : ''}`);
      if (!isLost) this.#input(to, (raft) => raft.step(message, this.#nowMs));
    }
  }

  #settle(): void {
    while (this.#flying.length > 0 || this.#writing().length > 0) {
      for (const node of this.#writing()) this.#persist(node);
      this.#deliver();
    }
  }

  #writing(): TracedNode[] {
    return [...this.#nodes.values()].filter(({ writing }) => writing !== undefined);
  }

  #pump(node: TracedNode): void {
    checkInvariants(node.raft.state);
    for (let ready = node.raft.ready(); ready !== undefined; ready = node.raft.ready()) {
      this.#print(`  ${node.id}: ${describeReady(ready)}`);
      this.#obey(node, ready);
    }
  }

  #obey(node: TracedNode, ready: Ready): void {
    const { write, messagesAfterWrite, messages, committed } = ready;
    if (write !== undefined) node.writing = { write, after: messagesAfterWrite };
    this.#flying.push(...messages);
    const last = committed.at(-1);
    if (last !== undefined) node.raft.applied(last.index);
  }

  #node(id: string): TracedNode {
    const node = this.#nodes.get(id);
    if (node === undefined) throw new Error(`no node ${id}`);
    return node;
  }

  #print(line: string): void {
    this.#lines.push(line);
  }
}

function describeNode(node: TracedNode): string {
  const { role, hardState, commitIndex, appliedIndex, log } = node.raft.state;
  const vote = hardState.votedFor ?? 'none';
  const entries = log.entries.map(({ index, term }) => `${index}/${term}`).join(' ');
  return (
    `${node.id}: ${role.type} term ${hardState.term} vote ${vote} ` +
    `leader ${node.raft.leader() ?? 'none'} commit ${commitIndex} applied ${appliedIndex} ` +
    `log [${entries}]`
  );
}

/** `1,1,2`: entries 1/1, 2/1 and 3/2. */
function entriesOf(terms: string): Entry[] {
  if (terms === '') return [];
  return terms.split(',').map((term, at) => ({
    index: (at + 1) as LogIndex,
    term: Number(term) as Term,
    kind: 'command',
    clusterTimeMs: 0,
    payload: new Uint8Array(1),
  }));
}
