import type { Answer, Call, GuardSeen, OperationReturned, SeenRecord } from '../storm/events.js';

/** `put k3 = 17, guarded`. */
export function describeCall(call: Call): string {
  switch (call.type) {
    case 'get':
      return `get ${call.key}${call.stale ? ', stale' : ''}`;
    case 'put':
      return `put ${call.key} = ${call.value}${describeGuard(call.guarded)}`;
    case 'delete':
      return `delete ${call.key}`;
    case 'transact': {
      const compares = call.compares.map(({ key, version }) => `${key} v${version}`);
      const writes = call.writes.map(({ key, value }) => `${key} = ${value}`);
      const parts = [
        ...(compares.length === 0 ? [] : [`if ${compares.join(', ')}`]),
        ...(call.reads.length === 0 ? [] : [`read ${call.reads.join(', ')}`]),
        ...(writes.length === 0 ? [] : [`write ${writes.join(', ')}`]),
      ];
      return `transact ${parts.join(' then ')}`;
    }
    case 'range':
      return `range ${call.start} to ${call.end}`;
    case 'delete-range':
      return `delete ${call.start} to ${call.end}`;
    case 'odd-transaction':
      return `odd-transaction${describeGuard(call.guarded)}`;
    case 'fence-advance':
      return `fence-advance ${call.resource}${describeGuard(call.guarded)}`;
    case 'other':
      return call.name;
  }
}

function describeGuard(guard: GuardSeen | undefined): string {
  return guard === undefined ? '' : `, guarded by token ${guard.token} of ${guard.election}`;
}

export function describeOutcome(outcome: OperationReturned['outcome']): string {
  if (outcome.type === 'failed') return `${outcome.class}: ${outcome.code}`;
  return describeAnswer(outcome.answer);
}

/** `k3 = 17 v2 at r9`. */
export function describeRecord(record: SeenRecord | undefined): string {
  if (record === undefined) return 'nothing there';
  return `${record.key} = ${record.value} v${record.version} at r${record.modRevision}`;
}

function describeAnswer(answer: Answer): string {
  switch (answer.type) {
    case 'record':
      return describeRecord(answer.record);
    case 'written':
      return `written v${answer.version} at r${answer.revision}`;
    case 'deleted':
      return `${answer.deleted} deleted at r${answer.revision}`;
    case 'transacted': {
      const records = answer.records.map(describeRecord).join(', ');
      const verdict = answer.succeeded ? 'succeeded' : 'compare failed';
      return `${verdict} at r${answer.revision}${records === '' ? '' : `: ${records}`}`;
    }
    case 'page':
      return `${answer.records.length} records at r${answer.revision}`;
    case 'nothing':
      return 'done';
  }
}
