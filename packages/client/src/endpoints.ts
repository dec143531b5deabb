import type { LeaderHint, MemberAddress, Welcome } from '@raftd/protocol';
import { invalidArgument } from './errors.js';

export type NodeId = MemberAddress['id'];
export type Term = LeaderHint['term'];

const ADDRESS = /^(\[[^\]]+\]|[^\s:/[\]]+):(\d{1,5})$/;

/**
 * `ws://n1:7401,n2:7402`, a list of such, or bare HOST:PORT. Throws INVALID_ARGUMENT naming the
 * part that is none.
 */
export function parseEndpoints(endpoints: string | readonly string[]): readonly string[] {
  const parts = (typeof endpoints === 'string' ? [endpoints] : endpoints)
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
  if (parts.length === 0) throw invalidArgument('endpoints', 'names no address');
  return [...new Set(parts.map(parseAddress))];
}

function parseAddress(text: string): string {
  const scheme = /^([a-z]+):\/\//.exec(text);
  if (scheme !== null && scheme[1] !== 'ws') {
    throw invalidArgument('endpoints', `has the scheme ${scheme[1]}, not ws: '${text}'`);
  }
  const address = text.slice(scheme === null ? 0 : scheme[0].length).replace(/\/$/, '');
  const port = Number(ADDRESS.exec(address)?.[2]);
  if (!(port >= 1 && port <= 65_535)) {
    throw invalidArgument('endpoints', `is not HOST:PORT or ws://HOST:PORT: '${text}'`);
  }
  return address;
}

/**
 * What is known of the cluster: where its nodes are and who leads. A hint is taken only from a
 * newer term, so that a stale node cannot send us back to a deposed leader (K-077).
 */
export class Endpoints {
  readonly #seeds: readonly string[];
  #members: readonly MemberAddress[] = [];
  /** The address at which a node was really reached; it wins over what the node says of itself. */
  readonly #reached = new Map<NodeId, string>();
  #leader: LeaderHint | undefined;
  /** The known leader could not be reached, or no longer leads: only news may bring us back. */
  #leaderFailed = false;
  #lastFailed: string | undefined;
  #position: number;

  constructor(seeds: readonly string[], random: () => number) {
    this.#seeds = seeds;
    this.#position = Math.floor(random() * seeds.length);
  }

  get members(): readonly MemberAddress[] {
    return this.#members;
  }

  get leader(): LeaderHint | undefined {
    return this.#leader;
  }

  /** Every address to try, those given first. */
  get addresses(): readonly string[] {
    const addresses = new Set(this.#seeds);
    for (const { id, address } of this.#members) {
      if (!this.#reached.has(id)) addresses.add(address);
    }
    for (const address of this.#reached.values()) addresses.add(address);
    return [...addresses];
  }

  /** The next address in turn; not the one that has just failed, where there is another. */
  next(): string {
    const addresses = this.addresses;
    const skipped = addresses.length > 1 ? this.#lastFailed : undefined;
    this.#lastFailed = undefined;
    for (;;) {
      const address = addresses[this.#position % addresses.length];
      if (address === undefined) throw new Error('assertion failed: there is always an address');
      this.#position = (this.#position + 1) % addresses.length;
      if (address !== skipped) return address;
    }
  }

  /** Which node is at this address, as far as is known. */
  idAt(address: string): NodeId | undefined {
    for (const [id, reached] of this.#reached) if (reached === address) return id;
    return this.#members.find((member) => member.address === address)?.id;
  }

  welcomed(address: string, welcome: Welcome): void {
    this.#members = welcome.members;
    this.#reached.set(welcome.nodeId, address);
    if (welcome.leader !== undefined) this.noteLeader(welcome.leader, welcome.nodeId);
  }

  /** Takes a hint given by `source`; false: it is not news, or of a term that is over. */
  noteLeader(hint: LeaderHint, source: NodeId | undefined): boolean {
    const known = this.#leader;
    if (known !== undefined && hint.term < known.term) return false;
    if (known !== undefined && hint.term === known.term) {
      // The same leader; a node may always speak for itself, others only of one not yet tried.
      if (hint.id === source) this.#leaderFailed = false;
      return !this.#leaderFailed;
    }
    this.#leader = hint;
    this.#leaderFailed = false;
    return true;
  }

  /** This node, it is believed, leads. */
  isLeader(id: NodeId): boolean {
    return this.#leader?.id === id && !this.#leaderFailed;
  }

  /** Where the leader is, unless it has failed since it was named. */
  leaderAddress(): string | undefined {
    if (this.#leader === undefined || this.#leaderFailed) return undefined;
    return this.#reached.get(this.#leader.id) ?? this.#leader.address;
  }

  /** Whatever was at `address` does not answer as leader: ask around. */
  failed(address: string): void {
    this.#lastFailed = address;
    if (this.leaderAddress() === address) this.#leaderFailed = true;
  }
}
