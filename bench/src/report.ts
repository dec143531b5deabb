export type SystemName = 'raftd' | 'etcd' | 'floor';

/** One measurement: `perSecond` over the measured time, latencies as seen by the client. */
export interface Row {
  readonly system: SystemName;
  readonly workload: 'put' | 'get-quorum' | 'failover';
  readonly inFlight: number;
  readonly bytes: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Synced disk writes (fsync and fdatasync calls) of all nodes together, counted by the kernel. */
export interface SyncCount {
  readonly system: SystemName;
  readonly puts: number;
  readonly syncs: number;
  readonly syncsPerPut: number;
}

/** How long no write was acknowledged after `kill -9` of the leader. */
export interface FailoverSummary {
  readonly system: SystemName;
  readonly kills: number;
  readonly medianMs: number;
  readonly maxMs: number;
  /** Acknowledged writes that were missing afterwards. */
  readonly lost: number;
}

export interface Report {
  readonly rows: readonly Row[];
  readonly ratios: Readonly<Record<string, number>>;
  readonly syncs: readonly SyncCount[];
  readonly failovers: readonly FailoverSummary[];
}

/**
 * raftd beside each other system at the same workload: `put@1000:raftd/etcd` is throughput over
 * throughput (more is better), `put@1:p50:raftd/etcd` is latency over latency (less is better).
 */
export function ratiosOf(rows: readonly Row[]): Readonly<Record<string, number>> {
  const ratios: Record<string, number> = {};
  for (const ours of rows.filter((row) => row.system === 'raftd')) {
    for (const peer of rows) {
      const comparable = peer.workload === ours.workload && peer.inFlight === ours.inFlight;
      if (peer.system === 'raftd' || !comparable) continue;
      const name = `${ours.workload}@${ours.inFlight}`;
      ratios[`${name}:raftd/${peer.system}`] = rounded(ours.perSecond / peer.perSecond);
      ratios[`${name}:p50:raftd/${peer.system}`] = rounded(ours.p50Ms / peer.p50Ms);
    }
  }
  return ratios;
}

export function describeRow(row: Row): string {
  return [
    row.system.padEnd(7),
    row.workload.padEnd(11),
    `${row.inFlight} in flight`.padStart(15),
    `${Math.round(row.perSecond).toLocaleString('en')}/s`.padStart(11),
    `p50 ${row.p50Ms.toFixed(2)} ms`.padStart(14),
    `p99 ${row.p99Ms.toFixed(2)} ms`.padStart(14),
  ].join('  ');
}

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
