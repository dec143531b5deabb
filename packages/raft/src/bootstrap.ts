import { InvalidOption } from './config.js';
import type { NodeId } from './types.js';

/** A node's life on one disk: a random id, new whenever the data directory is new. */
export interface Member {
  readonly id: NodeId;
  readonly incarnation: string;
}

/** Which cluster a node belongs to; stored once, before its first vote. */
export interface ClusterIdentity {
  /** Hash of the sorted (id, incarnation) pairs. */
  readonly clusterId: string;
  readonly members: readonly Member[];
}

/** What a peer says of itself: who it is, and the cluster it belongs to, if it has one yet. */
export interface PeerIntroduction {
  readonly member: Member;
  readonly cluster: ClusterIdentity | undefined;
}

/** What hearing from a peer led to. */
export type BootstrapOutcome =
  /** Not all of those listed have answered yet. */
  | { readonly type: 'waiting' }
  /** All have: store this durably, then vote. */
  | { readonly type: 'formed'; readonly identity: ClusterIdentity }
  /** The cluster was formed with this very node: store this durably, then vote. */
  | { readonly type: 'adopted'; readonly identity: ClusterIdentity }
  /** This node must not take part; `reason` says why and what to do (exit code 13). */
  | { readonly type: 'refused'; readonly reason: string };

export interface BootstrapOptions {
  /** This node; its incarnation is durable before it answers anyone. */
  readonly self: Member;
  /** The nodes of `--peers`, this one included. */
  readonly listed: readonly NodeId[];
  /** Short and collision-free, the same on every node: the cluster id comes from it. */
  readonly hash: (text: string) => string;
}

/**
 * How an empty node finds out which cluster it is in (DESIGN 4, "Bootstrap and identity"). All
 * listed nodes must have answered before one may vote, so that no two halves of the list can
 * form a cluster each; and a node that lost its disk comes back with another incarnation, which
 * no formed cluster admits: it never votes twice under one identity.
 */
export class Bootstrap {
  readonly #self: Member;
  readonly #listed: readonly NodeId[];
  readonly #hash: (text: string) => string;
  readonly #heard = new Map<NodeId, Member>();
  #outcome: BootstrapOutcome = { type: 'waiting' };

  /** @throws {InvalidOption} */
  constructor(options: BootstrapOptions) {
    const { self, listed, hash } = options;
    if (!listed.includes(self.id)) throw new InvalidOption('listed', `lacks this node, ${self.id}`);
    if (new Set(listed).size !== listed.length)
      throw new InvalidOption('listed', 'names one twice');
    this.#self = self;
    this.#listed = listed;
    this.#hash = hash;
    this.#heard.set(self.id, self);
    this.#outcome = this.#formIfComplete();
  }

  /** Where it stands: a list of one is `formed` from the start. */
  get outcome(): BootstrapOutcome {
    return this.#outcome;
  }

  /** A peer introduced itself. Once it is settled, the outcome stays. */
  hear(peer: PeerIntroduction): BootstrapOutcome {
    if (this.#outcome.type === 'waiting') this.#outcome = this.#consider(peer);
    return this.#outcome;
  }

  #consider(peer: PeerIntroduction): BootstrapOutcome {
    const { member, cluster } = peer;
    if (!this.#listed.includes(member.id) || member.id === this.#self.id) {
      return { type: 'waiting' };
    }
    if (cluster !== undefined) return join(this.#self, cluster);
    // A peer that lost its disk before anything was formed simply is the newer one.
    this.#heard.set(member.id, member);
    return this.#formIfComplete();
  }

  #formIfComplete(): BootstrapOutcome {
    if (this.#heard.size < this.#listed.length) return { type: 'waiting' };
    const members = [...this.#heard.values()].sort(compareMembers);
    const text = members.map(({ id, incarnation }) => `${id}=${incarnation}`).join('\n');
    return { type: 'formed', identity: { clusterId: this.#hash(text), members } };
  }
}

/** A peer has formed the cluster already: are we in it, in this very life? */
function join(self: Member, cluster: ClusterIdentity): BootstrapOutcome {
  const known = cluster.members.find(({ id }) => id === self.id);
  if (known === undefined) {
    const reason =
      `cluster ${cluster.clusterId} has no member ${self.id}: ` +
      'this node belongs to another cluster. (A new member joins with --rejoin, once there is ' +
      'membership change.)';
    return { type: 'refused', reason };
  }
  if (known.incarnation !== self.incarnation) {
    const reason =
      `cluster ${cluster.clusterId} knows ${self.id} with another incarnation: its data ` +
      'directory was emptied or replaced, and it may have voted: never start it under this ' +
      'identity again. Restore the directory; a new member will join with --rejoin, once there ' +
      'is membership change.';
    return { type: 'refused', reason };
  }
  return { type: 'adopted', identity: cluster };
}

/** Code-unit order, the same on every machine; no id is there twice. */
function compareMembers(a: Member, b: Member): number {
  return a.id < b.id ? -1 : 1;
}

/**
 * Does a node of the formed cluster `identity` let this peer in? An empty one if it is among the
 * pairs, which is a slow first start; a formed one if it is of the same cluster as well.
 */
export function admits(identity: ClusterIdentity, peer: PeerIntroduction): boolean {
  const { member, cluster } = peer;
  if (cluster !== undefined && cluster.clusterId !== identity.clusterId) return false;
  return identity.members.some(
    ({ id, incarnation }) => id === member.id && incarnation === member.incarnation,
  );
}
