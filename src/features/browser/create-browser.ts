/** Composes the browser feature; the first call loads it with all heavy dependencies. */
import { join } from 'node:path';
import { AppError } from '../../core/errors.ts';
import type { Host } from '../../host/host.ts';
import { ownUser } from '../../platform/own-user.ts';
import { createBrowserCore } from './browser-core.ts';
import { createBrowserService, type BrowserService } from './browser-service.ts';
import type { BrowserConfig } from './config.ts';
import { callRemoteBrowser } from './control/remote-browser.ts';
import { createCanvasEgress } from './canvas/canvas-egress.ts';
import { createCanvasScreen, type OwnCanvasScreen } from './canvas/canvas-screen.ts';
import { createEgress, type Egress } from './guard/egress.ts';
import { createLiveService, type LiveService } from './live/live-service.ts';
import { createViewers } from './live/viewers.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { cdpPortsOf } from './profiles/profile-ports.ts';
import type { BrowserCall } from './routes/route.ts';
import type { Params } from './web-page/act-request.ts';

export interface Browser extends BrowserService {
  readonly live: LiveService;
  /**
   * Resolves a control address: a function that calls the other machine, or undefined for this one. Throws `denied` if
   * it is not configured.
   */
  elsewhere(written: string | undefined): ((call: BrowserCall, signal: AbortSignal) => Promise<Params>) | undefined;
}

export interface CreateBrowserDeps {
  readonly host: Host;
  config(): BrowserConfig;
  /** The configured port of the gateway; undefined: the system chose it. */
  gatewayPort(): number | undefined;
  /** The address of the control service; undefined: it is not running. */
  controlPort(): number | undefined;
}

/** The canvas window: a browser besides those of the profiles. */
const system = { linux: process.platform === 'linux', isRoot: ownUser()?.uid === 0 };

export function createScreen({ host, config }: Pick<CreateBrowserDeps, 'host' | 'config'>): OwnCanvasScreen {
  const { env, log, clock } = host.machine;
  const { guard, upstream } = egressOf(host, config);
  const port = (): number | undefined => host.gateway.port();
  return createCanvasScreen({
    clock,
    log,
    vars: env.vars,
    system,
    egress: createCanvasEgress({ guard, log, upstream, port }),
    config,
    folder: join(env.stateDir, 'browser', '.canvas'),
    port,
  });
}

const egressOf = (host: Host, config: () => BrowserConfig): Egress =>
  createEgress({
    log: host.machine.log,
    vars: host.machine.env.vars,
    policy: () => config().ssrfPolicy,
    upstream: host.config.current().security.fetch.proxy,
  });

export function createBrowser({ host, config, gatewayPort, controlPort }: CreateBrowserDeps): Browser {
  const { machine, sessions, agents } = host;
  const { env, log, clock } = machine;
  const egress = egressOf(host, config);
  const changed = coalesced(clock, () => host.gateway.publish('browser.changed', {}));
  const core = createBrowserCore({
    changed,
    clock,
    log,
    vars: env.vars,
    system,
    egress,
    folder: join(env.stateDir, 'browser'),
    config,
    range: () => cdpPortsOf(gatewayPort()),
    controlUrl() {
      const port = controlPort();
      return port === undefined ? undefined : `http://127.0.0.1:${port}`;
    },
    sessionId: async (key) => (await sessions.get(key))?.sessionId,
    filesOf: (owner) =>
      owner === undefined
        ? operatorFiles(env.stateDir)
        : join(
            agents.place({ agentId: sessions.agentOf(owner.sessionKey), sessionKey: owner.sessionKey }).workspace,
            'media',
            'browser',
          ),
  });
  const service = createBrowserService({ core, store: host.config.store });
  const viewers = createViewers({ clock, changed });
  return {
    ...service,
    live: createLiveService({ core, viewers }),
    async close() {
      viewers.close();
      await service.close();
    },
    elsewhere(written) {
      const { controlUrl, controlToken } = config();
      const origin = written?.trim() ? originOf(written) : undefined;
      const configured = controlUrl === undefined ? undefined : originOf(controlUrl);
      if (origin !== undefined && origin !== configured && !isOwn(origin, controlPort()))
        throw new AppError(
          'denied',
          'controlUrl leads to a control service nobody configured. Leave it out, or have the owner set ' +
            'browser.controlUrl.',
        );
      const url = origin ?? configured;
      if (url === undefined || isLoopback(url)) return undefined;
      return (call, signal) => callRemoteBrowser(url, { call, signal, token: controlToken });
    },
  };
}

/** Changes within this time are published as one event, in milliseconds. */
const SOON_MS = 200;

function coalesced(clock: Clock, notify: () => void): () => void {
  let timer: Timer | undefined;
  return () => {
    timer ??= clock
      .setTimeout(() => {
        timer = undefined;
        notify();
      }, SOON_MS)
      .unref();
  };
}

/** The folder for files of operator calls: beside the profiles. */
export const operatorFiles = (stateDir: string): string => join(stateDir, 'browser', '.files');

function originOf(text: string): string {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new AppError('invalid', 'controlUrl must be an http:// or https:// address.');
  return url.origin;
}

const isLoopback = (origin: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(origin).hostname);
const isOwn = (origin: string, controlPort: number | undefined): boolean =>
  isLoopback(origin) && new URL(origin).port === String(controlPort);
