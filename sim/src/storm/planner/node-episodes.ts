import type { Landed, NodeTarget } from '../command.js';
import type { Episode, Script } from './episode.js';

/** Machines that stop, come back, or stand still. */
export const NODE_EPISODES: readonly Episode[] = [
  { weight: 4, needs: ['crash'], write: crashAndRestart },
  { weight: 3, needs: ['crash'], write: turmoil },
  { weight: 2, needs: ['crash'], write: leadersFall },
  { weight: 1, needs: ['crash-all'], write: powerCut },
  { weight: 3, needs: ['freeze-node'], write: freeze },
  { weight: 1, needs: ['freeze-node', 'crash'], write: frozenWhileOthersRestart },
  { weight: 3, needs: ['freeze-node', 'partition', 'crash', 'client-cut'], write: overtakenTwice },
  { weight: 1, needs: ['clock-jump'], write: jump },
];

export function landed(script: Script): Landed {
  if (script.has('torn-write')) return script.dice.pick(['nothing', 'torn', 'whole']);
  return script.dice.pick(['nothing', 'whole']);
}

function crashAndRestart(script: Script): void {
  const node = script.target();
  script.do({ type: 'crash', node, landed: landed(script) });
  script.wait(script.dice.skewed(1, 8_000));
  script.do({ type: 'restart-all' });
}

/**
 * The leader falls, and while the others elect they crash and come back within milliseconds, again
 * and again: votes and promises are lost here if they ever are.
 */
function turmoil(script: Script): void {
  script.do({ type: 'crash', node: 'leader', landed: landed(script) });
  if (script.dice.percent(50)) script.waitElections(0.5, 1);
  const shocks = script.dice.whole(4, 14);
  for (let shock = 0; shock < shocks; shock += 1) {
    script.wait(script.dice.skewed(1, script.profile.electionTimeoutMs / 3));
    const node: NodeTarget = script.anyNode();
    script.do({ type: 'crash', node, landed: landed(script) });
    script.wait(script.dice.skewed(0.1, 30));
    script.do({ type: 'restart', node });
  }
  script.do({ type: 'restart-all' });
}

/** Each new leader falls soon after it was elected, with entries that few have. */
function leadersFall(script: Script): void {
  const falls = script.dice.whole(2, 5);
  for (let fall = 0; fall < falls; fall += 1) {
    script.do({ type: 'crash', node: 'leader', landed: landed(script) });
    script.waitElections(0.1, 1);
    script.do({ type: 'restart-all' });
    script.waitElections(0.5, 2.2);
  }
}

function powerCut(script: Script): void {
  script.do({ type: 'crash-all', landed: landed(script) });
  script.wait(script.dice.skewed(1, 5_000));
  const { nodeCount } = script.profile;
  for (const node of script.dice.shuffled(nodeCount)) {
    script.do({ type: 'restart', node });
    script.wait(script.dice.skewed(0, 500));
  }
}

function freeze(script: Script): void {
  const node = script.target();
  script.do({ type: 'freeze', node });
  script.wait(script.dice.skewed(20, 8_000));
  thawAll(script);
}

/** A leader stands still while its voters restart and elect another. */
function frozenWhileOthersRestart(script: Script): void {
  script.do({ type: 'freeze', node: 'leader' });
  for (let count = script.dice.whole(1, 3); count > 0; count -= 1) {
    script.wait(script.dice.between(1, 200));
    script.do({ type: 'crash', node: script.anyNode(), landed: landed(script) });
    script.wait(script.dice.between(1, 50));
    script.do({ type: 'restart-all' });
  }
  script.waitElections(0, 3);
  thawAll(script);
}

/**
 * A leader stands still and hears nothing of its successor, who falls in turn: what it hears first
 * is two terms above its own. Clients are cut off too: with any call it would look at the clock.
 */
function overtakenTwice(script: Script): void {
  const { clientCount } = script.profile;
  for (let client = 0; client < clientCount; client += 1) {
    script.do({ type: 'cut-client', client, node: 'leader' });
  }
  script.do({ type: 'isolate', node: 'leader' });
  script.wait(30);
  script.do({ type: 'freeze', node: 'leader' });
  script.waitElections(2, 3.5);
  script.do({ type: 'crash', node: 'leader', landed: landed(script) });
  script.do({ type: 'heal' });
  script.wait(script.dice.between(1, 50));
  script.do({ type: 'restart-all' });
  script.waitElections(1.5, 3);
  for (let node = 0; node < script.profile.nodeCount; node += 1) {
    script.do({ type: 'thaw', node, timersFirst: false });
  }
  for (let client = 0; client < clientCount; client += 1) {
    script.do({ type: 'mend-client', client });
  }
}

/** Whoever stands still was meant: roles have changed since. */
function thawAll(script: Script): void {
  const timersFirst = script.dice.percent(50);
  for (let node = 0; node < script.profile.nodeCount; node += 1) {
    script.do({ type: 'thaw', node, timersFirst });
  }
}

function jump(script: Script): void {
  const sign = script.dice.pick([-1, 1]);
  const byMs = Math.round(sign * script.dice.skewed(100, 3_600_000));
  script.do({ type: 'jump-node-clock', node: script.target(), byMs });
}
