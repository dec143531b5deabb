import type { Component } from './kv-components.js';
import { componentsOf } from './kv-components.js';
import { Evidence } from './kv-evidence.js';
import { isChange } from './kv-hints.js';
import type { KvInput, KvOperation, KvOutput } from './kv-operations.js';
import { shownResults } from './kv-operations.js';
import type { Conflict } from './model.js';

/**
 * Keys are judged each on its own, and yet they share the store's revisions: these are the order of
 * all changes, of whatever key. What no order of all keys together can have:
 *
 * - two changes of one revision that no single transaction can have made;
 * - a change, or a state that was shown, not above what had been reached before it was called.
 *
 * Sound, not complete: what concurrent operations on several keys need of each other is not tried.
 */
export function conflictBetween(
  history: readonly KvOperation[],
): Conflict<KvInput, KvOutput> | undefined {
  const components = componentsOf(history);
  if (components.length < 2) return undefined;
  const steps = components.flatMap((component, part) => stepsOf(component, part));
  return sharedRevision(steps) ?? revisionThatFell(steps);
}

interface Step {
  /** Of what is unknown, with the return that an answer proves, if one does. */
  readonly operation: KvOperation;
  /** Which keys: their place in the list of components. */
  readonly part: number;
  /** Undefined: nobody knows whether it changed something. */
  readonly isChange: boolean | undefined;
  /** Of its change, or of the state that it met. */
  readonly revision: number | undefined;
  /** Changes that it shows, by revision. */
  readonly shown: readonly number[];
  /** The store is that far at least once it is done. */
  readonly reached: number;
}

function stepsOf({ operations }: Component, part: number): readonly Step[] {
  const evidence = new Evidence(operations);
  return operations.map((recorded): Step => {
    const operation = evidence.settled(recorded);
    const change = operation.output === undefined ? undefined : isChange(operation);
    const revision = operation.output?.revision ?? evidence.revisionOf(operation);
    const shown = revisionsShown(operation);
    const reached = Math.max(revision ?? 0, ...shown, leastCompared(operation));
    return { operation, part, isChange: change, revision, shown, reached };
  });
}

function revisionsShown(operation: KvOperation): readonly number[] {
  const shown: number[] = [];
  for (const { result } of shownResults(operation)) {
    if (result?.type !== 'get' || result.record === undefined) continue;
    const { createRevision, modRevision } = result.record;
    if (createRevision !== undefined) shown.push(createRevision);
    if (modRevision !== undefined) shown.push(modRevision);
  }
  const { input, output } = operation;
  if (input.type !== 'txn' || output?.type !== 'txn' || !output.succeeded) return shown;
  for (const { target, operator, operand } of input.compare) {
    if (target === 'value' || target === 'version' || operator !== '=') continue;
    if (operand > 0) shown.push(operand);
  }
  return shown;
}

/** A comparison that held with a revision above the operand. */
function leastCompared({ input, output }: KvOperation): number {
  let least = 0;
  if (input.type !== 'txn' || output?.type !== 'txn' || !output.succeeded) return least;
  for (const { target, operator, operand } of input.compare) {
    if (target === 'value' || target === 'version' || operator !== '>') continue;
    least = Math.max(least, operand + 1);
  }
  return least;
}

/** Keys of different parts are in no transaction together. */
function sharedRevision(steps: readonly Step[]): Conflict<KvInput, KvOutput> | undefined {
  const firstOf = new Map<number, Step>();
  for (const step of steps) {
    const { isChange: changes, revision, shown } = step;
    const own = changes === true && revision !== undefined ? [revision] : [];
    for (const changed of [...own, ...shown]) {
      const first = firstOf.get(changed);
      if (first === undefined) firstOf.set(changed, step);
      else if (first.part !== step.part) {
        const state = `revision ${changed} is that of a change of other keys`;
        return { operation: step.operation, after: first.operation, state };
      }
    }
  }
  return undefined;
}

function revisionThatFell(steps: readonly Step[]): Conflict<KvInput, KvOutput> | undefined {
  const byCall = steps.toSorted((a, b) => a.operation.callMs - b.operation.callMs);
  const floors = new Map<Step, Floor>();
  const byReturn = byCall
    .filter(({ operation }) => operation.returnMs !== undefined)
    .sort((a, b) => (a.operation.returnMs ?? 0) - (b.operation.returnMs ?? 0));
  let floor: Floor = { revision: 0, by: undefined };
  let returned = 0;
  for (const step of byCall) {
    const { callMs } = step.operation;
    for (; returned < byReturn.length; returned += 1) {
      const earlier = byReturn[returned];
      if (earlier === undefined || (earlier.operation.returnMs ?? 0) >= callMs) break;
      const met = floors.get(earlier)?.revision ?? 0;
      const revision = Math.max(earlier.reached, earlier.isChange === true ? met + 1 : met);
      if (revision > floor.revision) floor = { revision, by: earlier };
    }
    floors.set(step, floor);
    if (step.revision === undefined || floor.by === undefined) continue;
    const least = floor.revision + (step.isChange === true ? 1 : 0);
    if (step.revision >= least) continue;
    const state = `revision ${floor.revision} or later`;
    return { operation: step.operation, after: floor.by.operation, state };
  }
  return undefined;
}

/** What the store had reached at least, and who shows it. */
interface Floor {
  readonly revision: number;
  readonly by: Step | undefined;
}
