import type {
  ChangeEvent,
  ClientRequest,
  ErrorBody,
  MemberAddress,
  ReplyBody,
  Revision,
  WatchTarget,
} from '@raftd/protocol';
import type { Client } from '../../src/client.js';
import { type ConnectOptions, connectWith } from '../../src/connect.js';
import type { DialOptions, Wire } from '../../src/ports.js';
import { FakeState } from './state.js';
import type { World } from './world.js';

const LATENCY_MS = 1;

/** A cluster as a client sees it: nodes over one state, with faults at a test's command. */
export class FakeCluster {
  readonly world: World;
  readonly state: FakeState;
  readonly nodes: FakeNode[];
  term = 1;
  leader: FakeNode | undefined;
  clusterId = 'cluster';
  clusterTimeMs = 1_000;
  /** Every request that reached a node, in order. */
  readonly received: { readonly node: FakeNode; readonly request: ClientRequest }[] = [];
  frames = 0;

  constructor(world: World, size = 3) {
    this.world = world;
    this.state = new FakeState(() => world.nowMs);
    this.nodes = Array.from({ length: size }, (_, index) => new FakeNode(this, index + 1));
    this.leader = this.nodes[0];
  }

  get members(): readonly MemberAddress[] {
    return this.nodes.map(({ id, address }) => ({ id, address }));
  }

  node(number: number): FakeNode {
    const node = this.nodes[number - 1];
    if (node === undefined) throw new Error(`no node ${number}`);
    return node;
  }

  async connect(
    options: ConnectOptions & { readonly to?: readonly number[]; readonly rate?: number } = {},
  ): Promise<Client> {
    const numbers = options.to ?? this.nodes.map((_, index) => index + 1);
    const addresses = numbers.map((number) => this.node(number).address);
    const connecting = connectWith(
      this.world.ports((dialOptions) => this.dial(dialOptions), options.rate),
      addresses,
      options,
    );
    connecting.catch(() => undefined);
    await this.world.advance(20);
    return connecting;
  }

  dial(options: DialOptions): Wire {
    const node = this.nodes.find(({ address }) => address === options.address);
    if (node === undefined) throw new Error(`no node at ${options.address}`);
    return node.accept(options);
  }

  /** Another node leads from now on, in a new term. */
  elect(number: number): void {
    this.term += 1;
    this.leader = this.node(number);
  }

  /** The commands of one type that reached some node, retries included. */
  commands(type: string): { readonly payload: Uint8Array; readonly atMs: number }[] {
    return this.#commands.filter((one) => one.type === type);
  }

  readonly #commands: { type: string; payload: Uint8Array; atMs: number }[] = [];

  note(node: FakeNode, request: ClientRequest): void {
    this.received.push({ node, request });
    if (request.type !== 'command') return;
    const { payload, logged } = request;
    this.#commands.push({ type: logged.command.type, payload, atMs: this.world.nowMs });
  }

  /** Tells every watch what has happened since it was last told. */
  publish(): void {
    for (const node of this.nodes) for (const connection of node.connections) connection.push();
  }
}

/** What a node does with a request instead of the usual; undefined: nothing, not even an answer. */
export type Script = (
  request: ClientRequest,
  usual: () => ReplyBody,
  connection: FakeConnection,
) => ReplyBody | undefined;

export class FakeNode {
  readonly id: MemberAddress['id'];
  readonly address: string;
  readonly cluster: FakeCluster;
  connections: FakeConnection[] = [];
  /** Refuses connections. */
  down = false;
  /** Takes everything, answers nothing, until it thaws (SIGSTOP, a cut link that stays up). */
  frozen = false;
  /** Answers leave this long after what they tell was done. */
  answerDelayMs = 0;
  /** What it says of the leader, where that is not the truth. */
  hint: ReturnType<FakeNode['truth']> | undefined;
  script: Script | undefined;
  /** What it tells of the cluster's time; undefined while it has not caught up. */
  clusterTime: () => number | undefined;
  dials = 0;
  #inbox: (() => void)[] = [];

  constructor(cluster: FakeCluster, number: number) {
    this.cluster = cluster;
    this.id = `n${number}` as MemberAddress['id'];
    this.address = `node${number}:740${number}`;
    this.clusterTime = () => cluster.clusterTimeMs + cluster.world.nowMs;
  }

