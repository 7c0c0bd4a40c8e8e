/** Actions on canvases, used by clients and tools: each checks that its caller may access the session. */
import { present } from '../../core/present.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import { AppError } from '../../core/errors.ts';
import type { CanvasScreen, ScreenedCanvas, ScreenPicture, ScreenPlacement } from '../../host/canvas-screen.ts';
import type { A2uiAnswers } from './answers.ts';
import { canvasPath } from './canvas-paths.ts';
import type { Canvases } from './create-canvases.ts';
import type { CanvasView } from './surface/canvas-feed.ts';
import { surfaceFaults } from './surface/surface-faults.ts';

type Answer<M extends keyof A2uiAnswers> = Promise<A2uiAnswers[M]>;

export interface CanvasActions {
  /** Throws `AppError('invalid')` listing every fault, and changes nothing then. */
  push(key: string, jsonl: string): Answer<'a2ui.push'>;
  reset(key: string, surfaceId?: string): Answer<'a2ui.reset'>;
  /** Throws `AppError('invalid')` for an address nobody may be sent to. */
  show(key: string, wanted: WantedView): Answer<'a2ui.show'>;
  /** Throws `AppError('unavailable')` without a window. */
  evaluate(key: string, javaScript: string, signal: AbortSignal): Answer<'a2ui.eval'>;
  snapshot(key: string, picture: ScreenPicture, signal: AbortSignal): Answer<'a2ui.snapshot'>;
  list(limit: number): A2uiAnswers['a2ui.list'];
  get(key: string): Answer<'a2ui.get'>;
  link(key: string, surfaceId?: string, renew?: boolean): Answer<'a2ui.link'>;
}

export interface WantedView {
  readonly visible?: boolean | undefined;
  readonly url?: string | undefined;
  readonly placement?: ScreenPlacement | undefined;
}

export interface CanvasActionsDeps {
  readonly canvases: Canvases;
  /** The gateway's own window; undefined: it has none. */
  screen(): CanvasScreen | undefined;
}

export function createCanvasActions({ canvases, screen }: CanvasActionsDeps): CanvasActions {
  const onScreen = async (key: string): Promise<ScreenedCanvas> => ({
    sessionKey: key,
    path: canvasPath((await canvases.link({ sessionKey: key })).token),
  });
  const mustScreen = (what: string): CanvasScreen => {
    const found = screen();
    if (found) return found;
    throw new AppError(
      'unavailable',
      `${what} needs a node with a canvas, or a managed browser; this gateway has neither now.`,
    );
  };
  return {
    async push(key, jsonl) {
      const { mustReadJsonl } = await import('./check/read-jsonl.ts');
      const { messages, surfaces, warnings } = await canvases.push(key, await mustReadJsonl(jsonl));
      return {
        ok: true,
        sessionKey: key,
        version: '0.8',
        messages,
        surfaces: [...surfaces],
        warnings: [...warnings],
        viewers: canvases.viewers(key),
      };
    },
    async reset(key, surfaceId) {
      return { ok: true, sessionKey: key, surfaces: [...(await canvases.reset(key, surfaceId))] };
    },
    async show(key, { visible = true, url, placement }) {
      const view: CanvasView = url?.trim() ? { visible, url: pageAddress(url.trim()) } : { visible };
      await canvases.show(key, view);
      const window = screen();
      if (window) await (visible ? window.present(await onScreen(key), placement) : window.hide(await onScreen(key)));
      const viewers = canvases.viewers(key);
      return {
        ok: true,
        sessionKey: key,
        view: { ...view },
        viewers,
        ...present({ note: visible && !window?.isSeen() && viewers === 0 ? NO_VIEWER : undefined }),
      };
    },
    async evaluate(key, javaScript, signal) {
      return { result: await mustScreen('eval').evaluate(await onScreen(key), javaScript, signal) };
    },
    async snapshot(key, picture, signal) {
      const bytes = await mustScreen('snapshot').snapshot(await onScreen(key), picture, signal);
      return { format: picture.format, base64: Buffer.from(bytes).toString('base64') };
    },
    list: (limit) => ({
      canvases: canvases.list(limit).map((entry) => ({ ...entry, viewers: canvases.viewers(entry.sessionKey) })),
    }),
    get: (key) => describe(key, canvases),
    async link(key, surfaceId, renew) {
      const of = present({ sessionKey: key, surfaceId });
      return { path: canvasPath((await canvases.link(of, renew)).token) };
    },
  };
}

const NO_VIEWER =
  'Nobody has this canvas open. A person opens it on the Canvas page of the Control UI, or with the link that ' +
  `\`${OWN_COMMAND} canvas link\` prints.`;

async function describe(key: string, canvases: Canvases): Answer<'a2ui.get'> {
  const { isStandard } = await import('./check/catalog-0-8.ts');
  const { surfaces, view } = canvases.state(key);
  const shown = Object.values(surfaces).map((surface) => ({
    id: surface.id,
    version: surface.version,
    components: Object.keys(surface.components).length,
    shown: surface.root !== undefined,
    warnings: surfaceFaults(surface, isStandard).map(({ message }) => message),
  }));
  return { sessionKey: key, view: { ...view }, viewers: canvases.viewers(key), surfaces: shown };
}

/** Paths stay on the gateway; everything else is a web page. */
function pageAddress(written: string): string {
  if (/^\/__(?:clawdbot|moltbot|openclaw)__\/[\w./~%-]*$/.test(written)) return written;
  const parsed = URL.canParse(written) ? new URL(written) : undefined;
  if (parsed && ['http:', 'https:'].includes(parsed.protocol) && !parsed.username && !parsed.password)
    return parsed.href;
  throw new AppError('invalid', 'url: use an http or https address without a password, or a path of the canvas host.');
}
