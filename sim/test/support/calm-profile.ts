import type { StormProfile } from '../../src/storm/profile.js';

/** Three nodes and two clients on a calm network, but for what a test changes. */
export function calmProfile(change: Partial<StormProfile> = {}): StormProfile {
  return {
    nodeCount: 3,
    clientCount: 2,
    stormMs: 10_000,
    faults: [],
    heartbeatMs: 50,
    electionTimeoutMs: 300,
    reads: 'quorum',
    latencyMs: [0.5, 3],
    slowPercent: 0,
    slowMs: 0,
    lossPercent: 0,
    duplicatePercent: 0,
    writeMs: [0.5, 5],
    turnMs: [0, 0.5],
    nodeSkews: [0, 0, 0],
    clientSkews: [0, 0],
    encoded: false,
    equalTimeouts: false,
    windowEventsMax: 1_000,
    pipelinedRequestsMax: 1_000,
    ...change,
  };
}
