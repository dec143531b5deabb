import type { LogIndex, LogWrite, NodeId, Term } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import type { Schedule } from '../src/index.js';
import {
  CALM_PROFILE,
  Network,
  NodeClock,
  RandomStream,
  retell,
  runUntil,
  SimulatedDisk,
  SimulatedStore,
  TrueClock,
  World,
} from '../src/index.js';
import { entry, hardState } from './support/cluster-by-hand.js';

function write(fields: Partial<LogWrite>): LogWrite {
  return {
    hardState: undefined,
    truncateFrom: undefined,
    entries: [],
    lastIndex: 0 as LogIndex,
    lastTerm: 0 as Term,
    ...fields,
  };
}

const log = (fields: Partial<LogWrite>) => ({ type: 'log', write: write(fields) }) as const;

describe('randomness by key', () => {
  it('gives the n-th draw of a stream whatever was drawn elsewhere', () => {
    const first = new RandomStream(7, 'link/a/b');
    const drawn = [first.next(), first.next(), first.next()];
    const second = new RandomStream(7, 'link/a/b');
    new RandomStream(7, 'link/b/a').next();
    expect([second.at(0), second.at(1), second.at(2)]).toEqual(drawn);
  });

  it('differs by seed and by name, and fills [0, 1) evenly', () => {
    const first = new RandomStream(1, 'a').at(0);
    expect(new RandomStream(2, 'a').at(0)).not.toBe(first);
    expect(new RandomStream(1, 'b').at(0)).not.toBe(first);
    const stream = new RandomStream(3, 'even');
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let count = 0; count < 10_000; count += 1) {
      const tenth = Math.floor(stream.next() * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    expect(Math.min(...tenths)).toBeGreaterThan(850);
    expect(Math.max(...tenths)).toBeLessThan(1150);
  });
});

describe('clocks', () => {
  it('run at their own rate, and a timer never fires before its local time', () => {
    const time = new TrueClock();
    const fast = new NodeClock(time, 1.01, 500);
    const dueMs = fast.trueMsAt(777);
    time.moveTo(dueMs);
    expect(fast.nowMs).toBeGreaterThanOrEqual(777);
    expect(fast.nowMs).toBeLessThan(777.01);
  });

  it('get another zero at a reboot, and count elapsed time through it', () => {
    const time = new TrueClock();
    const clock = new NodeClock(time, 1, 0);
    time.moveTo(100);
    clock.reboot(5000);
    time.moveTo(130);
    expect([clock.nowMs, clock.elapsedMs]).toEqual([5030, 130]);
    expect(() => time.moveTo(129)).toThrow(/went back/);
  });

  it('let events happen in the order of their times, the first source first', () => {
    const time = new TrueClock();
    const happened: string[] = [];
    const source = (name: string, ...dues: number[]) => ({
      nextDueMs: () => dues[0],
      runDue: () => void happened.push(`${name}${dues.shift()}@${time.nowMs}`),
    });
    runUntil(time, [source('a', 5, 9, 30), source('b', 1, 9)], 20);
    expect(happened).toEqual(['b1@1', 'a5@5', 'a9@9', 'b9@9']);
    expect(time.nowMs).toBe(20);
  });
});

describe('the network', () => {
  it('delivers by time, or out of turn when told', () => {
    const network = new Network<string>();
    network.send('a', 'b', 'late', 9);
    network.send('a', 'b', 'early', 3);
    network.send('a', 'b', 'middle', 5);
    expect(network.take(1)?.body).toBe('middle');
    expect(network.takeDue(2)).toBeUndefined();
    expect(network.takeDue(9)?.body).toBe('early');
    expect(network.takeDue(9)?.body).toBe('late');
  });

  it('doubles what is under way and replays what has long arrived', () => {
    const network = new Network<string>();
    network.send('a', 'b', 'x', 1);
    network.duplicate(0, 2);
    network.takeDue(1);
    network.replay(0, 3);
    expect(network.takeDue(9)?.copy).toBe('duplicate');
    expect(network.takeDue(9)).toMatchObject({ body: 'x', copy: 'replay' });
  });

  it('holds at a cut link until it is healed', () => {
    const network = new Network<string>();
    network.cut('a', 'b', 'hold');
    network.send('a', 'b', 'x', 1);
    const packet = network.takeDue(1);
    if (packet !== undefined) network.hold(packet);
    expect([network.inFlightCount, network.heldCount]).toEqual([0, 1]);
    network.heal(50);
    expect(network.takeDue(50)?.body).toBe('x');
    expect(network.cutOf('a', 'b')).toBeUndefined();
  });
});

describe('the disk', () => {
  it('loses in a crash what was not completed, and only that', () => {
    const disk = new SimulatedDisk();
    disk.append(log({ hardState: hardState(1, 'a'), entries: [entry(1, 1)] }), 5, () => {});
    expect(disk.hardState.term).toBe(0);
    disk.completeNext();
    disk.append(log({ hardState: hardState(2, 'b'), entries: [entry(2, 2)] }), 9, () => {});
    expect(disk.crash(0)).toBe(1);
    expect([disk.hardState, disk.lastIndex]).toEqual([hardState(1, 'a'), 1]);
  });

  it('may have landed a write that nobody was told of', () => {
    const disk = new SimulatedDisk();
    let isTold = false;
    disk.append(log({ entries: [entry(1, 1)] }), 5, () => {
      isTold = true;
    });
    expect(disk.crash(1)).toBe(0);
    expect([disk.lastIndex, isTold]).toEqual([1, false]);
  });

  it('truncates and appends as one, and refuses a gap', () => {
    const disk = new SimulatedDisk();
    disk.append(log({ entries: [entry(1, 1), entry(2, 1)] }), 1, () => {});
    disk.append(log({ truncateFrom: 2 as LogIndex, entries: [entry(2, 3)] }), 2, () => {});
    disk.completeNext();
    disk.completeNext();
    expect(disk.entryAt(2 as LogIndex)?.term).toBe(3);
    disk.append(log({ entries: [entry(9, 3)] }), 3, () => {});
    expect(() => disk.completeNext()).toThrow(/gap/);
  });

  it('that lies loses what it has acknowledged', () => {
    const disk = new SimulatedDisk({ lies: true });
    let isTold = false;
    disk.append(log({ entries: [entry(1, 1)] }), 1, () => {
      isTold = true;
    });
    disk.completeNext();
    disk.crash(0);
    expect([isTold, disk.lastIndex]).toEqual([true, 0]);
  });
});

describe('the simulated store', () => {
  it('fails for good with the first error, and keeps what was durable before', () => {
    const work: (() => void)[] = [];
    const disk = new SimulatedDisk();
    const later = (complete: () => void): void => void work.push(complete);
    const store = new SimulatedStore(disk, { incarnation: 'one', later });
    const told: (Error | undefined)[] = [];
    const append = (index: number): void => {
      store.append(write({ entries: [entry(index, 1)] }), (error) => void told.push(error));
      work.shift()?.();
    };
    append(1);
    const full = new Error('disk full');
    store.failNext(full);
    append(2);
    append(2);
    expect(told).toEqual([undefined, full, full]);
    expect(store.load().entries).toEqual([entry(1, 1)]);
  });

  it('holds one write at a time, and none once closed', () => {
    const disk = new SimulatedDisk();
    const store = new SimulatedStore(disk, { incarnation: 'one', later: () => {} });
    store.append(write({}), () => {});
    expect(() => store.append(write({}), () => {})).toThrow(/one write in flight/);
    let isClosed = false;
    store.close(() => {
      isClosed = true;
    });
    expect(isClosed).toBe(false);
    disk.completeNext();
    expect(isClosed).toBe(true);
    expect(() => store.append(write({}), () => {})).toThrow(/closed/);
  });
});

describe('a world', () => {
  const schedule: Schedule = {
    profile: { ...CALM_PROFILE, seed: 11, lossPercent: 5, duplicatePercent: 10, slowPercent: 5 },
    commands: [
      { type: 'advance', ms: 900 },
      { type: 'propose', to: 'leader', count: 4, bytes: 20 },
      { type: 'crash', node: 'leader', landed: true },
      { type: 'advance', ms: 1500 },
      { type: 'recover', ms: 800 },
    ],
  };

  it('tells one schedule the same way twice, to the letter', () => {
    const once = retell(schedule);
    expect(once.failure).toBeUndefined();
    expect(once.lines.length).toBeGreaterThan(200);
    expect(retell(schedule).lines).toEqual(once.lines);
  });

  it('tells another seed otherwise', () => {
    const other = { ...schedule, profile: { ...schedule.profile, seed: 12 } };
    expect(retell(other).lines).not.toEqual(retell(schedule).lines);
  });

  it('keeps all inputs from a frozen node until it wakes', () => {
    const world = new World({ profile: CALM_PROFILE });
    world.start();
    world.advance(1000);
    const leader = world.leader();
    const follower = world.nodes.find((node) => node !== leader);
    if (leader === undefined || follower === undefined) throw new Error('no leader');
    follower.freeze();
    world.propose(leader, 10);
    world.advance(200);
    expect(leader.view?.commitIndex).toBe(2);
    expect(follower.view?.lastIndex).toBe(1);
    follower.thaw({ timersFirst: false });
    world.advance(200);
    expect(follower.view?.commitIndex).toBe(2);
    expect(world.node('n1' as NodeId).isUp).toBe(true);
  });
});
