import type { Visit } from '../scope.js';
import { sentOf, type ClientNode } from './client-node.js';
import { clientName, type Request, type WriteTarget } from './lease-commands.js';
import type { LeaseState } from './lease-state.js';
import { append } from './log-entries.js';
import { broken } from './machine-rules.js';
import { graphOf, type LeaseParts } from './parts.js';

/** What the network does with the requests of one client: each arrives whenever it likes. */
export function requestMoves(
  parts: LeaseParts,
  state: LeaseState,
  client: number,
  visit: Visit<LeaseState>,
): void {
  const node = state.clients[client];
  if (node === undefined) return;
  arrive(parts, state, client, { type: 'lease-grant' }, visit);
  arrive(parts, state, client, { type: 'campaign' }, visit);
  for (const at of node.renewals.keys()) {
    arrive(parts, state, client, { type: 'renew', attempt: at + 1 }, visit);
  }
  arrive(parts, state, client, { type: 'withdraw' }, visit);
  if (node.write.type !== 'under-way') return;
  const { token } = node.write;
  for (const target of ['key', 'fence'] as const) {
    writeArrives(parts, state, { client, token, target }, visit);
  }
  reachResource(parts, state, client, token, visit);
}

function arrive(
  parts: LeaseParts,
  state: LeaseState,
  client: number,
  request: Request,
  visit: Visit<LeaseState>,
): void {
  const node = state.clients[client];
  const sent = node === undefined ? undefined : sentOf(node, request);
  if (node === undefined || sent === undefined) return;
  const isFirst = sent.type === 'under-way' || sent.type === 'unheeded';
  if (!isFirst && state.duplicates >= parts.config.duplicatesMax) return;
  const appended = append(parts, state, parts.commands.request(client, request));
  if (appended === undefined) return;
  const name = describe(client, request);
  if (!isFirst) {
    parts.sightings.note('duplicate-applied');
    const next = { ...appended.state, duplicates: state.duplicates + 1 };
    visit(() => `${name} is applied again`, next);
    return;
  }
  // Whoever is granted at once hears it in the answer, and watches nothing yet.
  const isOwn = request.type === 'campaign';
  const told = isOwn ? node : (appended.state.clients[client] ?? node);
  const answered = graphOf(parts, client).applied(told, request, appended.applied.reply);
  visit(() => `${name} is applied`, withClient(appended.state, client, answered));
}

function writeArrives(
  parts: LeaseParts,
  state: LeaseState,
  write: { readonly client: number; readonly token: number; readonly target: WriteTarget },
  visit: Visit<LeaseState>,
): void {
  const { client, token, target } = write;
  const appended = append(parts, state, parts.commands.write(client, token, target));
  if (appended === undefined) return;
  const refused = appended.applied.reply.result.type === 'refused';
  if (refused) parts.sightings.note(`stale-write-refused-by-${target}`);
  const next = arrived(parts, appended.state, client);
  const outcome = refused ? 'refused' : 'accepted';
  visit(() => `the write of ${clientName(client)} with ${token}: ${target} ${outcome}`, next);
}

/** A resource outside: it takes no token below the highest it has seen. */
function reachResource(
  parts: LeaseParts,
  state: LeaseState,
  client: number,
  token: number,
  visit: Visit<LeaseState>,
): void {
  const isStale = token < state.resource;
  const isTaken = !isStale || parts.config.mistake === 'resource-unguarded';
  if (!isTaken) parts.sightings.note('stale-write-refused-by-resource');
  const violation =
    isStale && isTaken
      ? broken('L3', `the resource took ${token} after ${state.resource}`)
      : undefined;
  const resource = isTaken ? Math.max(token, state.resource) : state.resource;
  const next = arrived(parts, { ...state, resource, broken: state.broken ?? violation }, client);
  const outcome = isTaken ? 'accepted' : 'refused';
  visit(() => `the write of ${clientName(client)} with ${token}: resource ${outcome}`, next);
}

function arrived(parts: LeaseParts, state: LeaseState, client: number): LeaseState {
  const node = state.clients[client];
  if (node === undefined) return state;
  return withClient(state, client, graphOf(parts, client).writeArrived(node));
}

export function withClient(state: LeaseState, client: number, node: ClientNode): LeaseState {
  return { ...state, clients: state.clients.with(client, node) };
}

export function describe(client: number, request: Request): string {
  const name = clientName(client);
  return request.type === 'renew'
    ? `renewal ${request.attempt} of ${name}`
    : `${request.type} of ${name}`;
}
