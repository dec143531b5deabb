import type { NodeId } from '@raftd/raft';
import type { StormEvent } from '../storm/events.js';

/** Where something happened. */
export type Where =
  | { readonly type: 'node'; readonly node: NodeId }
  | { readonly type: 'client'; readonly client: string }
  | { readonly type: 'world' };

const WORLD: Where = { type: 'world' };

/** Says of each event where it happened; remembers which client has which watch. */
export class Locator {
  readonly #watchers = new Map<number, string>();

  locate(event: StormEvent): Where {
    switch (event.type) {
      case 'sent':
        return { type: 'node', node: event.message.from };
      case 'delivered':
      case 'lost':
        return { type: 'node', node: event.message.to };
      case 'watch-opened':
        this.#watchers.set(event.watch, event.client);
        return { type: 'client', client: event.client };
      case 'watch-stands':
      case 'watch-event':
      case 'watch-closed': {
        const client = this.#watchers.get(event.watch);
        return client === undefined ? WORLD : { type: 'client', client };
      }
      default:
        if ('node' in event) return { type: 'node', node: event.node };
        if ('client' in event) return { type: 'client', client: event.client };
        return WORLD;
    }
  }
}
