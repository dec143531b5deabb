import { errorBody, type MemberAddress, type PeerLane, type WireLimits } from '@raftd/protocol';
import { PeerLink } from './peer-link.js';
import type { Logger, Message, NodeId, PeerHandlers, Timers } from './ports.js';
import type { TransportSettings } from './settings.js';

export interface PeerNetworkOptions {
  readonly self: NodeId;
  /** All members; the own entry is passed over. */
  readonly peers: readonly MemberAddress[];
  readonly handlers: PeerHandlers;
  readonly timers: Timers;
  /** [0, 1): jitter of redials. */
  readonly random: () => number;
  readonly limits: WireLimits;
  readonly settings: TransportSettings;
  readonly log: Logger;
}

/** The way from this node to all others. */
export interface PeerNetwork {
  /** Dials every peer, on both lanes, until `close`. */
  start(): void;
  /** Never blocks, never throws; a message that finds no room or no connection is dropped. */
  send(message: Message): void;
  /** Peers with both lanes open. */
  connected(): readonly NodeId[];
  /** Messages dropped so far for want of room or connection. */
  dropped(): number;
  close(done: () => void): void;
}

type Lanes = Readonly<Record<PeerLane, PeerLink>>;

export function createPeerNetwork(options: PeerNetworkOptions): PeerNetwork {
  const { self, peers, ...shared } = options;
  const links = new Map<NodeId, Lanes>();
  for (const peer of peers) {
    if (peer.id === self) continue;
    const silent = errorBody('UNAVAILABLE', `${peer.id} is silent`);
    const bulk = new PeerLink({ ...shared, peer, lane: 'bulk', onSilent: () => undefined });
    const onSilent = (): void => bulk.giveUp(silent);
    const control = new PeerLink({ ...shared, peer, lane: 'control', onSilent });
    links.set(peer.id, { control, bulk });
  }
  return new LanedNetwork(links);
}

/** Appends may be large and must not hold up heartbeats, votes and acknowledgements. */
export function laneOf(message: Message): PeerLane {
  return message.type === 'append-request' ? 'bulk' : 'control';
}

class LanedNetwork implements PeerNetwork {
  readonly #links: ReadonlyMap<NodeId, Lanes>;

  constructor(links: ReadonlyMap<NodeId, Lanes>) {
    this.#links = links;
  }

  start(): void {
    for (const link of this.#all()) link.start();
  }

  send(message: Message): void {
    this.#links.get(message.to)?.[laneOf(message)].send(message);
  }

  connected(): readonly NodeId[] {
    const open = [...this.#links].filter(([, { control, bulk }]) => control.isOpen && bulk.isOpen);
    return open.map(([id]) => id);
  }

  dropped(): number {
    return this.#all().reduce((sum, link) => sum + link.dropped, 0);
  }

  close(done: () => void): void {
    const links = this.#all();
    let open = links.length;
    if (open === 0) done();
    for (const link of links) {
      link.close(() => {
        open -= 1;
        if (open === 0) done();
      });
    }
  }

  #all(): readonly PeerLink[] {
    return [...this.#links.values()].flatMap(({ control, bulk }) => [control, bulk]);
  }
}
