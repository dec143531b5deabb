import type { Episode, Script } from './episode.js';

/** Disks that are slow, full, failing or lost. */
export const DISK_EPISODES: readonly Episode[] = [
  { weight: 2, needs: ['disk-stall'], write: stall },
  { weight: 1, needs: ['disk-full'], write: fill },
  { weight: 1, needs: ['write-failure'], write: failWrite },
  { weight: 0.7, needs: ['corrupt-record'], write: corrupt },
  { weight: 0.7, needs: ['wipe'], write: wipe },
];

function stall(script: Script): void {
  const node = script.target();
  script.do({ type: 'stall-disk', node, extraMs: Math.round(script.dice.skewed(20, 3_000)) });
  script.wait(script.dice.skewed(100, 6_000));
  for (let each = 0; each < script.profile.nodeCount; each += 1) {
    script.do({ type: 'stall-disk', node: each, extraMs: 0 });
  }
}

/** The process ends; once somebody has made room it starts again. */
function fill(script: Script): void {
  script.do({ type: 'fill-disk', node: script.target() });
  script.wait(script.dice.skewed(100, 6_000));
  for (let each = 0; each < script.profile.nodeCount; each += 1) {
    script.do({ type: 'free-disk', node: each });
  }
  script.do({ type: 'restart-all' });
}

function failWrite(script: Script): void {
  script.do({ type: 'fail-write', node: script.target() });
  script.wait(script.dice.skewed(100, 4_000));
  script.do({ type: 'restart-all' });
}

function corrupt(script: Script): void {
  if (script.victims.length === 0) return;
  const node = script.dice.pick(script.victims);
  // The first record and the end of the log, each one in seven, are checked by other means.
  const fraction = Math.min(1, Math.max(0, script.dice.between(-0.2, 1.2)));
  script.do({ type: 'corrupt', node, fraction });
  script.wait(script.dice.skewed(1, 3_000));
  script.do({ type: 'restart', node });
}

function wipe(script: Script): void {
  if (script.victims.length === 0) return;
  const node = script.dice.pick(script.victims);
  script.do({ type: 'wipe', node });
  script.wait(script.dice.skewed(1, 3_000));
  script.do({ type: 'restart', node });
}
