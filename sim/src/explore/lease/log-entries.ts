import type { LoggedCommand } from '@raftd/coordinator';
import type { Violation } from '../scope.js';
import { clientName } from './lease-commands.js';
import { STEP_MS } from './lease-config.js';
import type { LeaseState } from './lease-state.js';
import type { Applied, MachineNode } from './machine-node.js';
import { broken } from './machine-rules.js';
import { graphOf, type LeaseParts } from './parts.js';

/** Cluster time as the leader would stamp it now, in steps; undefined: nobody leads. */
export function stampStep({ leader, step }: LeaseState): number | undefined {
  switch (leader.type) {
    case 'first':
      return step;
    case 'none':
      return undefined;
    case 'second':
      return step - leader.behind;
    default:
      return leader satisfies never;
  }
}

/** One command becomes an entry, stamped now. Undefined without a leader. */
export function append(
  parts: LeaseParts,
  state: LeaseState,
  command: LoggedCommand,
): { readonly state: LeaseState; readonly applied: Applied } | undefined {
  const atStep = stampStep(state);
  if (atStep === undefined) return undefined;
  const applied = parts.machine.apply(state.machine, atStep, command);
  return { state: entered(parts, state, applied, command), applied };
}

/** All commands of a decision, one entry each, stamped now. */
export function appendDecided(parts: LeaseParts, state: LeaseState): LeaseState | undefined {
  const atStep = stampStep(state);
  if (atStep === undefined || state.decided === undefined) return undefined;
  let next: LeaseState = { ...state, decided: undefined };
  for (const payload of state.decided.payloads) {
    const applied = parts.machine.applyPayload(next.machine, atStep, payload);
    next = entered(parts, next, applied, parts.machine.commandOf(payload));
  }
  return next;
}

function entered(
  parts: LeaseParts,
  state: LeaseState,
  { node, granted }: Applied,
  command: LoggedCommand,
): LeaseState {
  note(parts, state, node, command);
  const before = state.machine;
  const extendedAt = state.extendedAt.map((at, client) => {
    const endsAtMs = endOf(node, client);
    return endsAtMs !== undefined && endsAtMs !== endOf(before, client) ? state.step : at;
  });
  const clients =
    granted === undefined
      ? state.clients
      : state.clients.map((client, at) =>
          at === granted.client ? graphOf(parts, at).grantPushed(client, granted.token) : client,
        );
  const shortened = shortenedInTrueTime(parts, state, node, command);
  return { ...state, machine: node, clients, extendedAt, broken: state.broken ?? shortened };
}

/** Cluster time at which a lease is due, ms. */
function endOf(node: MachineNode, client: number): number | undefined {
  const lease = node.view.leases[client];
  return lease === undefined ? undefined : node.atStep * STEP_MS + lease.remainingMs;
}

/** L7: in true time, whoever led meanwhile and by whatever clock. */
function shortenedInTrueTime(
  { config }: LeaseParts,
  state: LeaseState,
  node: MachineNode,
  command: LoggedCommand,
): Violation | undefined {
  if (command.stamp !== undefined) return undefined;
  for (const [client, extendedAt] of state.extendedAt.entries()) {
    const isOver = endOf(state.machine, client) !== undefined && endOf(node, client) === undefined;
    const lived = state.step - extendedAt;
    if (!isOver || lived >= config.ttlSteps) continue;
    const name = clientName(client);
    return broken('L7', `the lease of ${name} expired ${lived} steps after it was extended`);
  }
  return undefined;
}

function note(
  { sightings }: LeaseParts,
  { machine }: LeaseState,
  node: MachineNode,
  { command, stamp }: LoggedCommand,
): void {
  const { leases } = machine.view;
  const isOver = (client: number): boolean =>
    leases[client] !== undefined && node.view.leases[client] === undefined;
  const { holder } = machine.past;
  if (holder !== 0 && node.past.holder > holder) sightings.note('promoted-in-the-ending-entry');
  if (command.type === 'expire-leases') {
    for (const [client, lease] of leases.entries()) {
      const named = command.leases.find(({ lease: id }) => id === lease?.lease);
      if (named === undefined || isOver(client)) continue;
      const renewed = machine.past.leases[client]?.renewals !== named.renewals;
      sightings.note(renewed ? 'expiry-beaten-by-renewal' : 'expiry-before-its-time');
    }
  }
  if (command.type === 'lease-renew' && stamp !== undefined) {
    const client = stamp.session.charCodeAt(stamp.session.length - 1) - 65;
    if (machine.past.leases[client]?.ended) sightings.note('renewal-of-an-ended-lease');
  }
}
