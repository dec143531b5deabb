/**
 * History files: JSON lines, for histories of raftd and of others alike. The first line names the
 * model, each further line is one operation; empty lines are skipped, lines come in any order.
 *
 *     {"format":"raftd-history","version":1,"model":"register","initial":null}
 *     {"process":"c1","operation":"write","value":1,"call":0,"return":2.5}
 *     {"process":"c2","operation":"read","call":1,"return":3,"result":{"value":1}}
 *     {"process":"c3","operation":"cas","expected":1,"value":2,"call":2}
 *
 * Of every operation: `process` (text), `operation`, `call` and `return` (ms of one clock that all
 * share; no `return`, or null: the outcome is unknown), and `result` of what has returned. Values
 * are any JSON; they are compared as JSON. Of a field that is there twice, the last counts. An
 * operation that was refused has no place in the file.
 *
 * Model `register` (`initial`: what it holds at first; null if absent):
 *
 *     read                      result: {"value"}
 *     write  value              no result
 *     cas    expected, value    result: {"swapped": true|false}
 *
 * Model `key-value` (starts empty; what is marked ? may be left out and is then not checked):
 *
 *     put     key, value, leaseEndsFrom?   result?: {"version"?, "revision"?}
 *     get     key                          result: {"found": false, "revision"?} or {"found": true,
 *                                          "value", "version"?, "createRevision"?,
 *                                          "modRevision"?, "revision"?}
 *     delete  key                          result?: {"deleted"?: 0|1, "revision"?}
 *     txn     compare, then, else          result: {"succeeded": true|false, "revision"?,
 *                                          "results"?: one a step, as above, with `operation`}
 *
 * `compare` lists {"key", "target": "value"|"version"|"create-revision"|"mod-revision",
 * "operator": "="|"!="|"<"|">", "operand"}; `then` and `else` list put, get and delete with
 * `operation`, `key` and so on; each of the three may be left out. `leaseEndsFrom`: the key may go
 * by itself from this time on.
 */

import type { KvOperation } from './kv-operations.js';
import type { RegisterOperation } from './register.js';
import type { Value } from './value.js';

export const HISTORY_FORMAT = 'raftd-history';
export const HISTORY_VERSION = 1;

/** Operations have the number of their line as id. */
export type HistoryFile =
  | {
      readonly model: 'register';
      readonly initial: Value;
      readonly history: readonly RegisterOperation[];
    }
  | { readonly model: 'key-value'; readonly history: readonly KvOperation[] };

export interface HistoryFileLimits {
  readonly operationsMax: number;
  readonly lineCharsMax: number;
  /** Of a process or a key. */
  readonly nameCharsMax: number;
  /** Comparisons or steps of one transaction. */
  readonly txnStepsMax: number;
  /** Lists and objects within each other, in a value. */
  readonly valueDepthMax: number;
}

export const DEFAULT_HISTORY_FILE_LIMITS: HistoryFileLimits = {
  operationsMax: 1_000_000,
  lineCharsMax: 1_048_576,
  nameCharsMax: 4096,
  txnStepsMax: 128,
  valueDepthMax: 64,
};
