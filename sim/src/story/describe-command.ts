import type { StormCommand } from '../storm/command.js';
import type { ClientOperation } from '../workload/operation.js';

/** `crash leader, landed torn`: a command as one reads it. */
export function describeCommand(command: StormCommand): string {
  if (command.type === 'operate') {
    return `client ${command.client}: ${describeOperation(command.operation)}`;
  }
  if (command.type === 'split') return `split ${maskOf(command.mask)}`;
  return describeFields(command);
}

export function describeOperation(operation: ClientOperation): string {
  return describeFields(operation);
}

/** The type, then what qualifies it. */
function describeFields(value: StormCommand | ClientOperation): string {
  const { type, ...fields } = value;
  const parts = Object.entries(fields).flatMap(([name, field]: [string, unknown]) => {
    if (field === false || field === undefined || field === null) return [];
    if (field === true) return [name];
    if (name === 'node' || name === 'client' || name === 'key') return [String(field)];
    return [`${name} ${Array.isArray(field) ? `[${field.join(' ')}]` : String(field)}`];
  });
  return [type, ...parts].join(' ');
}

/** The positions whose bit is set: `{0 2} against the others`. */
function maskOf(mask: number): string {
  const positions: number[] = [];
  for (let position = 0; position < 32; position += 1) {
    if (((mask >>> position) & 1) === 1) positions.push(position);
  }
  return `{${positions.join(' ')}} against the others`;
}
