import type { SessionId } from '@raftd/protocol';
import { describe, expect, it } from 'vitest';
import { SESSION_WINDOW, Session } from '../src/session.js';

const at = (ms: number, asleepMs = 0) => ({ monotonicMs: ms, asleepMs, aheadMs: 0 });
const open = () => new Session('s' as SessionId, 7, at(0));

describe('a session', () => {
  it('numbers commands from 1 and names the lowest one still waited for', () => {
    const session = open();
    expect(session.stamp()).toEqual({ session: 's', openedAtMs: 7, sequence: 1, mark: 1 });
    session.stamp();
    session.stamp();
    session.settled(2);
    expect(session.stamp().mark).toBe(1);
    session.settled(1);
    expect(session.stamp()).toMatchObject({ sequence: 5, mark: 3 });
  });

  it('is full when its window is, however many have been answered above the lowest', () => {
    const session = open();
    for (let sequence = 1; sequence <= SESSION_WINDOW; sequence += 1) session.stamp();
    for (let sequence = 2; sequence <= SESSION_WINDOW; sequence += 1) session.settled(sequence);
    expect(session.full).toBe(true);
    session.settled(1);
    expect(session.full).toBe(false);
    expect(session.stamp()).toMatchObject({ sequence: 1_025, mark: 1_025 });
  });

  it('is not trusted after nine minutes without an applied command, on either clock', () => {
    const session = open();
    session.applied(at(60_000));
    expect(session.doubtful(at(60_000 + 539_000))).toBe(false);
    expect(session.doubtful(at(60_000, 540_000))).toBe(true);
  });
});