  accept(options: DialOptions): FakeConnection {
    this.dials += 1;
    const connection = new FakeConnection(this, options);
    this.later(() => connection.welcome());
    return connection;
  }

  /** Runs when the message arrives and the node is not frozen. */
  later(work: () => void): void {
    const run = (): void => {
      if (this.frozen) this.#inbox.push(run);
      else work();
    };
    this.cluster.world.after(LATENCY_MS, run);
  }

  thaw(): void {
    this.frozen = false;
    const inbox = this.#inbox;
    this.#inbox = [];
    for (const run of inbox) run();
  }

  /** kill -9: every connection breaks, nothing more is answered. */
  kill(): void {
    this.down = true;
    this.dropConnections();
  }

  dropConnections(): void {
    for (const connection of [...this.connections]) connection.break('connection reset');
  }

  truth(): { term: never; id: MemberAddress['id']; address: string } | undefined {
    const { leader, term } = this.cluster;
    return leader && { term: term as never, id: leader.id, address: leader.address };
  }

  answer(request: ClientRequest, connection: FakeConnection): ReplyBody | undefined {
    this.cluster.note(this, request);
    const usual = (): ReplyBody => this.#usual(request);
    return this.script === undefined ? usual() : this.script(request, usual, connection);
  }

  #usual(request: ClientRequest): ReplyBody {
    const { state } = this.cluster;
    switch (request.type) {
      case 'command': {
        const refusal = this.#notLeader();
        if (refusal !== undefined) return { type: 'error', error: refusal };
        const result = state.apply(request.logged);
        this.cluster.publish();
        return { type: 'command', result };
      }
      case 'query': {
        const refusal = request.consistency === 'stale' ? undefined : this.#notLeader();
        if (refusal !== undefined) return { type: 'error', error: refusal };
        return { type: 'query', result: state.query(request.query) };
      }
      case 'watch':
        return { type: 'watching', revision: (state.revision + 1) as Revision };
      case 'unwatch':
        return { type: 'unwatched' };
      case 'status': {
        const leads = this.cluster.leader === this;
        return {
          type: 'status',
          status: {
            clusterId: this.cluster.clusterId,
            id: this.id,
            address: this.address,
            role: leads ? 'leader' : 'follower',
            term: this.cluster.term as never,
            leader: this.hint ?? this.truth(),
            commitIndex: 1,
            appliedIndex: 1,
            revision: state.revision as Revision,
            version: '0.1.0',
            members: this.cluster.members,
          },
        };
      }
    }
  }

  #notLeader(): ErrorBody | undefined {
    const { leader } = this.cluster;
    if (leader === this && this.hint === undefined) return undefined;
    const hint = this.hint ?? this.truth();
    if (hint === undefined) {
      return { code: 'UNAVAILABLE', message: 'no leader is known here', details: {} };
    }
    const { term, id, address } = hint;
    return { code: 'NOT_LEADER', message: `${id} leads`, details: { term, id, address } };
  }
}

interface FakeWatch {
  readonly watchId: number;
  readonly target: WatchTarget;
  next: number;
}

/** One connection, seen from the node; the client holds it as a `Wire`. */
export class FakeConnection implements Wire {
  readonly node: FakeNode;
  readonly #options: DialOptions;
  #open = true;
  readonly watches = new Map<number, FakeWatch>();

  constructor(node: FakeNode, options: DialOptions) {
    this.node = node;
    this.#options = options;
  }

