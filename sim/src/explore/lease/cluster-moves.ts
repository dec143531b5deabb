import type { Visit } from '../scope.js';
import { clientName } from './lease-commands.js';
import type { Decided, LeaseState } from './lease-state.js';
import { append, appendDecided, stampStep } from './log-entries.js';
import type { MachineNode } from './machine-node.js';
import { graphOf, type LeaseParts } from './parts.js';

/** Time, leaders, what they decide, and strangers. */
export function clusterMoves(parts: LeaseParts, state: LeaseState, visit: Visit<LeaseState>): void {
  time(parts, state, visit);
  leadership(parts, state, visit);
  decisions(parts, state, visit);
  strangers(parts, state, visit);
}

/** A leader logs the time while leases live, more often than once a step (DESIGN §6). */
function time(parts: LeaseParts, state: LeaseState, visit: Visit<LeaseState>): void {
  if (state.step >= parts.config.horizon) return;
  const step = state.step + 1;
  const clients = state.clients.map((client, at) => graphOf(parts, at).timePassed(client, step));
  const later: LeaseState = { ...state, step, clients };
  const atStep = stampStep(later);
  const machine = atStep === undefined ? state.machine : parts.machine.stamp(state.machine, atStep);
  visit(() => `time passes: step ${step}`, { ...later, machine });
}

/**
 * A leader that is cut off may decide once more, by its own clock and what it had applied: its
 * command is at large from then on, though the clock may not have come to it yet.
 */
function leadership(parts: LeaseParts, state: LeaseState, visit: Visit<LeaseState>): void {
  const { leader, machine, step, leaderChanges } = state;
  const { config, sightings } = parts;
  if (leader.type === 'first' && leaderChanges < config.leaderChangesMax) {
    const none = { type: 'none' } as const;
    const next = { ...state, leader: none, leaderChanges: leaderChanges + 1 };
    visit(() => 'the leader is cut off', next);
    const decided = decide(parts, machine, config.horizon);
    if (decided !== undefined && state.decided === undefined) {
      const label = (): string => `the leader is cut off and decides ${decided.text}`;
      visit(label, { ...next, decided });
    }
  }
  if (leader.type !== 'none') return;
  sightings.note('leader-changed');
  // Its cluster time starts at the log's last stamp and adds what passes on its own clock.
  const ahead = config.mistake === 'leader-clock-ahead' ? config.ttlSteps : 0;
  const behind = step - machine.atStep - ahead;
  visit(() => `a new leader, cluster time ${machine.atStep + ahead}`, {
    ...state,
    leader: { type: 'second', behind },
  });
}

/**
 * A leader decides on what it has applied; the command reaches the log any time later, after
 * whatever, even under the next leader: more than a leader here can do.
 */
function decisions(parts: LeaseParts, state: LeaseState, visit: Visit<LeaseState>): void {
  if (state.decided !== undefined) {
    const next = appendDecided(parts, state);
    if (next !== undefined) visit(() => `applied: ${state.decided?.text ?? ''}`, next);
    return;
  }
  const atStep = stampStep(state);
  if (atStep === undefined) return;
  const decided = decide(parts, state.machine, atStep);
  if (decided === undefined) return;
  visit(() => `the leader decides ${decided.text}`, { ...state, decided });
}

function decide({ machine }: LeaseParts, node: MachineNode, atStep: number): Decided | undefined {
  const payloads = machine.due(node, atStep);
  if (payloads.length === 0) return undefined;
  return { payloads, text: payloads.map((payload) => machine.describe(payload)).join(', ') };
}

function strangers(parts: LeaseParts, state: LeaseState, visit: Visit<LeaseState>): void {
  if (state.foreignEnds >= parts.config.foreignEndsMax) return;
  for (const client of state.clients.keys()) {
    if (state.machine.view.leases[client] === undefined) continue;
    for (const what of ['lease', 'campaign'] as const) {
      const appended = append(parts, state, parts.commands.foreignEnd(client, what));
      if (appended === undefined) continue;
      visit(() => `a stranger ends the ${what} of ${clientName(client)}`, {
        ...appended.state,
        foreignEnds: state.foreignEnds + 1,
      });
    }
  }
}
