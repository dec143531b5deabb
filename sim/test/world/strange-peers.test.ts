import type { Message, NodeId } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../src/index.js';
import type { World } from '../../src/index.js';
import { checkedWorld, collect, leaderOf, ledWorld } from './worlds.js';

const STRANGER = 'n9' as NodeId;

/** Proposes and reads for a while. */
function use(world: World): void {
  for (let count = 0; count < 120; count += 1) {
    const leader = world.leader();
    if (leader !== undefined) {
      world.propose(leader, 16);
      world.read(leader, count % 2 === 0 ? 'quorum' : 'lease');
    }
    world.advance(25);
  }
}

/** Alters one message of ten. */
function sometimes(alter: (message: Message) => Message): (message: Message) => Message {
  const dice = new RandomStream(5, 'liar');
  return (message) => (dice.percent(10) ? alter(message) : message);
}

describe('a cluster keeps its word and goes on', () => {
  it('when messages come in the name of strangers, or of their receivers', () => {
    for (const from of [STRANGER, undefined]) {
      const world = checkedWorld(
        {},
        { tamper: sometimes((message) => ({ ...message, from: from ?? message.to })) },
      );
      world.start();
      world.advance(3_000);
      use(world);
      expect(leaderOf(world).view?.commitIndex, from).toBeGreaterThan(100);
    }
  });

  it('when messages reach nodes that they are not for', () => {
    const world = ledWorld({});
    const sent = collect(world, 'sent');
    let strayed = 0;
    for (let count = 0; count < 40; count += 1) {
      world.propose(leaderOf(world), 16);
      world.advance(25);
      const message = sent.at(-1)?.message;
      for (const node of world.nodes) {
        if (message === undefined || node.id === message.to) continue;
        node.give({ type: 'message', message });
        strayed += 1;
      }
    }
    expect(strayed).toBeGreaterThan(50);
    expect(leaderOf(world).view?.commitIndex).toBe(41);
  });

  it('when answers come to rounds that were never started', () => {
    const ahead = (message: Message): Message =>
      message.type === 'heartbeat-response'
        ? { ...message, round: message.round + 1_000 }
        : message;
    const world = ledWorld({ leaseReads: true }, { tamper: sometimes(ahead) });
    const answers = collect(world, 'read-answered');
    use(world);
    // S23 and S24 have looked at each of them.
    const served = answers.filter(({ outcome }) => outcome.type === 'served');
    expect(served.length).toBeGreaterThan(50);
  });
});

describe('a node stops rather than believe', () => {
  it('that a peer holds more than there is', () => {
    const boast = (message: Message): Message =>
      message.type === 'append-accepted'
        ? { ...message, matchIndex: (message.matchIndex + 1_000) as typeof message.matchIndex }
        : message;
    const world = checkedWorld({}, { tamper: boast });
    world.start();
    expect(() => world.advance(3_000)).toThrow('a peer matches no more than there is');
  });

  it('that its leader contradicts what was committed', () => {
    let lies = false;
    const contradict = (message: Message): Message =>
      lies && message.type === 'append-request' && message.prevIndex > 0
        ? { ...message, prevTerm: (message.prevTerm + 1) as typeof message.prevTerm }
        : message;
    const world = ledWorld({}, { tamper: contradict });
    use(world);
    lies = true;
    expect(() => use(world)).toThrow(/leader n\d contradicts the committed entry \d+/);
  });
});
