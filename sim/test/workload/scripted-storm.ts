import { planStorm, runStorm, type StormEvent, type StormResult } from '../../src/storm/index.js';
import type { StormCommand } from '../../src/storm/command.js';
import type { StormPlan } from '../../src/storm/plan.js';
import type { StormProfile } from '../../src/storm/profile.js';
import type { ClientOperation } from '../../src/workload/operation.js';

/** A moment of true time, ms, and what is done then. */
export type Scripted = readonly [atMs: number, command: StormCommand];

export interface Script {
  readonly seed?: number;
  readonly profile?: Partial<StormProfile>;
  readonly commands: readonly Scripted[];
  readonly liveness?: StormPlan['liveness'];
  /** How long the storm goes on after the last command; default 1,000. */
  readonly afterMs?: number;
}

export interface Seen {
  readonly result: StormResult;
  readonly events: readonly StormEvent[];
  /** Events of one type, in order; those of the cores are left out. */
  of<Type extends StormEvent['type']>(
    type: Type,
  ): readonly Extract<StormEvent, { readonly type: Type }>[];
}

/** Most of what happens, and nothing that these tests ask about. */
const OF_CORES: ReadonlySet<string> = new Set(['stepped', 'sent', 'delivered', 'applied']);

/** A cluster has formed and leads by then. */
export const READY_MS = 3_000;

/** A storm in which nothing happens but what the script says. */
export async function playScript({
  seed = 1,
  profile,
  commands,
  afterMs = 1_000,
  liveness,
}: Script): Promise<Seen> {
  const drawn = planStorm(seed, { faults: [], nodeCount: 3, clientCount: 3 });
  const plan = {
    ...drawn,
    profile: {
      ...drawn.profile,
      stormMs: (commands.at(-1)?.[0] ?? READY_MS) + afterMs,
      latencyMs: [0.5, 3] as const,
      reads: 'quorum' as const,
      windowEventsMax: 100_000,
      pipelinedRequestsMax: 10_000,
      ...profile,
    },
    commands: commands.map(([atMs, command]) => ({ atMs, command })),
    liveness,
  };
  const events: StormEvent[] = [];
  const observer = {
    observe: (event: StormEvent) => {
      if (!OF_CORES.has(event.type)) events.push(event);
    },
  };
  const result = await runStorm(plan, { observers: () => [observer] });
  return {
    result,
    events,
    of: (type) => events.filter((event) => isOf(event, type)),
  };
}

export function operate(client: number, operation: ClientOperation): StormCommand {
  return { type: 'operate', client, operation };
}

function isOf<Type extends StormEvent['type']>(
  event: StormEvent,
  type: Type,
): event is Extract<StormEvent, { readonly type: Type }> {
  return event.type === type;
}
