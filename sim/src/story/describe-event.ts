import { describeEntry, describeMessage } from '@raftd/raft';
import type { LogWrite } from '@raftd/raft';
import type { PhaseChanged, StormEvent, WatchSeen } from '../storm/events.js';
import type { Cause, Stepped } from '../world/events.js';
import { describeCall, describeOutcome, describeRecord } from './describe-call.js';
import type { WorldSize } from './describe-command.js';
import { describeCommand } from './describe-command.js';

/** What happened, in words: the same words in the trace, the page and the determinism check. */
export function describeStormEvent(event: StormEvent, size: WorldSize): string {
  switch (event.type) {
    case 'stepped':
      return describeStep(event);
    case 'sent':
      return `sends ${describeMessage(event.message)}`;
    case 'delivered': {
      const copy = event.copy === 'original' ? '' : ` (${event.copy})`;
      return `hears ${describeMessage(event.message)}${copy}`;
    }
    case 'lost':
      return `never hears ${describeMessage(event.message)}: ${event.reason}`;
    case 'write-started':
      return `disk begins ${describeWrite(event.write)}`;
    case 'write-done':
      return `disk holds ${describeWrite(event.write)}`;
    case 'applied':
      return `applies ${describeEntry(event.entry)}`;
    case 'proposed':
      return `proposal ${event.outcome}`;
    case 'read-answered':
      return `${event.kind} read ${event.outcome.type}, floor ${event.floorIndex}`;
    case 'crashed':
      return `crash: ${event.lostWrites} writes lost, ${event.landedWrites} landed`;
    case 'restarted':
      return 'restart';
    case 'frozen':
      return 'frozen';
    case 'thawed':
      return `thawed after ${event.frozenMs.toFixed(3)} ms`;
    case 'rewired':
      return event.cuts.length === 0 ? 'network whole' : `network cut ${event.cuts.join(' ')}`;
    case 'machine-applied': {
      const kind = event.payload.length === 0 ? 'time' : `${event.payload.length} B`;
      const { type } = event.result;
      return `machine at ${event.index}: ${kind} at ${event.clusterTimeMs} ms gives ${type}`;
    }
    case 'node-ended':
      return `ends by itself, ${event.code}: ${event.message}`;
    case 'node-refused':
      return `refuses to start: ${event.code}`;
    case 'tail-cut':
      return 'cuts off the beginning of a batch';
    case 'fault-injected':
      return `fault: ${event.kind}${event.of === undefined ? '' : ` of ${event.of}`}`;
    case 'commanded':
      return `--- ${describeCommand(event.command, size)}`;
    case 'phase':
      return describePhase(event);
    default:
      return describeClientEvent(event);
  }
}

type NodeEvent = Extract<StormEvent, { readonly type: 'node-ended' }>;
type ClientEvent = Exclude<Extract<StormEvent, { readonly client: string }> | WatchSeen, NodeEvent>;

function describeClientEvent(event: ClientEvent): string {
  switch (event.type) {
    case 'client-started':
      return 'process starts';
    case 'client-killed':
      return 'process killed';
    case 'client-frozen':
      return 'process frozen';
    case 'client-thawed':
      return 'process thawed';
    case 'operation-invoked':
      return `#${event.operation} ${describeCall(event.call)} …`;
    case 'operation-returned':
      return `#${event.operation} … ${describeOutcome(event.outcome)}`;
    case 'leadership-won':
      return `leads ${event.election}, token ${event.token}, ttl ${event.ttlMs} ms`;
    case 'leadership-ended':
      return `leads ${event.election} no more, token ${event.token}: ${event.reason}`;
    case 'resource-write': {
      const verdict = event.accepted ? 'accepted' : 'refused';
      const asked = event.asked ? '' : ', did not ask first';
      const { election, token } = event;
      return `writes to the resource of ${election}, token ${token}: ${verdict}${asked}`;
    }
    case 'watch-opened':
    case 'watch-stands':
    case 'watch-event':
    case 'watch-closed':
      return describeWatch(event);
  }
}

function describePhase(event: PhaseChanged): string {
  switch (event.phase) {
    case 'storm':
      return '=== storm';
    case 'liveness':
      return `=== liveness: ${event.core.join(' ')} are healthy from here on`;
    case 'converged':
      return '=== the core is equal: all watches must be shown what is in the log';
    case 'all-shown':
      return '=== all watches have been shown what was in the log';
  }
}

function describeWatch(event: WatchSeen): string {
  switch (event.type) {
    case 'watch-opened': {
      const { scope } = event;
      const what =
        scope.type === 'keys' ? `${scope.start} to ${scope.end}` : `election ${scope.election}`;
      return `watch ${event.watch} opens: ${what}`;
    }
    case 'watch-stands':
      return `watch ${event.watch} stands, from revision ${event.fromRevision} on`;
    case 'watch-event':
      return `watch ${event.watch} sees ${describeSight(event.event)}`;
    case 'watch-closed':
      return `watch ${event.watch} ends${event.code === undefined ? '' : `: ${event.code}`}`;
  }
}

function describeSight(event: Extract<WatchSeen, { type: 'watch-event' }>['event']): string {
  switch (event.type) {
    case 'put':
      return `${describeRecord(event.record)} (revision ${event.revision})`;
    case 'delete':
      return `${event.key} deleted at r${event.revision}, ${event.reason}`;
    case 'leader':
      return event.token === undefined ? 'no leader' : `leader with token ${event.token}`;
  }
}

function describeStep({ cause, after, log }: Stepped): string {
  const cut = log.truncatedFrom === undefined ? '' : `, log cut from ${log.truncatedFrom}`;
  const vote = after.votedFor === undefined ? '' : `, vote ${after.votedFor}`;
  const indexes = `applied ${after.appliedIndex}, commit ${after.commitIndex}`;
  const state = `${after.role} of term ${after.term}${vote}, ${indexes}, last ${after.lastIndex}`;
  return `${state}${cut}, after ${describeCause(cause)}`;
}

function describeCause(cause: Cause): string {
  return cause.type === 'message' ? `${cause.message.type} of ${cause.message.from}` : cause.type;
}

function describeWrite({ hardState, truncateFrom, entries, lastIndex }: LogWrite): string {
  const parts: string[] = [];
  if (hardState !== undefined) {
    parts.push(`term ${hardState.term} vote ${hardState.votedFor ?? '-'}`);
    if (hardState.promiseMs > 0) parts.push(`promise ${hardState.promiseMs} ms`);
  }
  if (truncateFrom !== undefined) parts.push(`cut from ${truncateFrom}`);
  parts.push(`${entries.length} entries to ${lastIndex}`);
  return parts.join(', ');
}
