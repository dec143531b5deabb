import type { CommandResult, Refusal } from './results.js';
import type { Settings } from './types.js';

export function refused(refusal: Refusal): CommandResult {
  return { type: 'refused', refusal };
}

export function invalidArgument(field: string, reason: string): Refusal {
  return { code: 'INVALID_ARGUMENT', field, reason };
}

/** The request asks for too much at once. `field` names the setting that it is above. */
export function limitExceeded(field: keyof Settings, settings: Settings): Refusal {
  return { code: 'LIMIT_EXCEEDED', field, limit: settings[field] };
}

/** Everything that may be there is there: room comes when some of it ends. */
export function capacityReached(what: keyof Settings, settings: Settings): Refusal {
  return { code: 'CAPACITY_REACHED', what, limit: settings[what] };
}

/** Refuses the empty names among `fields`. */
export function emptyName(fields: Readonly<Record<string, string>>): Refusal | undefined {
  for (const field in fields) {
    if (fields[field] === '') return invalidArgument(field, 'must not be empty');
  }
  return undefined;
}
