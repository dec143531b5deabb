import type { StormCommand } from '../storm/command.js';
import type { StormProfile } from '../storm/profile.js';
import { electionName, keyName, leasedKeyName, resourceName } from '../workload/names.js';
import type { ClientOperation } from '../workload/operation.js';

/** How many there are of each: the positions in a plan are counted round. */
export type WorldSize = Pick<StormProfile, 'nodeCount' | 'clientCount'>;

/** Without a size positions stand as they are: `n7`, whoever that may be. */
const UNBOUNDED: WorldSize = { nodeCount: Infinity, clientCount: Infinity };

type ShowNumber = (field: string, value: number) => string;

/** `crash n2 landed torn`, `c1: get k5`: a command as one reads it, by the names events have. */
export function describeCommand(command: StormCommand, size: WorldSize = UNBOUNDED): string {
  if (command.type === 'split') return `split ${maskOf(command.mask, size)}`;
  if (command.type === 'operate') {
    const { client, operation } = command;
    const name = client === 'holder' ? client : nameOfClient(client, size);
    return `${name}: ${describeOperation(operation)}`;
  }
  return describeFields(command, (field, value) => {
    if (field === 'client') return nameOfClient(value, size);
    const isNode = field === 'node' || field === 'from' || field === 'to';
    return isNode ? nameOfNode(value, size) : String(value);
  });
}

/** Their keys are those that go with leases. */
const LEASED: ReadonlySet<ClientOperation['type']> = new Set([
  'get-leased',
  'put-leased',
  'unbind',
]);

export function describeOperation(operation: ClientOperation): string {
  const isLeased = LEASED.has(operation.type);
  return describeFields(operation, (field, value) => {
    switch (field) {
      case 'key':
        return isLeased ? leasedKeyName(value) : keyName(value);
      case 'from':
      case 'to':
      case 'reads':
      case 'writes':
        return keyName(value);
      case 'election':
        return electionName(value);
      case 'resource':
        return resourceName(value);
      default:
        return String(value);
    }
  });
}

export function nameOfNode(position: number, { nodeCount }: WorldSize = UNBOUNDED): string {
  return `n${(position % nodeCount) + 1}`;
}

export function nameOfClient(position: number, { clientCount }: WorldSize = UNBOUNDED): string {
  return `c${(position % clientCount) + 1}`;
}

/** What the command or the operation is about needs no word before it. */
const NAMELESS: ReadonlySet<string> = new Set(['node', 'client', 'key', 'election']);

/** The type, then what qualifies it. */
function describeFields(value: StormCommand | ClientOperation, show: ShowNumber): string {
  const { type, ...fields } = value;
  const parts = Object.entries(fields).flatMap(([name, field]: [string, unknown]) => {
    if (field === false || field === undefined || field === null) return [];
    if (field === true) return [name];
    const shown = showField(name, field, show);
    return [NAMELESS.has(name) ? shown : `${name} ${shown}`];
  });
  return [type, ...parts].join(' ');
}

function showField(name: string, field: unknown, show: ShowNumber): string {
  if (typeof field === 'number') return show(name, field);
  if (!Array.isArray(field)) return String(field);
  return `[${field.map((it) => showField(name, it, show)).join(' ')}]`;
}

/** The nodes whose bit is set: `n1 n3 against the others`. */
function maskOf(mask: number, { nodeCount }: WorldSize): string {
  const names: string[] = [];
  for (let position = 0; position < Math.min(32, nodeCount); position += 1) {
    if (((mask >>> position) & 1) === 1) names.push(nameOfNode(position));
  }
  return `${names.length === 0 ? 'nobody' : names.join(' ')} against the others`;
}
