import type { SystemName } from '../report.js';

/** One connected client of one system; every call is one request on the wire. */
export interface Driver {
  put(key: string, value: Uint8Array): Promise<void>;
  /** A linearizable read; undefined when the key is missing. */
  get(key: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export interface LoadOptions {
  readonly system: SystemName;
  /** HOST:PORT of each node to speak to. */
  readonly addresses: readonly string[];
  readonly workload: 'put' | 'get-quorum';
  readonly inFlight: number;
  readonly valueBytes: number;
  readonly keys: number;
  readonly warmupMs: number;
  readonly measureMs: number;
}

export interface LoadResult {
  readonly operations: number;
  readonly errors: number;
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}
