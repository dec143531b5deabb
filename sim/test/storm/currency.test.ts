import { describe, expect, it } from 'vitest';
import type { StormCommand } from '../../src/storm/command.js';
import type { StormEvent } from '../../src/storm/events.js';
import { READY_MS, type Seen, operate, playScript } from '../workload/scripted-storm.js';

const PUT = { type: 'put', key: 1 } as const;
const OBSERVE = { type: 'observe', election: 1, forMs: 12_000 } as const;
const WATCH = { type: 'watch', from: 0, to: 8, forMs: 6_000 } as const;
/** The node that falls behind, by position; none of these seeds makes it the first leader. */
const BEHIND = 2;
const SEED = 3;
/** By then all clients have found the node that they reach. */
const FROZEN_MS = 20_000;

/** Clients from the second on reach no other node. */
function cutOff(atMs: number, clients: number): (readonly [number, StormCommand])[] {
  const cuts: (readonly [number, StormCommand])[] = [];
  for (let client = 1; client < clients; client += 1) {
    for (const node of [0, 1]) cuts.push([atMs, { type: 'cut-client', client, node }]);
    // Only who asks for something notices, and looks for another node.
    cuts.push([atMs, { type: 'reset-client', client }], [atMs, operate(client, OBSERVE)]);
  }
  return cuts;
}

/** Of each watch: the highest revision written when it opened, and the first that it saw. */
function firstSeen({ events }: Seen): readonly (readonly [opened: number, seen: number])[] {
  const opened = new Map<number, number>();
  const first = new Map<number, number>();
  let revision = 0;
  for (const event of events) {
    if (event.type === 'machine-applied' && event.changes !== undefined) {
      revision = Math.max(revision, event.changes.revision);
    } else if (event.type === 'watch-opened') opened.set(event.watch, revision);
    else if (isSeen(event) && !first.has(event.watch)) first.set(event.watch, event.event.revision);
  }
  return [...first].map(([watch, seen]) => [opened.get(watch) ?? 0, seen] as const);
}

type WatchEvent = Extract<StormEvent, { readonly type: 'watch-event' }>;
type KeySeen = WatchEvent & { readonly event: { readonly revision: number } };

function isSeen(event: StormEvent): event is KeySeen {
  return event.type === 'watch-event' && event.event.type !== 'leader';
}

describe('a node that fell behind', () => {
  it('takes no old news for new ones, though its clients reach it before its leader does', async () => {
    const clients = 4;
    const commands: (readonly [number, StormCommand])[] = [
      ...cutOff(READY_MS, clients),
      [FROZEN_MS, { type: 'deafen', node: BEHIND }],
      [FROZEN_MS, { type: 'freeze', node: BEHIND }],
      [FROZEN_MS + 4_000, { type: 'thaw', node: BEHIND, timersFirst: false }],
      [FROZEN_MS + 4_100, { type: 'heal' }],
    ];
    for (let client = 1; client < clients; client += 1) {
      commands.push([FROZEN_MS + 3_900, operate(client, WATCH)]);
    }
    for (let atMs = READY_MS; atMs < FROZEN_MS + 8_000; atMs += 40) {
      commands.push([atMs, operate(0, PUT)]);
    }
    commands.sort(([one], [other]) => one - other);
    const clientSkews = Array<number>(clients).fill(0);
    const profile = { clientCount: clients, clientSkews };
    const seen = await playScript({ seed: SEED, profile, commands });
    expect(seen.result.leaderChanges).toBe(0);
    expect(seen.result.failure).toBeUndefined();
    const watches = firstSeen(seen);
    expect(watches).toHaveLength(clients - 1);
    for (const [opened, first] of watches) expect(first).toBeGreaterThan(opened);
  });

  it('serves watches after its restart in a quiet cluster, where no append tells it anything', async () => {
    const seen = await playScript({
      seed: SEED,
      commands: [
        [READY_MS, operate(0, PUT)],
        [READY_MS + 500, { type: 'crash', node: BEHIND, landed: 'whole' }],
        [READY_MS + 1_000, { type: 'restart', node: BEHIND }],
        ...cutOff(READY_MS + 1_000, 2),
        [READY_MS + 18_000, operate(1, WATCH)],
        [READY_MS + 19_000, operate(0, PUT)],
      ],
    });
    expect(seen.result.failure).toBeUndefined();
    expect(seen.result.leaderChanges).toBe(0);
    expect(firstSeen(seen)).toHaveLength(1);
  });
});
