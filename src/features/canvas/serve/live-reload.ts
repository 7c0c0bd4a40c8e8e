/** Notifies open pages of a canvas folder when its files change: one watcher per folder, while it has viewers. */
import { WebSocketServer, type WebSocket } from 'ws';
import type { Log } from '../../../core/log.ts';
import type { OpenUpgrade } from '../../../host/http/surface.ts';
import type { Clock, Timer } from '../../../platform/clock.ts';
import { ensureDir } from '../../../platform/files.ts';
import { watchTree } from '../platform/watch-tree.ts';

export interface LiveReload extends AsyncDisposable {
  /** The caller may read the folder. */
  accept(upgrade: Parameters<OpenUpgrade['accept']>[0], folder: string): void;
}

/** A file is written in several steps; pages come again when it has been quiet for so long. */
const SETTLE_MS = 75;
/** And after this time at the latest: somebody may go on writing. */
const MAX_WAIT_MS = 500;
const MAX_PAGES = 100;
/** A page has nothing to say. */
const MAX_PAYLOAD = 1024;

interface Watched {
  readonly pages: Set<WebSocket>;
  watcher: Disposable | undefined;
  timer: Timer | undefined;
  /** When the first change came that pages have not been told of. */
  changedAt: number | undefined;
}

export function createLiveReload({ clock, log }: { readonly clock: Clock; readonly log: Log }): LiveReload {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD, perMessageDeflate: false });
  const folders = new Map<string, Watched>();

  function notify(watched: Watched): void {
    watched.timer?.cancel();
    const now = clock.monotonic();
    watched.changedAt ??= now;
    watched.timer = clock.setTimeout(
      () => {
        watched.changedAt = undefined;
        for (const page of watched.pages) page.send('reload');
      },
      Math.min(SETTLE_MS, watched.changedAt + MAX_WAIT_MS - now),
    );
  }

  /** What cannot be watched is served all the same; its pages are told of nothing. */
  async function watch(folder: string, watched: Watched): Promise<void> {
    const failed = (error: unknown): void => {
      log.warn('canvas.watch', { folder, error });
      watched.watcher?.[Symbol.dispose]();
      watched.watcher = undefined;
    };
    try {
      await ensureDir(folder);
      if (folders.get(folder) === watched)
        watched.watcher = watchTree(folder, { onChange: () => notify(watched), onError: failed });
    } catch (error) {
      failed(error);
    }
  }

  function watchedOf(folder: string): Watched {
    const known = folders.get(folder);
    if (known) return known;
    const watched: Watched = { pages: new Set(), watcher: undefined, timer: undefined, changedAt: undefined };
    folders.set(folder, watched);
    void watch(folder, watched);
    return watched;
  }

  function leave(folder: string, watched: Watched, page: WebSocket): void {
    watched.pages.delete(page);
    if (watched.pages.size > 0) return;
    watched.timer?.cancel();
    watched.watcher?.[Symbol.dispose]();
    folders.delete(folder);
  }

  return {
    accept({ req, socket, head }, folder) {
      if (server.clients.size >= MAX_PAGES) return void socket.destroy();
      server.handleUpgrade(req, socket, head, (page) => {
        const watched = watchedOf(folder);
        watched.pages.add(page);
        page.on('error', () => page.terminate());
        page.on('close', () => leave(folder, watched, page));
      });
    },
    async [Symbol.asyncDispose]() {
      for (const page of server.clients) page.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
