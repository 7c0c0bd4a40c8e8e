/**
 * The interface of a window in which the gateway shows canvases, e.g. a managed Chromium; at most one feature provides
 * it.
 */

/** Which canvas, and where its page is. */
export interface ScreenedCanvas {
  readonly sessionKey: string;
  /** The page of the canvas: a path on the gateway's port. It is a credential. */
  readonly path: string;
}

/** Where the window goes, in pixels of the screen; absent: as it was. */
export interface ScreenPlacement {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** How a picture of the window is made. */
export interface ScreenPicture {
  readonly format: 'png' | 'jpeg';
  /** Pixels. */
  readonly maxWidth?: number | undefined;
  /** 0 to 1, of a JPEG. */
  readonly quality?: number | undefined;
  readonly delayMs?: number | undefined;
}

/** Every method rejects with `AppError('unavailable')` when the window cannot be opened, saying what to do. */
export interface CanvasScreen {
  /** A window on a display, which a person at the machine sees. */
  isSeen(): boolean;
  /** Opens the window, or brings it forward. Without a display it may wait for somebody who looks. */
  present(canvas: ScreenedCanvas, placement: ScreenPlacement | undefined): Promise<void>;
  /** Closes the window; there may be none. */
  hide(canvas: ScreenedCanvas): Promise<void>;
  /** Runs a script in the page that is shown; its result as text. */
  evaluate(canvas: ScreenedCanvas, javaScript: string, signal: AbortSignal): Promise<string>;
  snapshot(canvas: ScreenedCanvas, picture: ScreenPicture, signal: AbortSignal): Promise<Uint8Array>;
}
