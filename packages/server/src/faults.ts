/** Why a node must end. `cli` maps each to its exit code. */
export type FaultCode =
  /** A write or sync failed: what the disk holds is unknown, nothing is retried. */
  | 'STORAGE_FAILED'
  /** The state machine refused a committed entry: going on would make replicas differ. */
  | 'APPLY_FAILED'
  /** This data directory does not belong to the cluster that the peers form. */
  | 'WRONG_IDENTITY';

/** Handed to `Ports.fatal`; the node does nothing more after it. */
export class NodeFault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'NodeFault';
    this.code = code;
  }
}
