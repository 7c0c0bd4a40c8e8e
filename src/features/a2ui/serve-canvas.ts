/** Serves canvases to browsers: the page, its live feed, and the endpoint for actions. */
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { PRODUCT_LABEL } from '../../core/product.ts';
import type { Log } from '../../core/log.ts';
import { readBytes } from '../../host/http/body.ts';
import { sendJson, sendText } from '../../host/http/reply.ts';
import type { HttpRequest } from '../../host/http/surface.ts';
import type { Clock } from '../../platform/clock.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';
import { readBytesIfExists } from '../../platform/files.ts';
import { readCanvasPath } from './canvas-paths.ts';
import type { CanvasLink } from './canvas-tables.ts';
import type { Canvases } from './create-canvases.ts';
import { createFeed, type Feed } from './feed.ts';
import type { RemoteMedia } from './surface/canvas-feed.ts';
import { createThrottle } from '../../host/throttle.ts';
import { takeAction, type UserActionsDeps } from './user-action.ts';

const MAX_ACTION_BYTES = 64 * 1024;

export interface CanvasServerDeps {
  readonly canvases: Canvases;
  readonly actions: UserActionsDeps;
  readonly clock: Clock;
  readonly log: Log;
  remoteMedia(): RemoteMedia;
  /** Path of a file of the built viewer, absolute. */
  viewerFile(name: string): string;
}

export interface CanvasServer {
  page(request: HttpRequest): Promise<void>;
  events(request: HttpRequest): void;
  action(request: HttpRequest): Promise<void>;
  preflight(request: HttpRequest): void;
  close(): void;
}

export function createCanvasServer(deps: CanvasServerDeps): CanvasServer {
  const feed = createFeed(deps);
  const throttle = createThrottle({ clock: deps.clock, max: 20, everyMs: 10_000 });
  return {
    page: (request) => servePage(request, deps),
    events(request) {
      const link = mustLink(request, deps);
      openToAnyOrigin(request.res);
      if (request.method === 'HEAD') return sendText(request.res, 200, '', { 'content-type': 'text/event-stream' });
      feed.open(request, link);
    },
    async action(request) {
      openToAnyOrigin(request.res);
      const link = mustLink(request, deps);
      const body = parsed(await readBytes(request, MAX_ACTION_BYTES));
      const fault = readFault(body);
      // Apart from what people do: a surface with many faults must not cost them their clicks.
      throttle.demand(fault ? `faults ${link.token}` : link.token);
      if (fault) {
        deps.log.warn('a2ui.not-drawn', { session: link.sessionKey, ...fault });
        return sendJson(request.res, 200, { ok: true });
      }
      const taken = await takeAction(body, link, deps.actions);
      followEnd(taken, link, feed);
      sendJson(request.res, 200, { ok: true, id: taken.id, runId: taken.runId, state: taken.state });
    },
    preflight({ res }) {
      openToAnyOrigin(res);
      res
        .writeHead(204, { 'access-control-allow-methods': 'POST', 'access-control-allow-headers': 'content-type' })
        .end();
    },
    close: () => feed.close(),
  };
}

/** The gateway stops waiting when it closes; the page then asks again with the same id. */
function followEnd(taken: Awaited<ReturnType<typeof takeAction>>, link: CanvasLink, feed: Feed): void {
  taken.ended?.then(
    (state) => feed.send(link.token, { kind: 'action', id: taken.id, state }),
    () => undefined,
  );
}

const faultShape = z.strictObject({
  error: z.strictObject({
    surfaceId: z.string().max(256),
    componentId: z.string().max(256),
    message: z.string().max(500),
  }),
});

/** What a page could not draw; undefined: it is something else. */
function readFault(body: unknown): z.output<typeof faultShape>['error'] | undefined {
  return faultShape.safeParse(body).data?.error;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new AppError('invalid', 'The body is not valid JSON.', { cause: error });
  }
}

/** The page is sandboxed and has no origin; what it may do is said by the token alone. */
const openToAnyOrigin = (res: HttpRequest['res']): void => void res.setHeader('access-control-allow-origin', '*');

function mustLink({ path }: Pick<HttpRequest, 'path'>, { canvases }: Pick<CanvasServerDeps, 'canvases'>): CanvasLink {
  const { token = '' } = readCanvasPath(path) ?? {};
  const link = /^[0-9a-f]{48}$/.test(token) ? canvases.findLink(token) : undefined;
  if (!link) throw new AppError('not_found', 'This link does not open a canvas, or no longer does.');
  return link;
}

const ASSETS: Readonly<Record<string, string>> = {
  'viewer.js': 'text/javascript; charset=utf-8',
  'viewer.css': 'text/css; charset=utf-8',
};

/**
 * The page runs in a sandbox without an origin: it reaches neither storage nor cookies of the Control UI, and the
 * gateway only through its token. Scripts: the viewer alone. Pages it shows in place of surfaces are sandboxed too.
 */
function pagePolicy(remote: RemoteMedia): string {
  const media = remote === 'block' ? '' : ' https: http:';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data:${media}`,
    `media-src 'self' data:${media}`,
    "connect-src 'self'",
    "frame-src 'self' https: http:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-forms',
  ].join('; ');
}

async function servePage(request: HttpRequest, deps: CanvasServerDeps): Promise<void> {
  const { token, part } = readCanvasPath(request.path) ?? { token: '', part: '' };
  const { res } = request;
  const type = part === '' && Object.hasOwn(ASSETS, token) ? ASSETS[token] : undefined;
  if (type !== undefined) {
    const bytes = await readBytesIfExists(deps.viewerFile(token));
    if (!bytes) throw new AppError('unavailable', NOT_BUILT);
    openToAnyOrigin(res);
    return sendText(res, 200, bytes, { 'content-type': type, 'cache-control': 'no-cache' });
  }
  res.setHeader('content-security-policy', pagePolicy(deps.remoteMedia()));
  res.setHeader('x-frame-options', 'SAMEORIGIN');
  const html = { 'content-type': 'text/html; charset=utf-8' };
  if (token === '') return sendText(res, 200, page(HOW_TO_OPEN, ''), html);
  mustLink(request, deps);
  if (part !== '') throw new AppError('not_found', 'Nothing is served at this path.');
  // Relative addresses, so that a proxy may put the gateway below a path of its own.
  if (!request.path.endsWith('/')) return sendText(res, 302, '', { location: `${token}/` });
  if (!(await readBytesIfExists(deps.viewerFile('viewer.js')))) throw new AppError('unavailable', NOT_BUILT);
  sendText(res, 200, page('', '<script src="../viewer.js" defer></script>'), html);
}

const page = (body: string, head: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Canvas - ${PRODUCT_LABEL}</title>${
    head === '' ? '' : '<link rel="stylesheet" href="../viewer.css">'
  }${head}</head><body>${body}<main id="canvas"></main></body></html>\n`;

const HOW_TO_OPEN = `<p>This page shows the canvas of one session, and needs its link.
Open the Canvas page of the Control UI, or run <code>${PUBLIC_COMMAND} canvas link</code>.</p>`;

const NOT_BUILT = 'The canvas viewer is not built. In a checkout run `npm run build`, then reload this page.';
