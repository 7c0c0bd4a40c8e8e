/** Creates the canvas window on first use; until then none of its code is loaded. */
import type { CanvasScreen } from '../../../host/canvas-screen.ts';
import type { Lazy } from '../../../platform/load-once.ts';
import type { OwnCanvasScreen } from './canvas-screen.ts';

export interface LazyScreenDeps {
  readonly screen: Lazy<OwnCanvasScreen>;
  /** Whether the window would be on a display. */
  isSeen(): boolean;
}

export function lazyScreen({ screen, isSeen }: LazyScreenDeps): CanvasScreen {
  return {
    isSeen,
    async present(canvas, placement) {
      if (isSeen() || screen.begun) await (await screen.get()).present(canvas, placement);
    },
    hide: async (canvas) => (await screen.begun)?.hide(canvas),
    evaluate: async (...of) => (await screen.get()).evaluate(...of),
    snapshot: async (...of) => (await screen.get()).snapshot(...of),
  };
}
