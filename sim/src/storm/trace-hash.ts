import type { Message, NodeId } from '@raftd/raft';
import { assertNever } from '../assert-never.js';
import type { Stepped, WorldEvent } from '../world/events.js';
import type {
  Answer,
  MachineApplied,
  SeenRecord,
  SeenStep,
  StormEvent,
  WatchSeen,
} from './events.js';

const MIX = 0x01000193;

type WatchEvent = Extract<WatchSeen, { readonly type: 'watch-event' }>;

/**
 * One number over the events of a run: who, when, what, and all numbers that nodes told each other
 * and clients were told. What follows from the event before it at once (a message leaves as it
 * arrives or is lost, a write begins as it ends or is lost) is not mixed in twice. Of payloads
 * and of values that clients write only the lengths are: what the log says of them (index, term,
 * stamp, revision, token) is there, and hashing their bytes would cost more than all the rest.
 */
export class TraceHash {
  readonly #time = new Float64Array(1);
  readonly #words = new Uint32Array(this.#time.buffer);
  /** By text: names and types come again and again. */
  readonly #texts = new Map<string, number>();
  #hash = 0x811c9dc5;

  get value(): number {
    return (this.#hash ^ (this.#hash >>> 15)) >>> 0;
  }

  add(event: StormEvent, nowMs: number): void {
    if (event.type === 'sent' || event.type === 'write-started') return;
    this.#number(nowMs);
    this.#text(event.type);
    switch (event.type) {
      case 'stepped':
        this.#stepped(event);
        return;
      case 'delivered':
        this.#message(event.message);
        this.#text(event.copy);
        return;
      case 'lost':
        this.#message(event.message);
        this.#text(event.reason);
        return;
      case 'write-done':
        this.#text(event.node);
        this.#word(event.write.lastIndex);
        this.#word(event.write.lastTerm);
        return;
      case 'applied':
        this.#text(event.node);
        this.#word(event.entry.index);
        this.#word(event.entry.term);
        this.#number(event.entry.clusterTimeMs);
        this.#word(event.entry.payload.length);
        return;
      case 'machine-applied':
        this.#machineApplied(event);
        return;
      case 'proposed':
      case 'read-answered':
      case 'crashed':
      case 'restarted':
      case 'frozen':
      case 'thawed':
      case 'rewired':
        this.#world(event);
        return;
      default:
        this.#storm(event);
    }
  }

  #stepped({ node, cause, before, after }: Stepped): void {
    this.#text(node);
    this.#text(cause.type);
    // Nothing changed, as mostly: the step before told all of it.
    if (before === after) return;
    this.#text(after.role);
    this.#node(after.votedFor);
    this.#node(after.leaderId);
    this.#word(after.term);
    this.#word(after.commitIndex);
    this.#word(after.appliedIndex);
    this.#word(after.lastIndex);
  }

