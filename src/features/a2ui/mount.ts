/** Mounts the HTTP paths of canvases. The token in the path authorizes a request; cookies and headers do not. */
import type { Handler, HttpMethods, HttpRoutes } from '../../host/http/surface.ts';
import { loadOnce } from '../../platform/load-once.ts';
import { readCanvasPath } from './canvas-paths.ts';
import type { CanvasServer, CanvasServerDeps } from './serve-canvas.ts';

/** The code that serves them is loaded by the first request. */
export function canvasRoutes(deps: CanvasServerDeps): HttpRoutes {
  const server = loadOnce(async () => (await import('./serve-canvas.ts')).createCanvasServer(deps));
  const call =
    (work: (running: CanvasServer) => Handler): Handler =>
    async (request) =>
      work(await server.get())(request);
  return {
    find(path): HttpMethods | undefined {
      const found = readCanvasPath(path);
      if (!found) return undefined;
      if (found.part === 'action')
        return { POST: call(({ action }) => action), OPTIONS: call(({ preflight }) => preflight) };
      if (found.part === 'events') return { GET: call(({ events }) => events) };
      return { GET: call(({ page }) => page) };
    },
    async close() {
      const [begun] = await Promise.allSettled([server.begun]);
      if (begun.status === 'fulfilled') begun.value?.close();
    },
  };
}
