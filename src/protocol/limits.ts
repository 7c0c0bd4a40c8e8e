/** The size and time limits of the protocol; the gateway sends them in `hello-ok`. */

const MiB = 1024 * 1024;

/** What one connection, and all of them together, may cost. */
export interface WireLimits {
  /** Bytes of one inbound frame once connected. */
  readonly maxPayload: number;
  /** Bytes a client may send before it is connected. */
  readonly maxPayloadBeforeConnect: number;
  /** Bytes waiting for one slow client before it is cut off. */
  readonly maxBufferedBytes: number;
  /** Bytes waiting for all clients together; over that who has waited longest is cut off. */
  readonly maxUnreadBytes: number;
  readonly tickIntervalMs: number;
  readonly handshakeTimeoutMs: number;
  /**
   * Sockets that have not finished their handshake; where there are more, the one that was silent longest gives way.
   */
  readonly maxPendingHandshakes: number;
  /** The limit of those from one remote address, so that nobody can use all of them. */
  readonly maxPendingPerAddress: number;
  /** Requests of one connection that wait for their answer. */
  readonly maxRequestsInFlight: number;
  /** Bytes of all attachments of one message, decoded. */
  readonly maxAttachmentBytes: number;
  /** Bytes of one `chat.history` answer; older messages give way first. */
  readonly maxHistoryBytes: number;
  /** At most one streamed update per run in this time. */
  readonly deltaIntervalMs: number;
}

/** The limits in force; tests set others. */
export const WIRE_LIMITS: WireLimits = {
  maxPayload: 25 * MiB,
  maxPayloadBeforeConnect: 64 * 1024,
  maxBufferedBytes: 50 * MiB,
  maxUnreadBytes: 48 * MiB,
  tickIntervalMs: 15_000,
  handshakeTimeoutMs: 15_000,
  maxPendingHandshakes: 256,
  maxPendingPerAddress: 64,
  maxRequestsInFlight: 128,
  maxAttachmentBytes: 18_000_000,
  maxHistoryBytes: 6_000_000,
  deltaIntervalMs: 150,
};
