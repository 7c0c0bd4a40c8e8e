/** Serves the canvas on a separate port if `canvasHost.port` is set. */
import { asAppError, AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import { sendError } from '../../../host/http/reply.ts';
import type { OpenUpgrade } from '../../../host/http/surface.ts';
import { openPort, type OwnPort } from '../platform/own-port.ts';
import type { CanvasRequest, Port } from './serve-canvas.ts';

export interface OwnPortDeps {
  readonly at: { readonly host: string; readonly port: number };
  readonly log: Log;
  serve(request: CanvasRequest, port: Port): Promise<void>;
  upgrade(path: string): OpenUpgrade | undefined;
}

/** Everything there takes a token in the path. */
export function serveOnOwnPort({ at, log, serve, upgrade }: OwnPortDeps): Promise<OwnPort> {
  const port: Port = {
    ownOrigin: true,
    // Whoever has the address may frame it: the Control UI has many names, and the token in it is the permission.
    ancestors: ['http:', 'https:'],
    authorize() {
      throw new AppError('denied', 'This address needs a token in its path. Open it from the Control UI.');
    },
  };
  return openPort(at, {
    answer(req, res) {
      const path = (req.url ?? '/').split('?')[0]!;
      res.setHeader('x-content-type-options', 'nosniff');
      res.setHeader('cache-control', 'no-store');
      serve({ method: req.method ?? 'GET', path, headers: req.headers, res }, port).catch((error: unknown) => {
        const { code, message } = sendError({ path, res }, error);
        if (code === 'internal')
          log.error('canvas.http', { path: path.replace(/\/cap\/[^/]+/, '/cap/…'), error: message });
      });
    },
    upgrade(req, socket, head) {
      try {
        const found = upgrade((req.url ?? '/').split('?')[0]!);
        if (!found) throw new AppError('not_found', 'Nothing is served at this path.');
        found.accept({ req, socket, head });
      } catch (error) {
        log.debug('canvas.upgrade.refused', { error: asAppError(error).message });
        socket.destroy();
      }
    },
  });
}
