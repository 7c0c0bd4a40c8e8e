/** Opens the port of the control service. If it is in use, the gateway starts without the service. */
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import type { HttpAccess } from '../../../host/http/surface.ts';
import type { LoopbackServer } from '../platform/loopback-server.ts';
import type { BrowserConfig } from '../config.ts';
import { controlPortOf } from '../profiles/profile-ports.ts';
import type { ControlDeps } from './control-server.ts';

export interface Control {
  /** Sets the authentication of callers; the service does not listen without it. */
  mount(access: HttpAccess): void;
  /** Listens, unless the browser is disabled or another machine is configured. Never rejects because of a port. */
  start(call: ControlDeps['call']): Promise<void>;
  /** Undefined: it is not listening. */
  port(): number | undefined;
  close(): Promise<void>;
}

export interface CreateControlDeps extends Pick<ControlDeps, 'files'> {
  readonly log: Log;
  config(): BrowserConfig;
  /** The configured port of the gateway; undefined: the system chose it. */
  gatewayPort(): number | undefined;
}

/** The system chooses the port; clients find the service through `status`. */
const ANY = 0;

export function createControl({ log, files, config, gatewayPort }: CreateControlDeps): Control {
  const state: { access?: HttpAccess; server?: LoopbackServer } = {};

  const listen = async (
    port: number,
    { access, call }: Pick<ControlDeps, 'access' | 'call'>,
  ): Promise<LoopbackServer | undefined> => {
    const { startControlServer } = await import('./control-server.ts');
    try {
      return await startControlServer({ port, access, log, files, call });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      log.warn('browser.control-port-taken', { port, error });
      return undefined;
    }
  };
  return {
    mount: (access) => void (state.access = access),
    async start(call) {
      const { access } = state;
      const { enabled, controlUrl } = config();
      const port = controlUrl === undefined ? controlPortOf(gatewayPort()) : portHere(controlUrl);
      if (!enabled || !access || port === undefined) return;
      const server =
        (await listen(port, { access, call })) ??
        (controlUrl === undefined ? await listen(ANY, { access, call }) : undefined);
      if (server) state.server = server;
    },
    port: () => state.server?.port,
    close: async () => state.server?.close(),
  };
}

/** The port of an address on this machine; undefined: it is another machine. */
function portHere(controlUrl: string): number | undefined {
  const url = new URL(controlUrl);
  const here = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname) && url.protocol === 'http:';
  return here ? Number(url.port || 80) : undefined;
}
