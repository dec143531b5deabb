/** Everything here has a limit; these are the transport's own, beside the wire's. */
export interface TransportSettings {
  /** From the upgrade to the first frame, and for a dial up to the other side's first frame. */
  readonly handshakeTimeoutMs: number;
  /** Connections that have not introduced themselves yet, of clients and peers together. */
  readonly pendingHandshakesMax: number;
  /** Clients connected at once. */
  readonly clientConnectionsMax: number;
  /**
   * Client handshakes begun per window: a reconnect storm may not starve the cluster. A window is
   * about a heartbeat.
   */
  readonly handshakesPerWindowMax: number;
  readonly handshakeWindowMs: number;
  /** Pings on an idle client connection; unanswered `pingMissesMax` times in a row it is dead. */
  readonly clientPingMs: number;
  readonly pingMissesMax: number;
  /**
   * Pings of a dialled peer connection. With four misses on the control lane a half-open peer is
   * found within 2 to 2.5 s, and both lanes are dialled anew. On the bulk lane a ping waits behind
   * the appends that are under way, so that its own count is longer. The listening side gives up
   * on a connection without pings.
   */
  readonly peerPingMs: number;
  readonly controlMissesMax: number;
  readonly bulkMissesMax: number;
  readonly peerSilenceMissesMax: number;
  /** Redials: full jitter over a bound that doubles up to the cap, never below the floor. */
  readonly redialFloorMs: number;
  readonly redialCapMs: number;
  /** Queued and unsent bytes of a lane, the next frame included; what is above is dropped. */
  readonly controlBytesMax: number;
  readonly bulkBytesMax: number;
  readonly laneMessagesMax: number;
  /** How long the other side may take to answer a close. */
  readonly closeTimeoutMs: number;
}

export const DEFAULT_TRANSPORT_SETTINGS: TransportSettings = {
  handshakeTimeoutMs: 3_000,
  pendingHandshakesMax: 256,
  clientConnectionsMax: 10_000,
  handshakesPerWindowMax: 64,
  handshakeWindowMs: 50,
  clientPingMs: 10_000,
  pingMissesMax: 2,
  peerPingMs: 500,
  controlMissesMax: 4,
  bulkMissesMax: 20,
  peerSilenceMissesMax: 24,
  redialFloorMs: 50,
  redialCapMs: 1_000,
  controlBytesMax: 4 * 1024 * 1024,
  bulkBytesMax: 32 * 1024 * 1024,
  laneMessagesMax: 4_096,
  closeTimeoutMs: 1_000,
};
