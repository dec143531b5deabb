/** How a value is written while nodes are renamed and time is forgotten. */
export interface KeyContext {
  /** What a node id is written as. */
  readonly names: ReadonlyMap<string, string>;
  /** The node's own clock: times are written as how long ago they are. */
  readonly nowMs: number;
  /** Contacts at least this old are all alike. 0: contact is not looked at. */
  readonly oldMs: number;
}

/**
 * Left out, as nothing that the search does or checks depends on them: what is the same in all
 * states, what follows from other fields, what only a clock or an answer to a client reads. Timers
 * are fired by the search, at any time or when contact is old.
 */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  'options',
  'membership',
  'nowMs',
  'bytesThrough',
  'goalIndex',
  'goalMs',
  'failedCandidacies',
  'sentMs',
  'clusterTimeMs',
]);

/** Whether they run at all matters, not until when. */
export const TIMERS: ReadonlySet<string> = new Set(['electionDeadlineMs', 'heartbeatDeadlineMs']);

/** Lists that are sets: their order is that of arrival, and nothing reads it. */
const SETS: ReadonlySet<string> = new Set([
  'granted',
  'refused',
  'progress',
  'afterWriteInFlight',
  'afterNextWrite',
  'held',
]);

/** The core compares these by identity, so which of them are the same belongs to the state. */
const BY_IDENTITY: ReadonlySet<string> = new Set([
  'hardState',
  'durableHardState',
  'submittedHardState',
]);

/**
 * Plain data as text, every field of it: a field that the core gains is covered unless it is named
 * above. Equal texts mean states that no input can tell apart.
 */
export function keyOf(value: unknown, context: KeyContext): string {
  return new KeyWriter(context).write(value, '');
}

class KeyWriter {
  readonly #context: KeyContext;
  readonly #identities: object[] = [];

  constructor(context: KeyContext) {
    this.#context = context;
  }

  write(value: unknown, field: string): string {
    switch (typeof value) {
      case 'string':
        return this.#context.names.get(value) ?? value;
      case 'number':
        return this.#writeNumber(value, field);
      case 'boolean':
        return value ? 'y' : 'n';
      case 'undefined':
        return '_';
      case 'object':
        return value === null ? '0' : this.#writeObject(value, field);
      default:
        throw new TypeError(`${field} is no plain data`);
    }
  }

  #writeNumber(value: number, field: string): string {
    if (TIMERS.has(field)) return 'on';
    if (field === 'contactMs') return String(this.#age(value));
    if (field.endsWith('Ms') && field !== 'promiseMs') return String(value - this.#context.nowMs);
    return String(value);
  }

  #age(contactMs: number): number {
    const { nowMs, oldMs } = this.#context;
    return Math.min(nowMs - contactMs, oldMs);
  }

  #writeObject(value: object, field: string): string {
    if (value instanceof Uint8Array) return `#${value.join('.')}`;
    if (Array.isArray(value)) return this.#writeList(value, field);
    const text = this.#writeFields(field === 'inflight' ? withoutSpent(value) : value);
    return BY_IDENTITY.has(field) ? `${text}@${this.#identityOf(value)}` : text;
  }

  #writeList(list: readonly unknown[], field: string): string {
    const texts = list.map((element) => this.write(element, ''));
    if (SETS.has(field)) texts.sort(compareTexts);
    return `[${texts.join(',')}]`;
  }

  /** Without names: the fields of each kind of object come in one order, its type among them. */
  #writeFields(value: object): string {
    let text = '{';
    const fields = value as Readonly<Record<string, unknown>>;
    for (const field in fields) {
      if (!LEFT_OUT.has(field)) text += `${this.write(fields[field], field)};`;
    }
    return `${text}}`;
  }

  #identityOf(value: object): number {
    const known = this.#identities.indexOf(value);
    return known === -1 ? this.#identities.push(value) - 1 : known;
  }
}

/** Positions of a window that are spent are still there until it is next copied. */
function withoutSpent(inflight: object): object {
  const { lastIndexes, sizes, head } = inflight as Window;
  return { ...inflight, lastIndexes: lastIndexes.slice(head), sizes: sizes.slice(head), head: 0 };
}

interface Window {
  readonly lastIndexes: readonly number[];
  readonly sizes: readonly number[];
  readonly head: number;
}

/** By code units, the same on every machine. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
