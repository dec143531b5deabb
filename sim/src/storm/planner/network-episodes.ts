import type { NodeTarget } from '../command.js';
import type { Episode, Script } from './episode.js';

/** Nodes that cannot hear each other. */
export const NETWORK_EPISODES: readonly Episode[] = [
  { weight: 3, needs: ['partition'], write: isolateAndHeal },
  { weight: 2, needs: ['partition'], write: splitAndHeal },
  { weight: 2, needs: ['partition'], write: staleLeader },
  { weight: 2, needs: ['one-way-cut'], write: silence },
  { weight: 2, needs: ['one-way-cut'], write: fewFollowers },
  { weight: 1, needs: ['swizzle'], write: swizzle },
];

function isolateAndHeal(script: Script): void {
  script.do({ type: 'isolate', node: script.target() });
  script.waitElections(0.3, 8);
  script.do({ type: 'heal' });
}

function splitAndHeal(script: Script): void {
  script.do({ type: 'split', mask: script.dice.whole(1, 2 ** script.profile.nodeCount - 2) });
  script.waitElections(0.5, 10);
  script.do({ type: 'heal' });
}

/** A deposed leader goes on in its corner, and meets its successor when the net is whole. */
function staleLeader(script: Script): void {
  script.do({ type: 'isolate', node: 'leader' });
  script.waitElections(1, 3);
  if (script.dice.percent(50)) {
    script.do({ type: 'isolate', node: 'leader' });
    script.waitElections(1, 3);
  }
  script.do({ type: 'heal' });
}

/** One direction only: what a firewall rule or a dying switch does. */
function silence(script: Script): void {
  const node = script.target();
  if (script.dice.percent(50)) script.do({ type: 'mute', node });
  else script.do({ type: 'deafen', node });
  script.waitElections(0.5, 8);
  script.do({ type: 'heal' });
}

/** The leader reaches one follower alone: entries without a majority, the shape of Figure 8. */
function fewFollowers(script: Script): void {
  const spared = script.anyNode();
  for (let node = 0; node < script.profile.nodeCount; node += 1) {
    if (node !== spared) script.do({ type: 'cut-one-way', from: 'leader', to: node });
  }
  script.waitElections(0.1, 1.5);
  if (script.has('crash') && script.dice.percent(60)) {
    script.do({ type: 'crash', node: 'leader', landed: 'nothing' });
    script.waitElections(0.5, 3);
    script.do({ type: 'restart-all' });
  }
  script.do({ type: 'heal' });
}

/** Links clog one node after the other and clear in another order (FoundationDB's swizzle). */
function swizzle(script: Script): void {
  const { nodeCount } = script.profile;
  const clogged = script.dice.shuffled(nodeCount).slice(0, script.dice.whole(1, nodeCount));
  for (const node of clogged) {
    script.do({ type: 'isolate', node });
    script.wait(script.dice.between(50, 1_000));
  }
  for (const at of script.dice.shuffled(clogged.length)) {
    const node = clogged[at] ?? 0;
    for (let other = 0; other < nodeCount; other += 1) {
      if (other !== node) mendBothWays(script, node, other);
    }
    script.wait(script.dice.between(50, 1_000));
  }
}

function mendBothWays(script: Script, one: NodeTarget, other: NodeTarget): void {
  script.do({ type: 'mend', from: one, to: other });
  script.do({ type: 'mend', from: other, to: one });
}
