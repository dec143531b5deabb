import type { Message, NodeId } from '@raftd/raft';
import type { PeerHandlers } from '@raftd/server';
import type { Agenda } from '../../world/agenda.js';
import { RandomStream } from '../../world/random.js';
import type { StormEvent } from '../events.js';
import type { FaultKind } from '../fault-kind.js';
import type { StormProfile } from '../profile.js';
import { Dial } from './dial.js';
import { climateOf, LinkWeather } from './link-weather.js';
import { Links } from './links.js';
import type { PeerEnd } from './peer-end.js';
import { Wire } from './wire.js';

export interface PeerNetworkOptions {
  readonly agenda: Agenda;
  readonly seed: number;
  readonly profile: StormProfile;
  readonly observe: (event: StormEvent) => void;
  readonly onFault: (kind: FaultKind) => void;
}

/** The way of one life of a node to all others. */
export interface PeerDials {
  start(): void;
  send(message: Message): void;
}

/** The network between the nodes: a wire for each direction, and what is cut. */
export class PeerNetwork {
  readonly links: Links;
  readonly #options: PeerNetworkOptions;
  readonly #ends: readonly PeerEnd[];
  /** By sender, then by receiver. */
  readonly #wires: readonly (readonly Wire[])[];

  constructor(options: PeerNetworkOptions, ends: readonly PeerEnd[]) {
    this.#options = options;
    this.#ends = ends;
    this.links = new Links(ends.length);
    this.#wires = ends.map((from) => ends.map((to) => this.#makeWire(from, to)));
  }

  /** Another life of `from` with these handlers; nothing is dialled before `start`. */
  connect(from: PeerEnd, handlers: PeerHandlers): PeerDials {
    const { seed, profile } = this.#options;
    const draws = new RandomStream(seed, `dial/${from.id}/${from.process.life}`);
    const dials = new Map<NodeId, Dial>();
    for (const to of this.#ends) {
      if (to === from) continue;
      const there = this.#wire(from, to);
      const back = this.#wire(to, from);
      const { encoded } = profile;
      dials.set(to.id, new Dial({ from, handlers, there, back, draws, encoded }));
    }
    return {
      start: () => {
        for (const dial of dials.values()) dial.dial();
      },
      send: (message) => {
        dials.get(message.to)?.send(message);
      },
    };
  }

  /** Between these nodes no chance disturbs anything any more. */
  becomeCalm(positions: readonly number[]): void {
    for (const from of positions) {
      for (const to of positions) this.#wires[from]?.[to]?.becomeCalm();
    }
  }

  #wire(from: PeerEnd, to: PeerEnd): Wire {
    const wire = this.#wires[from.position]?.[to.position];
    if (wire === undefined) throw new Error(`no wire from ${from.id} to ${to.id}`);
    return wire;
  }

  #makeWire(from: PeerEnd, to: PeerEnd): Wire {
    const { agenda, seed, profile, observe, onFault } = this.#options;
    const draws = new RandomStream(seed, `link/${from.id}/${to.id}`);
    const weather = new LinkWeather(climateOf(profile), draws, onFault);
    const around = { agenda, links: this.links, encoded: profile.encoded, observe };
    return new Wire(from, to, around, weather, () => {
      onFault('reorder');
    });
  }
}
