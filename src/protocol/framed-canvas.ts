/** The answer of `canvas.open`. The canvas feature serves it; the web chat uses it without knowing the feature. */

/** How a client frames a preview. */
export interface FramedCanvas {
  /** A path of the gateway, with a token that expires. */
  readonly path?: string;
  /** The port of the path, if it is not the gateway's. */
  readonly port?: number;
  /** In place of a path: a page of another site. */
  readonly url?: string;
  /** The `sandbox` attribute of the frame. */
  readonly sandbox: string;
  readonly title?: string;
  readonly preferredHeight?: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
}
