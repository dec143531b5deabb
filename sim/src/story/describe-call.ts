import type {
  Answer,
  AskedCompare,
  AskedStep,
  Call,
  GuardSeen,
  Look,
  OperationReturned,
  SeenElection,
  SeenLease,
  SeenRecord,
  SeenStep,
} from '../storm/events.js';

/** `put k3 = 17, guarded`. */
export function describeCall(call: Call): string {
  switch (call.type) {
    case 'get':
      return `get ${call.key}${call.stale ? ', stale' : ''}`;
    case 'put':
      return `put ${call.key} = ${call.value}${describeGuard(call.guarded)}${describeLease(call)}`;
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
    case 'odd-transaction': {
      const compares = call.compares.map(describeCompare).join(' and ');
      const arms = [call.then, call.otherwise].map((arm) => arm.map(describeStep).join(', '));
      const [then = '', otherwise = ''] = arms;
      const asked = `if (${compares}) then [${then}] else [${otherwise}]`;
      return `${asked}${describeGuard(call.guarded)}`;
    }
    case 'fence-advance':
      return `fence-advance ${call.resource}${describeGuard(call.guarded)}`;
    case 'look':
      return `look at ${describeLook(call.at)}${call.stale ? ', stale' : ''}`;
    case 'other':
      return call.name;
  }
}

function describeCompare({ target, key, operator, operand }: AskedCompare): string {
  return `${target} of ${key} ${operator} ${operand}`;
}

function describeStep(step: AskedStep): string {
  if (step.type === 'delete-range') return `delete ${step.start} to ${step.end}`;
  if (step.type !== 'put') return `${step.type} ${step.key}`;
  return `put ${step.key} = ${step.value}${describeLease(step)}`;
}

function describeSeenStep(step: SeenStep): string {
  if (step.type === 'put') return `v${step.version}`;
  if (step.type === 'get') return describeRecord(step.record);
  const isMore = step.type === 'delete-range' && step.more;
  return `${step.deleted} deleted${isMore ? ' of more' : ''}`;
}

function describeGuard(guard: GuardSeen | undefined): string {
  return guard === undefined ? '' : `, guarded by token ${guard.token} of ${guard.election}`;
}

function describeLease({ lease }: { readonly lease?: string | undefined }): string {
  return lease === undefined ? '' : `, on lease ${lease}`;
}

function describeLook(at: Look): string {
  switch (at.type) {
    case 'election':
      return at.election;
    case 'lease':
      return `lease ${at.lease}`;
    case 'elections':
    case 'leases':
      return `all ${at.type}`;
  }
}

export function describeOutcome(outcome: OperationReturned['outcome']): string {
  if (outcome.type === 'failed') return `${outcome.class}: ${outcome.code}`;
  return describeAnswer(outcome.answer);
}

/** `k3 = 17 v2 at r9`. */
export function describeRecord(record: SeenRecord | undefined): string {
  if (record === undefined) return 'nothing there';
  const { key, value, version, modRevision } = record;
  return `${key} = ${value} v${version} at r${modRevision}${describeLease(record)}`;
}

function describeAnswer(answer: Answer): string {
  switch (answer.type) {
    case 'record':
      return describeRecord(answer.record);
    case 'written':
      return `written v${answer.version} at r${answer.revision}`;
    case 'deleted':
      return `${answer.deleted} deleted${answer.more ? ' of more' : ''} at r${answer.revision}`;
    case 'transacted': {
      const records = answer.records.map(describeRecord).join(', ');
      const verdict = answer.succeeded ? 'succeeded' : 'compare failed';
      return `${verdict} at r${answer.revision}${records === '' ? '' : `: ${records}`}`;
    }
    case 'steps': {
      const arm = answer.succeeded ? 'then' : 'else';
      return `${arm} at r${answer.revision}: ${answer.steps.map(describeSeenStep).join(', ')}`;
    }
    case 'page':
      return `${answer.records.length} records at r${answer.revision}`;
    case 'elections':
      return describeList(answer.elections.map(describeElection), answer.more);
    case 'leases':
      return describeList(answer.leases.map(describeSeenLease), answer.more);
    case 'nothing':
      return 'done';
  }
}

function describeList(items: readonly string[], more: boolean): string {
  const list = items.length === 0 ? 'none' : items.join('; ');
  return more ? `${list}; and more` : list;
}

/** `e0 led by c1 with token 101, ending; 2 wait`. */
export function describeElection({ election, leader, queue }: SeenElection): string {
  const waiting = queue.length === 0 ? '' : `; ${queue.length} wait`;
  if (leader === undefined) return `${election} vacant${waiting}`;
  const { holder, token, ending } = leader;
  return `${election} led by ${holder} with token ${token}${ending ? ', ending' : ''}${waiting}`;
}

export function describeSeenLease({ lease, attempt, ending, grants }: SeenLease): string {
  const leads = grants.length === 0 ? '' : `, leads ${grants.join(' and ')}`;
  return `lease ${lease} at renewal ${attempt}${ending ? ', ending' : ''}${leads}`;
}
