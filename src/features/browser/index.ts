/** Browsers that agents drive: a real Chromium, by a tool, an HTTP service on loopback, and a command line. */
import { join } from 'node:path';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { defineFeature, type FeatureParts } from '../../host/feature.ts';
import type { HttpAccess } from '../../host/http/surface.ts';
import type { LoopbackServer } from '../../host/http/loopback-server.ts';
import { listDir, statIfExists } from '../../platform/files.ts';
import { loadOnce } from '../../platform/load-once.ts';
import { browserSlices, type BrowserConfig } from './config.ts';
import { browserMethods, browserSpecs } from './methods.ts';
import { controlPortOf } from './profiles/profile-ports.ts';
import { browserRules } from './setting-rules.ts';

export default defineFeature({
  id: 'browser',
  summary: 'Agents drive a real browser.',
  config: browserSlices,
  settings: browserRules,
  folders: ['browser'],
  methods: browserSpecs,
  restartsOn: ['browser.controlUrl', 'browser.enabled'],

  create(host) {
    const { env, log } = host.machine;
    const config = (): BrowserConfig => host.config.slice<BrowserConfig>('browser');
    const gatewayPort = (): number => host.gateway.port() ?? host.config.current().gateway.port;
    const browser = loadOnce(async () =>
      (await import('./create-browser.ts')).createBrowser({ host, config, gatewayPort }),
    );
    const files = join(env.stateDir, 'browser', '.files');
    const call = async (...of: Parameters<Awaited<ReturnType<typeof browser.get>>['call']>) =>
      (await browser.get()).call(...of);
    const control: { access?: HttpAccess; server?: LoopbackServer } = {};
    const ofTurn: NonNullable<FeatureParts['toolMethods']>[string] = async (turn) =>
      (await import('./tool/tool-methods.ts')).createToolMethods({ host, browser: await browser.get(), turn, config });
    return {
      methods: browserMethods({ call, files }),
      toolMethods: { browser: ofTurn },
      http(surface) {
        control.access = surface.access;
        return {};
      },
      async start() {
        await endOrphans(join(env.stateDir, 'browser'), host.machine);
        const port = controlPort(config(), gatewayPort());
        if (!config().enabled || !control.access || port === undefined) return;
        const { startControlServer } = await import('./control/control-server.ts');
        try {
          control.server = await startControlServer({ port, access: control.access, log, files, call });
        } catch (error) {
          // Everything else works without it.
          if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
          log.warn('browser.control-port-taken', { port, error });
        }
      },
      async close() {
        await control.server?.close();
        const begun = await Promise.allSettled([browser.begun]);
        if (begun[0].status === 'fulfilled') await begun[0].value?.close();
      },
    };
  },
});

/** Two ports above the gateway, or where the configuration says; undefined: it is another machine's. */
function controlPort({ controlUrl }: BrowserConfig, gatewayPort: number): number | undefined {
  if (controlUrl === undefined) return controlPortOf(gatewayPort);
  const url = new URL(controlUrl);
  const here = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname) && url.protocol === 'http:';
  return here ? Number(url.port || 80) : undefined;
}

/** Browsers of a gateway that was killed; where there never was one, nothing is loaded. */
async function endOrphans(folder: string, { log }: { readonly log: Log }): Promise<void> {
  for (const { name, kind } of await listDir(folder))
    if (kind === 'directory' && (await statIfExists(join(folder, name, 'running.json'))))
      await (await import('./chromium/launch.ts')).endOrphan(join(folder, name), log);
}
