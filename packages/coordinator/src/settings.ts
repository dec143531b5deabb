import type { Settings } from './types.js';

/** The highest feature level this code knows. Raised with every change of what apply does. */
export const FEATURE_LEVEL = 1;

/** What `initialize` sets; a replicated value, so a later default changes no running cluster. */
export const DEFAULT_SETTINGS: Settings = {
  keysPerEntryMax: 10_000,
  keysPerLeaseMax: 10_000,
  leasesMax: 1_000_000,
  leaseTtlMinMs: 500,
  // A day: a TTL in a wrong unit (K-007) is refused, and no client timer overflows 2^31 − 1 ms.
  leaseTtlMaxMs: 24 * 60 * 60 * 1000,
  electionsMax: 100_000,
  candidatesPerElectionMax: 10_000,
  fencesMax: 100_000,
  sessionsMax: 100_000,
  sessionTtlMs: 10 * 60 * 1000,
  sessionWindow: 1024,
  sessionReplyBytesMax: 1024 * 1024,
  withdrawalsPerLeaseMax: 10_000,
  // Above the largest value, so that any single record can be read in a transaction.
  txnReplyBytesMax: 1536 * 1024,
};

/** An election without holder and queue for this long is removed. DESIGN §6, History. */
export const ELECTION_VACANT_MS: number = 24 * 60 * 60 * 1000;

/** How many expiries, ended grants or removals one entry carries at most (K-009). */
export const SYSTEM_BATCH_MAX = 1000;
