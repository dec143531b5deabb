import type { ClientTarget } from '../command.js';
import { hasWildClocks } from '../wild-clocks.js';
import type { Episode, Script } from './episode.js';

/** Workers that freeze, die, lose the network, or have their clocks set. */
export const CLIENT_EPISODES: readonly Episode[] = [
  { weight: 4, needs: ['freeze-client'], write: freezeClient },
  { weight: 3, needs: ['client-death'], write: killClient },
  { weight: 2, needs: ['client-cut'], write: cutClient },
  { weight: 2, needs: ['client-cut'], write: resetClient },
  { weight: 3, needs: ['client-cut', 'clock-rate'], write: outlastLease },
  { weight: 25, needs: ['client-cut', 'clock-rate'], suits: hasWildClocks, write: outlastLease },
  { weight: 2, needs: ['clock-jump'], write: jumpClock },
];

/** Whoever holds leadership is where harm tells most. */
function target(script: Script): ClientTarget {
  return script.dice.percent(60) ? 'holder' : script.anyClient();
}

function freezeClient(script: Script): void {
  script.do({ type: 'freeze-client', client: target(script) });
  script.wait(script.dice.skewed(50, 15_000));
  const timersFirst = script.dice.percent(50);
  for (let client = 0; client < script.profile.clientCount; client += 1) {
    script.do({ type: 'thaw-client', client, timersFirst });
  }
}

function killClient(script: Script): void {
  script.do({ type: 'kill-client', client: target(script) });
  script.wait(script.dice.skewed(20, 8_000));
  for (let client = 0; client < script.profile.clientCount; client += 1) {
    script.do({ type: 'start-client', client });
  }
}

function cutClient(script: Script): void {
  const node = script.dice.pick(['all', 'leader', script.anyNode()] as const);
  script.do({ type: 'cut-client', client: target(script), node });
  script.wait(script.dice.skewed(50, 12_000));
  for (let client = 0; client < script.profile.clientCount; client += 1) {
    script.do({ type: 'mend-client', client });
  }
}

/**
 * A holder hears nothing until its lease has long ended and another has won: its own clock alone
 * tells it to stop, and a clock beyond the bound tells it too late.
 */
function outlastLease(script: Script): void {
  script.do({ type: 'cut-client', client: 'holder', node: 'all' });
  script.wait(script.dice.between(2_000, 8_000));
  for (let client = 0; client < script.profile.clientCount; client += 1) {
    script.do({ type: 'mend-client', client });
  }
}

/** Again and again: each time the replies on their way are lost and asked for anew. */
function resetClient(script: Script): void {
  const client = target(script);
  for (let times = script.dice.whole(1, 6); times > 0; times -= 1) {
    script.do({ type: 'reset-client', client });
    script.wait(script.dice.skewed(1, 800));
  }
}

/** From a second to hours, in both directions, and sometimes back again. */
function jumpClock(script: Script): void {
  const client = target(script);
  const sign = script.dice.pick([-1, 1]);
  const byMs = Math.round(sign * script.dice.skewed(100, 3_600_000));
  script.do({ type: 'jump-client-clock', client, byMs });
  if (script.dice.percent(40)) {
    script.wait(script.dice.skewed(10, 5_000));
    script.do({ type: 'jump-client-clock', client, byMs: -byMs });
  }
}
