/** What one message may hold; DESIGN §12. Crossing one is LIMIT_EXCEEDED or FRAME_TOO_LARGE. */
export interface WireLimits {
  readonly frameBytesMax: number;
  readonly keyBytesMax: number;
  readonly valueBytesMax: number;
  readonly txnOperationsMax: number;
  readonly txnBytesMax: number;
  readonly nameCharsMax: number;
  readonly metadataBytesMax: number;
  readonly rangeLimitMax: number;
  readonly renewalsMax: number;
  readonly requestsPerFrameMax: number;
}

export const DEFAULT_WIRE_LIMITS: WireLimits = {
  frameBytesMax: 4 * 1024 * 1024,
  keyBytesMax: 4 * 1024,
  valueBytesMax: 1024 * 1024,
  txnOperationsMax: 128,
  txnBytesMax: 1536 * 1024,
  nameCharsMax: 256,
  metadataBytesMax: 4 * 1024,
  rangeLimitMax: 10_000,
  // Each is answered with the names of its lease's grants: all of them must fit one frame.
  renewalsMax: 1_000,
  requestsPerFrameMax: 10_000,
};

/**
 * No bound of its own on any field. For bytes of the log, which every replica must read alike
 * whatever limits it was started with, and for what a server said, which its frame bounds.
 */
export const UNLIMITED: WireLimits = {
  frameBytesMax: Number.MAX_SAFE_INTEGER,
  keyBytesMax: Number.MAX_SAFE_INTEGER,
  valueBytesMax: Number.MAX_SAFE_INTEGER,
  txnOperationsMax: Number.MAX_SAFE_INTEGER,
  txnBytesMax: Number.MAX_SAFE_INTEGER,
  nameCharsMax: Number.MAX_SAFE_INTEGER,
  metadataBytesMax: Number.MAX_SAFE_INTEGER,
  rangeLimitMax: Number.MAX_SAFE_INTEGER,
  renewalsMax: Number.MAX_SAFE_INTEGER,
  requestsPerFrameMax: Number.MAX_SAFE_INTEGER,
};
