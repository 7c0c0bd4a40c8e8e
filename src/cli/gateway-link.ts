/** The connection of the CLI to the gateway. */

export interface GatewayLink {
  /** `ws://127.0.0.1:18789` */
  readonly url: string;
  /** What the gateway said of itself when it took the connection. */
  readonly server: { readonly version: string };
  /** Rejects with `AppError`: the gateway's own words, or `timeout` (milliseconds; default 30 000). */
  request<T>(method: string, params?: unknown, options?: { readonly timeoutMs?: number }): Promise<T>;
  /** Hears every event; returns how to stop. A lost connection is the event `disconnected`. */
  onEvent(listener: (event: string, payload: unknown) => void): () => void;
  close(): Promise<void>;
}
