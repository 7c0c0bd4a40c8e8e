/** The browser feature: agents drive a real Chromium through a tool, an HTTP service on loopback, and the CLI. */
import { join } from 'node:path';
import { AppError } from '../../core/errors.ts';
import { defineFeature, type FeatureParts } from '../../host/feature.ts';
import type { Machine } from '../../host/host.ts';
import { listDir, statIfExists } from '../../platform/files.ts';
import { whenOver } from '../../platform/settled.ts';
import { loadOnce } from '../../platform/load-once.ts';
import { lazyScreen } from './canvas/lazy-screen.ts';
import { isHeadless } from './chromium/launch-options.ts';
import { browserSlices, type BrowserConfig } from './config.ts';
import { createControl } from './control/control.ts';
import { browserMethods, browserSpecs } from './methods.ts';
import { browserRules } from './setting-rules.ts';

export default defineFeature({
  id: 'browser',
  summary: 'Agents drive a real browser.',
  config: browserSlices,
  settings: browserRules,
  folders: ['browser'],
  methods: browserSpecs,
  events: {
    'browser.changed': 'operator.admin',
    'browser.frame': 'operator.admin',
    'browser.acted': 'operator.admin',
  },
  restartsOn: ['browser.controlUrl', 'browser.enabled'],

  create(host) {
    const { env, log } = host.machine;
    const config = (): BrowserConfig => host.config.slice<BrowserConfig>('browser');
    const gatewayPort = (): number | undefined => (host.gateway.hasFixedPort() ? host.gateway.port() : undefined);
    const files = join(env.stateDir, 'browser', '.files');
    const control = createControl({ log, files, config, gatewayPort });
    const browser = loadOnce(async () => {
      if (!config().enabled)
        throw new AppError('denied', 'The browser is switched off (browser.enabled). The owner can switch it on.');
      const { createBrowser } = await import('./create-browser.ts');
      return createBrowser({ host, config, gatewayPort, controlPort: control.port });
    });
    const call = async (...of: Parameters<Awaited<ReturnType<typeof browser.get>>['call']>) =>
      (await browser.get()).call(...of);
    const ofTurn: NonNullable<FeatureParts['toolMethods']>[string] = async (turn, keep) =>
      (await import('./tool/tool-methods.ts')).createToolMethods({
        host,
        browser: await browser.get(),
        turn,
        keep,
        config,
      });
    const screen = loadOnce(async () => (await import('./create-browser.ts')).createScreen({ host, config }));
    const linux = process.platform === 'linux';
    const isSeen = (): boolean => config().enabled && !isHeadless(config(), { linux, vars: env.vars });
    return {
      canvasScreen: lazyScreen({ screen, isSeen }),
      methods: browserMethods({ call, files, live: async () => (await browser.get()).live }),
      clients: {
        admitted: () => undefined,
        left: (link) => void whenOver(browser.begun?.then(({ live }) => live.left(link))),
      },
      toolMethods: { browser: ofTurn },
      http(surface) {
        control.mount(surface.access);
        return {};
      },
      async start() {
        await endLeftBrowsers(join(env.stateDir, 'browser'), host.machine);
        await control.start(call);
      },
      async close() {
        await control.close();
        for (const begun of await Promise.allSettled([browser.begun, screen.begun]))
          if (begun.status === 'fulfilled') await begun.value?.close();
      },
    };
  },
});

/** Ends browsers of a gateway that was killed; loads nothing if there are no records. */
async function endLeftBrowsers(folder: string, { log }: Pick<Machine, 'log'>): Promise<void> {
  for (const { name, kind } of await listDir(folder))
    if (kind === 'directory' && (await statIfExists(join(folder, name, 'running.json'))))
      await (await import('./chromium/orphaned-browser.ts')).endOrphan(join(folder, name), log);
}
