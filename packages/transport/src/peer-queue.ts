import type { Message } from './ports.js';

/** Generous for everything of a message or an entry but its bytes and names. */
const OVERHEAD_BYTES = 128;
const ENTRY_OVERHEAD_BYTES = 40;
const BYTES_PER_CHAR_MAX = 3;

/** What a message takes on the wire, estimated from above. */
export function messageBytes(message: Message): number {
  const names = BYTES_PER_CHAR_MAX * (message.from.length + message.to.length);
  let bytes = OVERHEAD_BYTES + names;
  if (message.type === 'append-request') {
    for (const entry of message.entries) bytes += ENTRY_OVERHEAD_BYTES + entry.payload.length;
  }
  return bytes;
}

/**
 * Messages of one lane that wait for the end of the turn. Bounded by number and by bytes; what
 * finds no room is dropped, which Raft tolerates.
 */
export class PeerQueue {
  readonly #messagesMax: number;
  readonly #bytesMax: number;
  #messages: Message[] = [];
  #bytes = 0;

  constructor(messagesMax: number, bytesMax: number) {
    this.#messagesMax = messagesMax;
    this.#bytesMax = bytesMax;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** @returns false: no room beside `unsentBytes`, dropped. */
  push(message: Message, unsentBytes: number): boolean {
    const bytes = messageBytes(message);
    if (this.#messages.length >= this.#messagesMax) return false;
    if (unsentBytes + this.#bytes + bytes > this.#bytesMax) return false;
    this.#messages.push(message);
    this.#bytes += bytes;
    return true;
  }

  /** All that waits, in order, cut so that no batch but a single message is above the limit. */
  drain(batchBytesMax: number): readonly (readonly Message[])[] {
    const messages = this.#messages;
    this.clear();
    const batches: Message[][] = [];
    let batch: Message[] = [];
    let batchBytes = 0;
    for (const message of messages) {
      const bytes = messageBytes(message);
      if (batch.length > 0 && batchBytes + bytes > batchBytesMax) {
        batches.push(batch);
        batch = [];
        batchBytes = 0;
      }
      batch.push(message);
      batchBytes += bytes;
    }
    if (batch.length > 0) batches.push(batch);
    return batches;
  }

  clear(): void {
    this.#messages = [];
    this.#bytes = 0;
  }
}
