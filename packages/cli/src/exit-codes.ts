/** What `raftd` and `raftctl` end with; a contract that scripts rely on (DESIGN §10). */
export const EXIT: ExitCodes = {
  ok: 0,
  internal: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  unavailable: 5,
  outcomeUnknown: 6,
  notPermitted: 7,
  inUse: 10,
  damaged: 11,
  diskFailed: 12,
  wrongIdentity: 13,
  grantLost: 120,
  waitLimitPassed: 121,
  unreachable: 122,
};

export interface ExitCodes {
  readonly ok: number;
  /** A fault of the program itself. */
  readonly internal: number;
  /** Usage or configuration. */
  readonly usage: number;
  readonly notFound: number;
  /** Fenced, compare failed, expired, exists. */
  readonly refused: number;
  /** No leader, no quorum, time-out before effect. */
  readonly unavailable: number;
  readonly outcomeUnknown: number;
  readonly notPermitted: number;
  /** `raftd`: address or data directory in use. */
  readonly inUse: number;
  /** `raftd`: data damaged. */
  readonly damaged: number;
  /** `raftd`: disk full, write failed, directory unwritable. */
  readonly diskFailed: number;
  /** `raftd`: wrong cluster or identity. */
  readonly wrongIdentity: number;
  /** `elect`: the grant was lost, the command was ended. */
  readonly grantLost: number;
  readonly waitLimitPassed: number;
  readonly unreachable: number;
}
