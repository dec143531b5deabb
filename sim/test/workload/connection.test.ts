import type { DialHandlers, Wire } from '@raftd/client';
import { type ClientRequest, type ErrorBody, PROTOCOL_VERSION, type Reply } from '@raftd/protocol';
import type { ClientConnection } from '@raftd/server';
import { describe, expect, it } from 'vitest';
import type { NodeListener } from '../../src/storm/listeners.js';
import { planStorm } from '../../src/storm/planner/plan-storm.js';
import { Cable } from '../../src/workload/cable.js';
import { Agenda } from '../../src/world/agenda.js';
import { ProcessClock } from '../../src/world/process-clock.js';
import { SimProcess } from '../../src/world/process.js';

const ADDRESS = 'n1:7400';

/** One client, one node that answers every request with `unwatched`, and the cable between. */
class Pair {
  readonly agenda = new Agenda();
  readonly client = this.#process('c1');
  readonly node = this.#process('n1');
  readonly cable: Cable;
  readonly replied: number[] = [];
  readonly requested: number[] = [];
  readonly frames: object[] = [];
  closed: ErrorBody | undefined;
  serverClosed = 0;
  welcomes = 0;
  server: ClientConnection | undefined;
  #listens = true;
  #onDown: (() => void) | undefined;

  constructor(seed = 1, encoded = false) {
    const { agenda } = this;
    const drawn = planStorm(seed, { faults: [], clientCount: 1 });
    const profile = { ...drawn.profile, latencyMs: [1, 20] as const };
    this.cable = new Cable({
      client: 'c1',
      address: ADDRESS,
      plan: { ...drawn, profile },
      agenda,
      listeners: { listenerAt: () => (this.#listens ? this.#listener : undefined) },
      carriage: { encoded, inspect: (frame) => this.frames.push(frame) },
    });
    this.client.start(() => undefined);
    this.node.start(() => undefined);
  }

  dial(): Wire {
    const handlers: DialHandlers = {
      onWelcome: () => {
        this.welcomes += 1;
      },
      onReplies: (replies) => {
        for (const { requestId } of replies) this.replied.push(requestId);
      },
      onEvents: () => undefined,
      onWatchEnded: () => undefined,
      onClose: (error) => {
        this.closed = error;
      },
    };
    const hello = {
      type: 'client-hello',
      protocolVersion: PROTOCOL_VERSION,
      clusterId: undefined,
    } as const;
    return this.cable.dial({ address: ADDRESS, hello, handlers }, this.client);
  }

  /** Connected, with the welcome read. */
  connect(): Wire {
    const wire = this.dial();
    this.advance(500);
    expect(this.welcomes).toBe(1);
    return wire;
  }

  advance(ms: number): void {
    const endMs = this.agenda.nowMs + ms;
    while (this.agenda.step(endMs));
    this.agenda.clock.moveTo(endMs);
  }

  crashNode(): void {
    this.node.kill();
    this.#listens = false;
    this.#onDown?.();
  }

  readonly #listener: NodeListener = {
    node: 'n1' as NodeListener['node'],
    process: this.node,
    accept: (connection) => {
      this.server = connection;
      return {
        onHello: () => connection.send(WELCOME),
        onRequests: (requests) => this.#answer(connection, requests),
        onClose: () => {
          this.serverClosed += 1;
        },
      };
    },
    onDown: (callback) => {
      this.#onDown = callback;
      return () => undefined;
    },
  };

  #answer(connection: ClientConnection, requests: readonly ClientRequest[]): void {
    const replies = requests.map(({ requestId }): Reply => {
      this.requested.push(requestId);
      return { requestId, body: { type: 'unwatched' } };
    });
    connection.send({ type: 'replies', replies });
  }

  #process(name: string): SimProcess {
    const options = { rate: 1, bootOffsetMs: 0, wallOffsetMs: 0 };
    return new SimProcess(name, this.agenda, new ProcessClock(this.agenda.clock, options));
  }
}

const WELCOME = {
  type: 'welcome',
  protocolVersion: PROTOCOL_VERSION,
  clusterId: 'cluster',
  nodeId: 'n1' as NodeListener['node'],
  leader: undefined,
  members: [],
  clusterTimeMs: 0,
  featureLevel: 1,
} as const;

function unwatch(requestId: number): ClientRequest {
  return { type: 'unwatch', requestId, watchId: requestId };
}

function sendMany(wire: Wire, from: number, to: number): readonly number[] {
  const ids = Array.from({ length: to - from }, (_, at) => from + at);
  for (const id of ids) wire.send([unwatch(id)]);
  return ids;
}

