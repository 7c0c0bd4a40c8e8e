/** `canvas.*`: pages and canvases in a browser window of this machine. */
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { findBrowser } from '../../../platform/find-browser.ts';
import { NodeError, nothing, type NodeMachine, type Offer } from '../../offer.ts';
import { readParams } from '../../read-params.ts';
import type { CanvasWindow } from './canvas-window.ts';

/** Surfaces come with the address of the gateway's own canvas, so nothing is offered for them. */
const COMMANDS = ['canvas.present', 'canvas.navigate', 'canvas.hide', 'canvas.eval', 'canvas.snapshot'] as const;

const address = z.string().trim().min(1).max(4096);
const pixels = z.number().nullish();
const presentParams = z.looseObject({
  url: address.nullish(),
  placement: z.looseObject({ x: pixels, y: pixels, width: pixels, height: pixels }).nullish(),
});
const navigateParams = z.looseObject({ url: address });
const evalParams = z.looseObject({ javaScript: z.string().trim().min(1).max(100_000) });
const snapshotParams = z.looseObject({
  format: z.enum(['png', 'jpeg', 'jpg']).nullish(),
  maxWidth: z.number().min(1).max(8192).nullish(),
  quality: z.number().min(0).max(1).nullish(),
});
const MAX_RESULT = 200_000;

export async function offerCanvas(machine: NodeMachine): Promise<Offer> {
  const no = (why: string): Offer => nothing('canvas', COMMANDS, why);
  const { settings, env } = machine;
  if (!settings.canvas)
    return no('CANVAS_DISABLED: the canvas is not switched on at the node (`node install --canvas`)');
  const browser = await findBrowser({ path: env.vars['PATH'] }).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (!browser) return no('CANVAS_UNAVAILABLE: no Chrome, Chromium, Brave or Edge is installed on the node');
  const window = laterWindow(machine, browser.path);
  return {
    cap: 'canvas',
    commands: commandsOf(window.get),
    unavailable: {},
    permissions: { canvas: true },
    close: window.close,
  };
}

/** The driver of the browser is loaded with the first page. */
function laterWindow(machine: NodeMachine, path: string) {
  const now: { window?: Promise<CanvasWindow> } = {};
  return {
    get: (): Promise<CanvasWindow> =>
      (now.window ??= import('./canvas-window.ts').then(({ createCanvasWindow }) => createCanvasWindow(machine, path))),
    close: async (): Promise<void> => (await now.window)?.hide(),
  };
}

function commandsOf(window: () => Promise<CanvasWindow>): Offer['commands'] {
  const done = { ok: true };
  return {
    async 'canvas.present'(params, { signal }) {
      const { url, placement } = readParams(presentParams, params);
      const at = placement ?? undefined;
      await (url ? (await window()).show(url, false, at, signal) : (await window()).again(at, signal));
      return done;
    },
    async 'canvas.navigate'(params, { signal }) {
      await (await window()).show(readParams(navigateParams, params).url, true, undefined, signal);
      return done;
    },
    async 'canvas.hide'() {
      await (await window()).hide();
      return done;
    },
    async 'canvas.eval'(params, { signal }) {
      const value = await (await window()).evaluate(readParams(evalParams, params).javaScript, signal);
      const result = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
      if (result.length <= MAX_RESULT) return { result };
      throw new NodeError('PAYLOAD_TOO_LARGE', `PAYLOAD_TOO_LARGE: the result has ${result.length} characters`);
    },
    async 'canvas.snapshot'(params, { signal }) {
      const { format, maxWidth, quality } = readParams(snapshotParams, params);
      const type = format === 'png' || !format ? 'png' : 'jpeg';
      const picture = await (await window()).snapshot({ format: type, maxWidth, quality }, signal);
      return { format: type, base64: picture.toString('base64') };
    },
  };
}
