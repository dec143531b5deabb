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
   * Pings of a dialled peer connection. With four misses a half-open connection is found within
   * 2 to 2.5 s; the listening side gives up on a silent one after six.
   */
  readonly peerPingMs: number;
  readonly peerPingMissesMax: number;
  readonly peerSilenceMissesMax: number;
  /** Redial: uniform between the floor and a bound that doubles from the floor to the cap. */
  readonly redialFloorMs: number;
  readonly redialCapMs: number;
  /** Queued and unsent bytes of one lane, the next frame included; above it messages are dropped. */
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
  peerPingMissesMax: 4,
  peerSilenceMissesMax: 6,
  redialFloorMs: 50,
  redialCapMs: 1_000,
  controlBytesMax: 4 * 1024 * 1024,
  bulkBytesMax: 32 * 1024 * 1024,
  laneMessagesMax: 4_096,
  closeTimeoutMs: 1_000,
};
