import type { KvAction, KvOperation, KvPut, KvRecordShown } from './kv-operations.js';
import { possibleActions, shownResults } from './kv-operations.js';
import type { Value } from './value.js';
import { UNSEEN } from './value.js';

interface Sighting {
  readonly record: KvRecordShown;
  /** Of the first answer that shows the value. */
  readonly returnMs: number;
}

interface ValueEvidence {
  writers: number;
  /** A comparison names it. */
  named: boolean;
  sighting: Sighting | undefined;
}

/** What a partition's answers tell of each value of each key. */
export class Evidence {
  readonly #values = new Map<string, Map<Value, ValueEvidence>>();
  /** Keys whose values are compared by order: then any value may matter. */
  readonly #ordered = new Set<string>();

  constructor(operations: readonly KvOperation[]) {
    for (const operation of operations) this.#note(operation);
  }

  /**
   * An unknown outcome in the light of the answers. A value that one operation alone can have
   * written was written, at the revision shown with it, before the first answer that shows it.
   * Values that nobody saw and no comparison names become the same one.
   */
  settled(operation: KvOperation): KvOperation {
    const { input, output } = operation;
    if (output !== undefined) return operation;
    if (input.type === 'get' || input.type === 'delete') return operation;
    if (input.type === 'put') {
      const sighting = this.#proof(operation, input);
      if (sighting === undefined) return { ...operation, input: this.#hidden(input) };
      const { version, modRevision: revision } = sighting.record;
      return { ...operation, ...outcome(sighting), output: { type: 'put', version, revision } };
    }
    for (const [actions, succeeded] of [
      [input.then, true],
      [input.else, false],
    ] as const) {
      for (const action of actions) {
        const sighting = action.type === 'put' ? this.#proof(operation, action) : undefined;
        if (sighting === undefined) continue;
        const revision = sighting.record.modRevision;
        return {
          ...operation,
          ...outcome(sighting),
          output: { type: 'txn', succeeded, results: undefined, revision },
        };
      }
    }
    const then = input.then.map((action) => this.#hidden(action));
    const otherwise = input.else.map((action) => this.#hidden(action));
    return { ...operation, input: { ...input, then, else: otherwise } };
  }

  /** Of a change whose answer does not show its revision, where other answers do. */
  revisionOf(operation: KvOperation): number | undefined {
    if (operation.output === undefined) return undefined;
    for (const action of possibleActions(operation)) {
      const proof = action.type === 'put' ? this.#proof(operation, action) : undefined;
      if (proof?.record.modRevision !== undefined) return proof.record.modRevision;
    }
    return undefined;
  }

  #note(operation: KvOperation): void {
    const { input, returnMs } = operation;
    for (const action of possibleActions(operation)) {
      if (action.type === 'put') this.#of(action.key, action.value).writers += 1;
    }
    for (const { action, result } of shownResults(operation)) {
      if (result?.type !== 'get' || result.record === undefined) continue;
      const evidence = this.#of(action.key, result.record.value);
      const earlier = evidence.sighting?.returnMs ?? Infinity;
      if (returnMs === undefined || returnMs >= earlier) continue;
      evidence.sighting = { record: result.record, returnMs };
    }
    if (input.type !== 'txn') return;
    for (const { key, target, operator, operand } of input.compare) {
      if (target !== 'value') continue;
      this.#of(key, operand).named = true;
      if (operator === '<' || operator === '>') this.#ordered.add(key);
    }
  }

  #of(key: string, value: Value): ValueEvidence {
    const values = this.#values.get(key) ?? new Map<Value, ValueEvidence>();
    this.#values.set(key, values);
    const evidence = values.get(value) ?? { writers: 0, named: false, sighting: undefined };
    values.set(value, evidence);
    return evidence;
  }

  #proof({ callMs }: KvOperation, { key, value }: KvPut): Sighting | undefined {
    const { writers, sighting } = this.#of(key, value);
    const isProof = writers === 1 && sighting !== undefined && sighting.returnMs >= callMs;
    return isProof ? sighting : undefined;
  }

  #hidden<Action extends KvAction>(action: Action): Action {
    if (action.type !== 'put') return action;
    const { named, sighting } = this.#of(action.key, action.value);
    const matters = named || sighting !== undefined || this.#ordered.has(action.key);
    return matters ? action : { ...action, value: UNSEEN };
  }
}

function outcome({ returnMs }: Sighting): { readonly returnMs: number } {
  return { returnMs };
}
