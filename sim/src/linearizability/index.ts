export { checkLinearizable } from './check.js';
export type { FencedLockModel } from './fenced-lock.js';
export { fencedLockModel } from './fenced-lock.js';
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
export type { Hint, Model, Partition } from './model.js';
export type { History, Operation } from './operation.js';
export { CLUSTER_PROCESS } from './operation.js';
export type { RegisterInput, RegisterOutput } from './register.js';
export { registerModel } from './register.js';
export type { Value } from './value.js';
export type { CheckLimits, NotLinearizable, Verdict } from './verdict.js';
export { DEFAULT_CHECK_LIMITS } from './verdict.js';
