/** Dependencies of the canvas. */
import type { Log } from '../../core/log.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CanvasConfig } from './config.ts';
import type { Sandbox } from './documents/manifest.ts';
import type { CanvasFolders } from './serve/serve-canvas.ts';

export interface CanvasDeps {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly log: Log;
  config(): CanvasConfig;
  controlUi(): { readonly embedSandbox: Sandbox; readonly allowExternalEmbedUrls: boolean };
  readonly folders: CanvasFolders;
  /** Clients hear that something is another one now. */
  changed(id: string): void;
}
