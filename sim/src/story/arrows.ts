import { describeMessage } from '@raftd/raft';
import type { Message } from '@raftd/raft';
import type { StormEvent } from '../storm/events.js';
import { isHeartbeat } from './event-kind.js';
import type { Arrow } from './picture.js';

/**
 * Finds for each arrival the message that was sent. Frames may cross as bytes, so that both ends
 * have objects of their own: they are matched by what they say, first sent, first come.
 */
export class Arrows {
  readonly #underWay = new Map<string, number[]>();
  /** Where each message was sent last: where copies of it come from. */
  readonly #lastSent = new Map<string, number>();
  readonly #arrows: Arrow[] = [];

  see(event: StormEvent, index: number): void {
    if (event.type === 'sent') {
      const key = describeMessage(event.message);
      const waiting = this.#underWay.get(key);
      if (waiting === undefined) this.#underWay.set(key, [index]);
      else waiting.push(index);
      this.#lastSent.set(key, index);
      return;
    }
    if (event.type === 'delivered') {
      this.#arrive(event.message, index, undefined, event.copy === 'original' ? '' : event.copy);
    }
    if (event.type === 'lost') this.#arrive(event.message, index, event.reason, '');
  }

  /** Those that end at an event from `first` on. */
  since(first: number): readonly Arrow[] {
    return this.#arrows.filter(({ endIndex }) => endIndex >= first);
  }

  #arrive(message: Message, index: number, lost: string | undefined, copy: string): void {
    const key = describeMessage(message);
    const sentIndex = this.#underWay.get(key)?.shift() ?? this.#lastSent.get(key);
    if (sentIndex === undefined) return;
    this.#arrows.push({
      from: message.from,
      to: message.to,
      sentIndex,
      endIndex: index,
      term: message.term,
      kind: isHeartbeat(message) ? 'heartbeat' : 'message',
      lost,
      words: [key, copy, lost === undefined ? '' : `lost: ${lost}`]
        .filter((it) => it !== '')
        .join(', '),
    });
  }
}
