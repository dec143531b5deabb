export { checkLinearizable } from './check.js';
export type { FencedLockModel } from './fenced-lock.js';
export { fencedLockModel } from './fenced-lock.js';
export { HistoryFileError } from './history-fields.js';
export type { HistoryFile, HistoryFileLimits } from './history-file.js';
export { DEFAULT_HISTORY_FILE_LIMITS, HISTORY_FORMAT, HISTORY_VERSION } from './history-file.js';
export { readHistory } from './history-reader.js';
export { writeHistory } from './history-writer.js';
export type { KeyValueModel } from './key-value.js';
export { keyValueModel } from './key-value.js';
export type {
  KvAction,
  KvActionOutput,
  KvCompare,
  KvDelete,
  KvGet,
  KvInput,
  KvOperation,
  KvOperator,
  KvOutput,
  KvPut,
  KvRecordShown,
  KvTxn,
  KvVanish,
} from './kv-operations.js';
export type { Acquire, Expire, LockInput, LockOperation, LockOutput } from './lock-operations.js';
export type { Hint, Model, Partition, Unasked } from './model.js';
export type { History, Operation } from './operation.js';
export { CLUSTER_PROCESS } from './operation.js';
export type { RegisterInput, RegisterOperation, RegisterOutput } from './register.js';
export { registerModel } from './register.js';
export type { HistoryReport } from './report.js';
export { checkHistoryText, describeVerdict } from './report.js';
export type { Value } from './value.js';
export type { CheckLimits, NotLinearizable, Verdict } from './verdict.js';
export { DEFAULT_CHECK_LIMITS } from './verdict.js';
