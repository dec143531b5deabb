import type { StormEvent } from '../storm/events.js';

/** A client that can act: its process lives and is not frozen. */
export class ClientLives {
  readonly #frozen = new Set<string>();
  readonly #dead = new Set<string>();
  /** Times it was frozen, over all its lives. */
  readonly #freezes = new Map<string, number>();

  follow(event: StormEvent): void {
    switch (event.type) {
      case 'client-started':
        this.#dead.delete(event.client);
        this.#frozen.delete(event.client);
        return;
      case 'client-killed':
        this.#dead.add(event.client);
        return;
      case 'client-frozen':
        this.#frozen.add(event.client);
        this.#freezes.set(event.client, this.freezes(event.client) + 1);
        return;
      case 'client-thawed':
        this.#frozen.delete(event.client);
        return;
      default:
    }
  }

  canAct(client: string): boolean {
    return !this.#dead.has(client) && !this.#frozen.has(client);
  }

  freezes(client: string): number {
    return this.#freezes.get(client) ?? 0;
  }
}
