import type { Message } from '@raftd/raft';
import type { StormEvent } from './events.js';

const MIX = 0x01000193;

/**
 * One number over the events of a run and their times: two runs that differ anywhere differ here.
 * What follows from the event before it at once (a message leaves as it arrives or is lost, a
 * machine applies what was applied) is not mixed in twice.
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
      case 'stepped': {
        const { after } = event;
        this.#text(event.node);
        this.#text(after.role);
        this.#word(after.term);
        this.#word(after.commitIndex);
        this.#word(after.lastIndex);
        return;
      }
      case 'delivered':
      case 'lost':
        this.#message(event.message);
        return;
      case 'applied':
        this.#text(event.node);
        this.#word(event.entry.index);
        this.#number(event.entry.clusterTimeMs);
        return;
      case 'machine-applied':
        this.#word(event.index);
        this.#text(event.result.type);
        return;
      case 'write-done':
        this.#text(event.node);
        this.#word(event.write.lastIndex);
        return;
      case 'operation-invoked':
        this.#text(event.client);
        this.#text(event.call.type);
        return;
      case 'operation-returned':
        this.#word(event.operation);
        this.#text(event.outcome.type);
        return;
      case 'resource-write':
        this.#text(event.client);
        this.#number(Number(event.token));
        this.#word(event.accepted ? 1 : 0);
        return;
      case 'fault-injected':
        this.#text(event.kind);
        return;
      default:
        if ('node' in event && typeof event.node === 'string') this.#text(event.node);
        if ('client' in event) this.#text(event.client);
    }
  }

  #message(message: Message): void {
    this.#text(message.type);
    this.#text(message.from);
    this.#text(message.to);
    this.#word(message.term);
    if (message.type === 'append-request') this.#word(message.entries.length);
    if (message.type === 'append-accepted') this.#word(message.matchIndex);
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

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), MIX);
  return hash >>> 0;
}
