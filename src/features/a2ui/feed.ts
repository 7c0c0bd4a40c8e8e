/** Streams canvases as server-sent events: the full state first, then changes, merged for slow clients. */
import { AppError } from '../../core/errors.ts';
import type { HttpRequest } from '../../host/http/surface.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import type { CanvasLink } from './canvas-tables.ts';
import type { CanvasChange, Canvases } from './create-canvases.ts';
import type { FeedEvent, RemoteMedia } from './surface/canvas-feed.ts';
import { surfaceOf, type SurfaceMessage } from './surface/surface.ts';

/** Pages of one link, and of all together. */
const MAX_VIEWERS = { ofLink: 32, all: 200 };
/** Changes within it travel together: about one frame of a screen. */
const JOIN_MS = 16;
/** Proxies close what is silent. */
const ALIVE_MS = 20_000;
/** A reader that is further behind gets everything anew once it has caught up. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** After so long a browser that lost its feed asks again. */
const RETRY_MS = 1000;

export interface FeedDeps {
  readonly canvases: Pick<Canvases, 'state' | 'watch'>;
  readonly clock: Clock;
  remoteMedia(): RemoteMedia;
}

export interface Feed {
  /** Owns the answer from now on. Throws `AppError('overloaded')` when too many pages are open. */
  open(request: HttpRequest, link: CanvasLink): void;
  /** To every page of this link. */
  send(token: string, event: FeedEvent): void;
  close(): void;
}

interface Viewer {
  readonly link: CanvasLink;
  send(event: FeedEvent): void;
  end(): void;
}

export function createFeed(deps: FeedDeps): Feed {
  const viewers = new Set<Viewer>();
  return {
    open(request, link) {
      const same = [...viewers].filter((one) => one.link.token === link.token).length;
      if (viewers.size >= MAX_VIEWERS.all || same >= MAX_VIEWERS.ofLink)
        throw new AppError('unavailable', 'Too many pages show this canvas; close one.', { retryAfterMs: 10_000 });
      const viewer = openViewer(request, link, deps, () => viewers.delete(viewer));
      viewers.add(viewer);
    },
    send: (token, event) => viewers.forEach((one) => one.link.token === token && one.send(event)),
    close: () => viewers.forEach((one) => one.end()),
  };
}

function openViewer({ res, signal }: HttpRequest, link: CanvasLink, deps: FeedDeps, gone: () => void): Viewer {
  const { canvases, clock, remoteMedia } = deps;
  const waiting: { messages: SurfaceMessage[]; timer: Timer | undefined; behind: boolean } = {
    messages: [],
    timer: undefined,
    behind: false,
  };
  const write = (event: FeedEvent): void => void res.write(`data: ${JSON.stringify(event)}\n\n`);
  const snapshot = (): void => {
    waiting.messages = [];
    write(snapshotOf(link, canvases, remoteMedia()));
  };
  const flush = (): void => {
    waiting.timer = undefined;
    if (waiting.messages.length === 0) return;
    if (res.writableLength > MAX_WAITING_BYTES) {
      waiting.behind = true;
      waiting.messages = [];
      return;
    }
    const { messages } = waiting;
    waiting.messages = [];
    write({ kind: 'messages', messages });
  };
  const change = (changed: CanvasChange): void => {
    if (changed.kind === 'state') return snapshot();
    if (changed.kind === 'view') return write({ kind: 'view', view: changed.view });
    if (waiting.behind) return;
    const ours = changed.messages.filter(
      ({ surfaceId }) => link.surfaceId === undefined || surfaceId === link.surfaceId,
    );
    waiting.messages.push(...ours);
    waiting.timer ??= clock.setTimeout(flush, JOIN_MS);
  };

  begin(res);
  snapshot();
  const unwatch = canvases.watch(link.sessionKey, change);
  const alive = clock.setInterval(() => void res.write(': alive\n\n'), ALIVE_MS);
  res.on('drain', () => {
    if (!waiting.behind) return;
    waiting.behind = false;
    snapshot();
  });
  const end = (): void => {
    unwatch();
    alive.cancel();
    waiting.timer?.cancel();
    gone();
    res.end();
  };
  signal.addEventListener('abort', end, { once: true });
  return { link, send: write, end };
}

function begin(res: HttpRequest['res']): void {
  res.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  res.write(`retry: ${RETRY_MS}\n\n`);
}

function snapshotOf(link: CanvasLink, canvases: FeedDeps['canvases'], remoteMedia: RemoteMedia): FeedEvent {
  const { surfaces, view } = canvases.state(link.sessionKey);
  if (link.surfaceId === undefined) return { kind: 'snapshot', surfaces, view, remoteMedia };
  const surface = surfaceOf(surfaces, link.surfaceId);
  return {
    kind: 'snapshot',
    surfaces: surface ? { [link.surfaceId]: surface } : {},
    view: { visible: view.visible },
    remoteMedia,
    only: link.surfaceId,
  };
}
