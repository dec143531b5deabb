import type { Operation } from './operation.js';
import type { Value } from './value.js';

export interface KvPut {
  readonly type: 'put';
  readonly key: string;
  readonly value: Value;
  /**
   * The key is bound to a lease and may go by itself from this time on: the earliest true time at
   * which the cluster may end the lease, or at which somebody asked for its end.
   */
  readonly leaseEndsFromMs?: number | undefined;
}

export interface KvGet {
  readonly type: 'get';
  readonly key: string;
}

export interface KvDelete {
  readonly type: 'delete';
  readonly key: string;
}

export type KvAction = KvPut | KvGet | KvDelete;

export type KvOperator = '=' | '!=' | '<' | '>';

/** A missing key has version and revisions 0; it equals no value and differs from every one. */
export type KvCompare =
  | {
      readonly key: string;
      readonly target: 'value';
      readonly operator: KvOperator;
      readonly operand: Value;
    }
  | {
      readonly key: string;
      readonly target: 'version' | 'create-revision' | 'mod-revision';
      readonly operator: KvOperator;
      readonly operand: number;
    };

/** All of `then` if every comparison holds, otherwise all of `else`: one revision either way. */
export interface KvTxn {
  readonly type: 'txn';
  readonly compare: readonly KvCompare[];
  readonly then: readonly KvAction[];
  readonly else: readonly KvAction[];
}

export type KvInput = KvAction | KvTxn;

/** The end of a lease takes the key that this put bound to it: unasked. */
export interface KvVanish {
  readonly type: 'vanish';
  readonly put: KvPut;
}

/** Whatever is undefined was not recorded and is not checked. */
export interface KvRecordShown {
  readonly value: Value;
  readonly version?: number | undefined;
  readonly createRevision?: number | undefined;
  readonly modRevision?: number | undefined;
}

export type KvActionOutput =
  | { readonly type: 'put'; readonly version?: number | undefined }
  | { readonly type: 'get'; readonly record: KvRecordShown | undefined }
  | { readonly type: 'delete'; readonly deleted?: number | undefined };

/** `revision`: of the change, or of the state that answered if nothing changed. */
export type KvOutput = (
  | KvActionOutput
  | {
      readonly type: 'txn';
      readonly succeeded: boolean;
      /** One for each action that was done, in order. */
      readonly results?: readonly KvActionOutput[] | undefined;
    }
) & { readonly revision?: number | undefined };

export type KvOperation = Operation<KvInput, KvOutput>;

/** What an operation does, or did: both branches of a transaction unless its answer tells. */
export function possibleActions({ input, output }: KvOperation): readonly KvAction[] {
  if (input.type !== 'txn') return [input];
  if (output?.type !== 'txn') return [...input.then, ...input.else];
  return output.succeeded ? input.then : input.else;
}

/** What an answer tells, action by action. */
export function shownResults(
  operation: KvOperation,
): readonly { readonly action: KvAction; readonly result: KvActionOutput | undefined }[] {
  const { input, output } = operation;
  if (output === undefined) return [];
  if (input.type !== 'txn') {
    return output.type === 'txn' ? [] : [{ action: input, result: output }];
  }
  const results = output.type === 'txn' ? output.results : undefined;
  return possibleActions(operation).map((action, at) => ({ action, result: results?.[at] }));
}
