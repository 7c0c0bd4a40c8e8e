/** Serves the canvas below its paths on the gateway's port, and on a separate port. */
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import type { HttpMethods, HttpRoutes, HttpSurface, OpenUpgrade } from '../../../host/http/surface.ts';
import type { Clock } from '../../../platform/clock.ts';
import { loadOnce } from '../../../platform/load-once.ts';
import type { CanvasService } from '../canvas-service.ts';
import type { CanvasConfig } from '../config.ts';
import type { OwnPort } from '../platform/own-port.ts';
import { readAddress } from './canvas-address.ts';
import type { Port } from './serve-canvas.ts';

export interface CanvasServerDeps {
  readonly canvas: CanvasService;
  readonly clock: Clock;
  readonly log: Log;
  config(): CanvasConfig;
  /** `CLAWDBOT_SKIP_CANVAS_HOST`: nothing is served. */
  readonly off: boolean;
}

/** The code that serves is loaded by the first request: most gateways get none. */
export function createCanvasServer(deps: CanvasServerDeps) {
  const { canvas, config, log } = deps;
  const code = loadOnce(() => import('./serve-canvas.ts'));
  const live = loadOnce(async () => (await import('./live-reload.ts')).createLiveReload(deps));
  const own: { port: OwnPort | undefined } = { port: undefined };
  const isOn = (): boolean => config().enabled && !deps.off;

  /** Only to whoever has a token of the folder: a page cannot show another. */
  const upgrade = (path: string): OpenUpgrade | undefined => {
    const address = isOn() ? readAddress(path) : undefined;
    if (address === undefined || address === 'bad' || address.kind !== 'live') return undefined;
    return {
      accept(parts) {
        void watch(address.token).then(
          (folder) => folder.live.accept(parts, folder.path),
          (error: unknown) => {
            log.debug('canvas.live.refused', { error });
            parts.socket.destroy();
          },
        );
      },
    };
  };

  async function watch(token: string | undefined) {
    const { agentOfToken } = await code.get();
    const agentId = token === undefined ? undefined : await agentOfToken(token, canvas);
    if (agentId === undefined || !config().liveReload) throw new AppError('denied', 'No token of a canvas folder.');
    return { live: await live.get(), path: canvas.folders.of(agentId).path };
  }

  function routes({ access }: HttpSurface): HttpRoutes {
    const answer = async (request: Parameters<HttpMethods[string]>[0]): Promise<void> => {
      const port: Port = {
        ownOrigin: false,
        ancestors: [],
        authorize: () => void access.authorize(request, 'operator.read'),
      };
      await (await code.get()).serveCanvas(request, port, canvas);
    };
    const methods: HttpMethods = { GET: answer };
    return {
      // A page without an origin asks as nobody; its address is what opens it.
      find: (path) => (isOn() && readAddress(path) !== undefined ? methods : undefined),
      findUpgrade: upgrade,
      frames: () => (own.port === undefined ? [] : [`http://*:${own.port.port}`, `https://*:${own.port.port}`]),
      close: closeLive,
    };
  }

  async function closeLive(): Promise<void> {
    const begun = await live.begun;
    await begun?.[Symbol.asyncDispose]();
  }

  return {
    routes,
    /** Its own port, when there is one. Where it cannot be opened the log says why; the gateway's serves the same. */
    async listen(): Promise<number | undefined> {
      own.port = isOn() ? await openOwnPort(deps, upgrade) : undefined;
      return own.port?.port;
    },
    async close(): Promise<void> {
      await own.port?.[Symbol.asyncDispose]();
      own.port = undefined;
      await closeLive();
      canvas.listensOn(undefined);
    },
  };
}

async function openOwnPort(
  { canvas, config, log }: CanvasServerDeps,
  upgrade: (path: string) => OpenUpgrade | undefined,
): Promise<OwnPort | undefined> {
  const { port, bind } = config();
  if (port === undefined) return undefined;
  try {
    const [{ serveOnOwnPort }, { serveCanvas }] = await Promise.all([
      import('./own-port.ts'),
      import('./serve-canvas.ts'),
    ]);
    const opened = await serveOnOwnPort({
      at: { host: bind === 'lan' ? '0.0.0.0' : '127.0.0.1', port },
      log,
      serve: (request, at) => serveCanvas(request, at, canvas),
      upgrade,
    });
    log.info('canvas.listening', { port: opened.port, bind });
    return opened;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.error('canvas.port', { error });
    return undefined;
  }
}