  welcome(): void {
    if (!this.#open) return;
    const { node } = this;
    const { cluster } = node;
    if (node.down) return this.break('connection refused');
    node.connections.push(this);
    this.#deliver(() =>
      this.#options.handlers.onWelcome({
        type: 'welcome',
        protocolVersion: 1,
        clusterId: cluster.clusterId,
        nodeId: node.id,
        leader: node.hint ?? node.truth(),
        members: cluster.members,
        clusterTimeMs: node.clusterTime(),
        featureLevel: 1,
      }),
    );
  }

  send(requests: readonly ClientRequest[]): void {
    if (!this.#open) return;
    this.node.cluster.frames += 1;
    this.node.later(() => this.#onRequests(requests));
  }

  close(): void {
    this.#leave();
  }

  break(message: string): void {
    if (!this.#open) return;
    this.#leave();
    const error: ErrorBody = { code: 'UNAVAILABLE', message, details: {} };
    this.node.cluster.world.after(LATENCY_MS, () => this.#options.handlers.onClose(error));
  }

  endWatches(error: ErrorBody): void {
    for (const watchId of [...this.watches.keys()]) this.endWatch(watchId, error);
  }

  endWatch(watchId: number, error: ErrorBody): void {
    this.#deliver(() =>
      this.#options.handlers.onWatchEnded({ type: 'watch-ended', watchId, error }),
    );
    this.watches.delete(watchId);
  }

  push(): void {
    for (const watch of this.watches.values()) this.#pushTo(watch);
  }

  /** Sends a frame of the test's own making. */
  sendEvents(
    watchId: number,
    changes: readonly { revision: number; events: readonly ChangeEvent[]; more: boolean }[],
  ): void {
    const typed = changes.map((one) => ({ ...one, revision: one.revision as Revision }));
    this.#deliver(() =>
      this.#options.handlers.onEvents({ type: 'events', watchId, changes: typed }),
    );
  }

  /** Answers one request later than the node would. */
  reply(requestId: number, body: ReplyBody): void {
    this.#deliver(() => this.#options.handlers.onReplies([{ requestId, body }]));
  }

  #onRequests(requests: readonly ClientRequest[]): void {
    if (!this.#open || this.node.down) return;
    const replies: { readonly requestId: number; readonly body: ReplyBody }[] = [];
    for (const request of requests) {
      const body = this.#watching(request) ?? this.node.answer(request, this);
      if (body !== undefined) replies.push({ requestId: request.requestId, body });
    }
    const answer = (): void => this.#options.handlers.onReplies(replies);
    if (replies.length > 0) this.#deliver(answer, this.node.answerDelayMs);
    this.push();
  }

  #watching(request: ClientRequest): ReplyBody | undefined {
    if (request.type === 'unwatch') this.watches.delete(request.watchId);
    if (request.type !== 'watch' || this.node.script !== undefined) return undefined;
    const { watchId, target, fromRevision } = request;
    const { state } = this.node.cluster;
    this.node.cluster.note(this.node, request);
    if (fromRevision !== undefined && fromRevision < state.compactedBelow) {
      const details = { revision: state.compactedBelow };
      return { type: 'error', error: { code: 'COMPACTED', message: 'compacted', details } };
    }
    const next = fromRevision ?? state.revision + 1;
    this.watches.set(watchId, { watchId, target, next });
    return { type: 'watching', revision: next as Revision };
  }

  #pushTo(watch: FakeWatch): void {
    const news = this.node.cluster.state.history.filter(({ revision }) => revision >= watch.next);
    watch.next = Math.max(watch.next, this.node.cluster.state.revision + 1);
    const changes = news
      .map(({ revision, events }) => ({
        revision,
        events: events.filter((event) => concerns(event, watch.target)),
        more: false,
      }))
      .filter(({ events }) => events.length > 0);
    if (changes.length > 0) this.sendEvents(watch.watchId, changes);
  }

  /** A frozen node sends nothing, a broken connection carries nothing. */
  #deliver(work: () => void, delayMs = 0): void {
    const { world } = this.node.cluster;
    world.after(LATENCY_MS + delayMs, () => {
      if (this.#open) work();
    });
  }

  #leave(): void {
    this.#open = false;
    this.node.connections = this.node.connections.filter((other) => other !== this);
  }
}

function concerns(event: ChangeEvent, target: WatchTarget): boolean {
  switch (target.type) {
    case 'range': {
      const key =
        event.type === 'put' ? event.record.key : event.type === 'delete' ? event.key : '';
      if (event.type !== 'put' && event.type !== 'delete') return false;
      return key >= target.start && (target.end === undefined || key < target.end);
    }
    case 'election':
      return electionOf(event) === target.election;
    case 'campaign':
      return electionOf(event) === target.election && campaignOf(event) === target.campaignId;
  }
}

function electionOf(event: ChangeEvent): string | undefined {
  if (event.type === 'granted' || event.type === 'ending') return event.leader.election;
  return event.type === 'put' || event.type === 'delete' ? undefined : event.election;
}

function campaignOf(event: ChangeEvent): string | undefined {
  if (event.type === 'granted' || event.type === 'ending') return event.leader.holder;
  return event.type === 'put' || event.type === 'delete' ? undefined : event.campaignId;
}
