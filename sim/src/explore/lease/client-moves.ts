import type { CommandResult } from '@raftd/coordinator';
import type { Visit } from '../scope.js';
import { sentOf, type ClientNode } from './client-node.js';
import type { ClientGraph } from './client-graph.js';
import { clientName, type Request } from './lease-commands.js';
import type { LeaseState } from './lease-state.js';
import { graphOf, type LeaseParts } from './parts.js';
import { describe, withClient } from './request-moves.js';

/** What one client does by itself. Suspended, it only wakes. */
export function clientMoves(
  parts: LeaseParts,
  state: LeaseState,
  client: number,
  visit: Visit<LeaseState>,
): void {
  const node = state.clients[client];
  if (node === undefined) return;
  const graph = graphOf(parts, client);
  const name = clientName(client);
  const go = (label: () => string, next: ClientNode): void =>
    visit(label, withClient(state, client, next));
  if (node.asleep) {
    go(() => `${name} wakes`, graph.wake(node, state.step));
    return;
  }
  act({ parts, state, client, node, graph }, go);
  hear({ parts, state, client, node, graph }, go);
  const isPausable = node.standing.type === 'waiting' || node.standing.type === 'granted';
  if (client === 0 && isPausable && state.pauses < parts.config.pausesMax) {
    parts.sightings.note('client-suspended');
    const asleep = withClient(state, client, graph.fallAsleep(node));
    visit(() => `${name} is suspended`, { ...asleep, pauses: state.pauses + 1 });
  }
}

type Go = (label: () => string, next: ClientNode) => void;

interface Actor {
  readonly parts: LeaseParts;
  readonly state: LeaseState;
  readonly client: number;
  readonly node: ClientNode;
  readonly graph: ClientGraph;
}

function act({ parts, state, client, node, graph }: Actor, go: Go): void {
  const { config } = parts;
  const name = clientName(client);
  const { step } = state;
  if (node.standing.type === 'none') {
    if (step > config.asksUntil) return;
    go(() => `${name} asks for a lease`, graph.askForLease(node, step));
  }
  const mayRenew = client < config.renewers && node.renewals.length < config.renewalsMax;
  if (node.held !== undefined && mayRenew) {
    go(() => `${name} sends renewal ${node.renewals.length + 1}`, graph.renew(node, step));
  }
  if (node.standing.type !== 'granted') return;
  const { token } = node.standing;
  if (node.write.type === 'none' && client < config.writers) {
    go(() => `${name} sends a write with ${token}`, graph.write(node));
  }
  if (node.withdrawal === undefined && client < config.resigners) {
    go(() => `${name} resigns`, graph.resign(node));
  }
}

function hear({ parts, state, client, node, graph }: Actor, go: Go): void {
  const answer = (request: Request): void => {
    const sent = sentOf(node, request);
    if (sent?.type !== 'answered') return;
    if (tellsOfEnding(sent.reply.result)) parts.sightings.note('ending-told');
    const label = (): string => `the answer to ${describe(client, request)} is heard`;
    go(label, graph.answerReceived(node, request, state.step));
  };
  answer({ type: 'lease-grant' });
  answer({ type: 'campaign' });
  for (const at of node.renewals.keys()) answer({ type: 'renew', attempt: at + 1 });
  // Who knows that it stands in line watches from there on.
  if (node.pushed !== 0 && node.campaign?.type === 'done') {
    const label = (): string => `${clientName(client)} hears of its grant`;
    go(label, graph.pushReceived(node, state.step));
  }
}

function tellsOfEnding(result: CommandResult): boolean {
  if (result.type !== 'lease-renew') return false;
  const [renewal] = result.renewals;
  return renewal?.outcome === 'renewed' && renewal.grants.some(({ ending }) => ending);
}
