import { type ErrorBody, errorBody, type PeerHello, PROTOCOL_VERSION } from '@raftd/protocol';
import { Bootstrap, type BootstrapOutcome, type ClusterIdentity, type NodeId } from '@raftd/raft';
import { NodeFault } from './faults.js';
import type { ServerOptions } from './options.js';
import { type HelloRules, refuseHello, refuseStranger } from './peer-hellos.js';
import type { Ports } from './ports.js';

/**
 * Who this node is, told and asked in every peer handshake. On a new data directory it drives the
 * bootstrap: it answers with its incarnation but runs no Raft, until the identity that was formed
 * or adopted is durable. Afterwards it lets in members of its own cluster only.
 */
export class BootstrapPhase {
  readonly #options: ServerOptions;
  readonly #ports: Ports;
  readonly #rules: HelloRules;
  readonly #onMember: (identity: ClusterIdentity) => void;
  readonly #bootstrap: Bootstrap;
  /** Durable; undefined until then. */
  #identity: ClusterIdentity | undefined;
  #saving = false;
  #stopped = false;
  /** Listed peers whose last hello named another cluster than ours. */
  readonly #foreign = new Set<NodeId>();

  constructor(options: ServerOptions, ports: Ports, onMember: (identity: ClusterIdentity) => void) {
    const { id, incarnation, clusterName } = options;
    const members = options.members.map((member) => member.id);
    this.#options = options;
    this.#ports = ports;
    this.#onMember = onMember;
    this.#identity = options.identity;
    this.#rules = { id, clusterName, members };
    this.#bootstrap = new Bootstrap({
      self: { id, incarnation },
      listed: members,
      hash: options.hash,
    });
  }

  /** A member starts its replica at once; a single node on a new disk forms its cluster. */
  start(): void {
    if (this.#identity !== undefined) this.#onMember(this.#identity);
    else this.#follow(this.#bootstrap.outcome);
  }

  stop(): void {
    this.#stopped = true;
  }

  hello(to: NodeId, lane: PeerHello['lane']): PeerHello {
    const { id, incarnation, clusterName, featureLevel } = this.#options;
    return {
      type: 'peer-hello',
      protocolVersion: PROTOCOL_VERSION,
      clusterName,
      from: { id, incarnation },
      to,
      cluster: this.#identity,
      lane,
      featureLevel,
    };
  }

  onHello(hello: PeerHello): ErrorBody | undefined {
    const refusal = refuseHello(hello, this.#rules);
    if (refusal !== undefined) return refusal;
    if (this.#identity !== undefined) return this.#onHelloAsMember(hello, this.#identity);
    const outcome = this.#bootstrap.hear({ member: hello.from, cluster: hello.cluster });
    this.#follow(outcome);
    if (outcome.type !== 'refused') return undefined;
    return errorBody('WRONG_NODE', outcome.reason, { id: this.#options.id });
  }

  #follow(outcome: BootstrapOutcome): void {
    if (this.#stopped) return;
    if (outcome.type === 'refused') this.#refuse(outcome.reason);
    else if (outcome.type === 'formed') this.#save(outcome.identity);
    else if (outcome.type === 'adopted') this.#adopt(outcome.identity);
  }

  /** Formed by others with other --peers than ours: we would not even dial all its members. */
  #adopt(identity: ClusterIdentity): void {
    const formed = identity.members.map((member) => member.id);
    const { members: listed } = this.#rules;
    if (formed.length === listed.length && formed.every((id) => listed.includes(id))) {
      this.#save(identity);
      return;
    }
    this.#refuse(
      `the cluster was formed by ${formed.join(', ')}, but --peers names ${listed.join(', ')}: ` +
        'give all nodes the same --peers',
    );
  }

  #save(identity: ClusterIdentity): void {
    if (this.#saving) return;
    this.#saving = true;
    this.#ports.storage.saveIdentity(identity, (error) => {
      if (this.#stopped) return;
      if (error !== undefined) {
        const message = `the cluster identity could not be stored: ${error.message}`;
        this.#ports.fatal(new NodeFault('STORAGE_FAILED', message, error));
        return;
      }
      this.#identity = identity;
      this.#onMember(identity);
    });
  }

  /**
   * One stray peer of another cluster is refused and no more. Where a majority of those listed
   * belong to another one, it is this node that is misplaced: its data directory is of another
   * cluster than its peers form.
   */
  #onHelloAsMember(hello: PeerHello, identity: ClusterIdentity): ErrorBody | undefined {
    const refusal = refuseStranger(hello, identity);
    if (refusal?.code !== 'WRONG_CLUSTER') {
      this.#foreign.delete(hello.from.id);
      return refusal;
    }
    this.#foreign.add(hello.from.id);
    if (this.#foreign.size * 2 > this.#rules.members.length && !this.#stopped) {
      const others = [...this.#foreign].join(', ');
      this.#refuse(
        `${others} are of another cluster than this data directory (${identity.clusterId}): ` +
          'start this node on the directory it had in their cluster, or correct --peers',
      );
    }
    return refusal;
  }

  #refuse(reason: string): void {
    this.#stopped = true;
    this.#ports.fatal(new NodeFault('WRONG_IDENTITY', reason));
  }
}