describe('a connection of a client', () => {
  it.each([false, true])('keeps the order of both ways, encoded: %s', (encoded) => {
    const pair = new Pair(1, encoded);
    const ids = sendMany(pair.connect(), 1, 200);
    pair.advance(1_000);
    expect(pair.requested).toEqual(ids);
    expect(pair.replied).toEqual(ids);
    expect(pair.frames.length > 0).toBe(!encoded);
  });

  it('is refused where nobody listens', () => {
    const pair = new Pair();
    pair.crashNode();
    pair.dial();
    pair.advance(500);
    expect(pair.closed).toMatchObject({
      code: 'UNAVAILABLE',
      details: { reason: 'ECONNREFUSED' },
    });
  });

  it('stays up while it is cut, and holds what was sent', () => {
    const pair = new Pair();
    const wire = pair.connect();
    pair.cable.cut();
    sendMany(wire, 1, 20);
    pair.advance(15_000);
    expect(pair.requested).toEqual([]);
    expect(pair.closed).toBeUndefined();
    expect(pair.serverClosed).toBe(0);
  });

  it('delivers all that was held, in order, or breaks for both sides, once it is mended', () => {
    const ends = new Set<string>();
    for (let seed = 1; seed <= 20; seed += 1) {
      const pair = new Pair(seed);
      const wire = pair.connect();
      const ids = sendMany(wire, 1, 10);
      pair.advance(8);
      pair.cable.cut();
      const later = sendMany(wire, 10, 20);
      pair.advance(3_000);
      pair.cable.mend();
      const last = sendMany(wire, 20, 30);
      pair.advance(3_000);
      const all = [...ids, ...later, ...last];
      const isWhole = pair.closed === undefined;
      ends.add(isWhole ? 'delivered' : 'reset');
      expect(pair.serverClosed).toBe(isWhole ? 0 : 1);
      expect(pair.requested).toEqual(isWhole ? all : all.slice(0, pair.requested.length));
      expect(pair.replied).toEqual(all.slice(0, pair.replied.length));
    }
    expect([...ends].toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
      'delivered',
      'reset',
    ]);
  });

  it('always delivers once the world is calm', () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const pair = new Pair(seed);
      const wire = pair.connect();
      pair.cable.becomeCalm();
      pair.cable.cut();
      const ids = sendMany(wire, 1, 10);
      pair.advance(3_000);
      pair.cable.mend();
      pair.advance(3_000);
      expect(pair.replied).toEqual(ids);
    }
  });

  it('ends by missed pings when the cut lasts', () => {
    const pair = new Pair();
    pair.connect();
    pair.cable.cut();
    pair.advance(31_000);
    expect(pair.closed?.details).toMatchObject({ reason: 'ETIMEDOUT' });
    expect(pair.serverClosed).toBe(1);
  });

  it('brings what a node sent before it crashed, and then its end', () => {
    const pair = new Pair();
    const wire = pair.connect();
    const ids = sendMany(wire, 1, 50);
    pair.advance(25);
    const { length } = pair.requested;
    expect(length).toBeGreaterThan(0);
    pair.crashNode();
    pair.advance(6_000);
    expect(pair.replied).toEqual(ids.slice(0, length));
    expect(pair.closed?.code).toBe('UNAVAILABLE');
    expect(pair.serverClosed).toBe(0);
  });

  it('loses the replies on their way when it is reset', () => {
    const pair = new Pair();
    const wire = pair.connect();
    sendMany(wire, 1, 50);
    pair.advance(25);
    const { length } = pair.replied;
    pair.cable.reset();
    pair.advance(1_000);
    expect(pair.replied).toHaveLength(length);
    expect(pair.closed?.details).toMatchObject({ reason: 'ECONNRESET' });
    expect(pair.serverClosed).toBe(1);
  });

  it('keeps everything for a frozen client, and counts what waits for it', () => {
    const pair = new Pair();
    pair.connect();
    pair.client.freeze();
    const reply: Reply = { requestId: 7, body: { type: 'unwatched' } };
    for (let frame = 0; frame < 5_000; frame += 1) {
      pair.server?.send({ type: 'replies', replies: [reply] });
    }
    pair.advance(1_000);
    expect(pair.replied).toEqual([]);
    expect(pair.server?.bufferedBytes()).toBeGreaterThan(100_000);
    pair.client.thaw({ timersFirst: true });
    expect(pair.replied).toHaveLength(5_000);
    expect(pair.server?.bufferedBytes()).toBe(0);
  });

  it('tells the node of a client that died, sooner or later', () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const pair = new Pair(seed);
      const wire = pair.connect();
      pair.client.kill();
      pair.cable.clientVanished();
      wire.send([unwatch(1)]);
      pair.advance(31_000);
      expect(pair.serverClosed).toBe(1);
      expect(pair.requested).toEqual([]);
      expect(pair.closed).toBeUndefined();
    }
  });

  it('says goodbye before it is closed by the node', () => {
    const pair = new Pair();
    pair.connect();
    const error = { code: 'SHUTTING_DOWN', message: 'bye', details: {} } as const;
    pair.server?.close(error);
    pair.advance(1_500);
    expect(pair.closed).toEqual(error);
    expect(pair.serverClosed).toBe(1);
  });

  it('ends on both sides when the client closes it', () => {
    const pair = new Pair();
    const wire = pair.connect();
    wire.send([unwatch(1)]);
    wire.close();
    pair.advance(500);
    expect(pair.requested).toEqual([1]);
    expect(pair.replied).toEqual([]);
    expect(pair.closed?.code).toBe('CLIENT_CLOSED');
    expect(pair.serverClosed).toBe(1);
  });
});