  #machineApplied({ node, index, payload, result, changes }: MachineApplied): void {
    this.#text(node);
    this.#word(index);
    this.#word(payload.length);
    this.#text(result.type);
    if (result.type === 'refused') this.#text(result.refusal.code);
    if (changes === undefined) return;
    this.#word(changes.revision);
    this.#word(changes.events.length);
  }

  #world(event: Extract<WorldEvent, { type: WorldType }>): void {
    switch (event.type) {
      case 'proposed':
        this.#text(event.node);
        this.#text(event.outcome);
        return;
      case 'read-answered':
        this.#text(event.node);
        this.#text(event.kind);
        this.#word(event.floorIndex);
        this.#text(event.outcome.type);
        if (event.outcome.type !== 'served') return;
        this.#word(event.outcome.readIndex);
        this.#word(event.outcome.appliedIndex);
        return;
      case 'crashed':
        this.#text(event.node);
        this.#word(event.lostWrites);
        this.#word(event.landedWrites);
        return;
      case 'thawed':
        this.#text(event.node);
        this.#number(event.frozenMs);
        return;
      case 'rewired':
        for (const cut of event.cuts) this.#text(cut);
        return;
      case 'restarted':
      case 'frozen':
        this.#text(event.node);
        return;
      default:
        assertNever(event);
    }
  }

  #storm(event: Exclude<StormEvent, MachineApplied | WorldEvent>): void {
    if ('node' in event) this.#text(event.node);
    if ('client' in event) this.#text(event.client);
    if ('watch' in event) this.#word(event.watch);
    if ('election' in event) this.#text(event.election);
    if ('token' in event) this.#number(Number(event.token));
    if ('code' in event) this.#text(event.code ?? '');
    if ('fromRevision' in event) this.#word(event.fromRevision);
    switch (event.type) {
      case 'commanded':
        this.#text(event.command.type);
        return;
      case 'fault-injected':
        this.#text(event.kind);
        return;
      case 'phase':
        this.#text(event.phase);
        return;
      case 'operation-invoked':
        this.#word(event.operation);
        this.#text(event.call.type);
        if ('key' in event.call) this.#text(event.call.key);
        return;
      case 'operation-returned':
        this.#word(event.operation);
        this.#text(event.outcome.type);
        if (event.outcome.type === 'answered') this.#answer(event.outcome.answer);
        else {
          this.#text(event.outcome.class);
          this.#text(event.outcome.code);
        }
        return;
      case 'leadership-ended':
        this.#text(event.reason);
        return;
      case 'resource-write':
        this.#word(event.accepted ? 1 : 0);
        return;
      case 'watch-event':
        this.#sight(event.event);
        return;
      default:
    }
  }

  #answer(answer: Answer): void {
    this.#text(answer.type);
    if ('revision' in answer) this.#word(answer.revision);
    if ('version' in answer) this.#word(answer.version);
    if ('deleted' in answer) this.#word(answer.deleted);
    if ('succeeded' in answer) this.#word(answer.succeeded ? 1 : 0);
    if ('more' in answer) this.#word(answer.more === true ? 1 : 0);
    if ('record' in answer) this.#record(answer.record);
    if ('steps' in answer) for (const step of answer.steps) this.#step(step);
    if ('records' in answer) for (const record of answer.records) this.#record(record);
    if (answer.type === 'elections') {
      for (const { election, leader, queue } of answer.elections) {
        this.#text(election);
        this.#number(Number(leader?.token ?? -1));
        this.#text(leader?.metadata ?? '');
        this.#word(queue.length);
      }
    }
    if (answer.type === 'leases') {
      for (const { ttlMs, remainingMs, attempt } of answer.leases) {
        this.#word(ttlMs);
        this.#number(remainingMs);
        this.#word(attempt);
      }
    }
  }

  #step(step: SeenStep): void {
    this.#text(step.type);
    if (step.type === 'get') this.#record(step.record);
    else this.#word(step.type === 'put' ? step.version : step.deleted);
  }

  #sight(event: WatchEvent['event']): void {
    this.#text(event.type);
    if ('revision' in event) this.#word(event.revision);
    if ('record' in event) this.#record(event.record);
    if ('key' in event) this.#text(event.key);
    if ('reason' in event) this.#text(event.reason);
    if ('token' in event) this.#number(Number(event.token ?? -1));
  }

  #record(record: SeenRecord | undefined): void {
    if (record === undefined) {
      this.#word(0);
      return;
    }
    this.#text(record.key);
    this.#word(record.value.length);
    this.#word(record.version);
    this.#word(record.createRevision);
    this.#word(record.modRevision);
  }

  #message(message: Message): void {
    this.#text(message.type);
    this.#text(message.from);
    this.#text(message.to);
    this.#word(message.term);
    switch (message.type) {
      case 'pre-vote-request':
      case 'vote-request':
        this.#word(message.lastIndex);
        this.#word(message.lastTerm);
        return;
      case 'pre-vote-response':
      case 'vote-response':
        this.#word(message.granted ? 1 : 0);
        return;
      case 'append-request':
        this.#word(message.prevIndex);
        this.#word(message.prevTerm);
        this.#word(message.commitIndex);
        this.#word(message.entries.length);
        return;
      case 'append-accepted':
        this.#word(message.matchIndex);
        return;
      case 'append-rejected':
        this.#word(message.prevIndex);
        this.#word(message.hintIndex);
        this.#word(message.hintTerm);
        return;
      case 'heartbeat':
        this.#word(message.commitIndex);
        this.#word(message.matchIndex);
        this.#word(message.round);
        this.#number(message.promiseMs);
        return;
      case 'heartbeat-response':
        this.#word(message.round);
        this.#number(message.promiseMs);
        return;
      default:
        assertNever(message);
    }
  }

  #node(node: NodeId | undefined): void {
    if (node === undefined) this.#word(0);
    else this.#text(node);
  }

  #text(text: string): void {
    let hash = this.#texts.get(text);
    if (hash === undefined) {
      hash = hashOf(text);
      this.#texts.set(text, hash);
    }
    this.#word(hash);
  }

  #number(value: number): void {
    this.#time[0] = value;
    this.#word(this.#words[0] ?? 0);
    this.#word(this.#words[1] ?? 0);
  }

  #word(word: number): void {
    const mixed = Math.imul(this.#hash ^ word, MIX);
    this.#hash = mixed ^ (mixed >>> 13);
  }
}

/** Those of a world that happen seldom. */
type WorldType = Exclude<
  WorldEvent['type'],
  'stepped' | 'sent' | 'delivered' | 'lost' | 'write-started' | 'write-done' | 'applied'
>;

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), MIX);
  return hash >>> 0;
}
