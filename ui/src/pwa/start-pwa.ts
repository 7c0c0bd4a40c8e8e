/**
 * Makes the page an app: a service worker that caches its shell, notifications with buttons, the badge, content shared
 * by other apps, and a reload if the gateway has another version. Loaded after the page is shown.
 */
import type { App } from '../app.ts';
import { toast } from '../elements/toast.ts';
import { startAlerts } from './alerts.ts';
import { followBadge } from './badge.ts';
import { noteInstall } from './install.ts';
import { takeShared } from './take-shared.ts';

export async function startPwa(app: App): Promise<void> {
  noteInstall();
  followVersion(app);
  followBadge(app);
  // Only over HTTPS and on this machine, and never for the page of another gateway.
  if (!('serviceWorker' in navigator) || !isOwnGateway(app)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }) => void onMessage(app, data));
  try {
    const registration = await navigator.serviceWorker.register(new URL('sw.js', document.baseURI), {
      updateViaCache: 'none',
    });
    startAlerts(app, registration);
    keepLoaded(await navigator.serviceWorker.ready);
    await takeShared(app);
  } catch (cause) {
    // Disabled by the person or by a policy of the browser: the page works without it.
    console.info('No service worker.', cause);
  }
}

const isOwnGateway = ({ gatewayUrl }: App): boolean => new URL(gatewayUrl).host === location.host;

/** Caches what was loaded before the service worker was active. */
function keepLoaded({ active }: ServiceWorkerRegistration): void {
  const urls = performance.getEntriesByType('resource').map(({ name }) => name);
  active?.postMessage({ type: 'keep', urls }, { transfer: [] });
}

interface Press {
  readonly type?: unknown;
  readonly action?: unknown;
  readonly session?: unknown;
  readonly approval?: unknown;
}

/** Handles a press on a notification. It can do only what a person can do on this page. */
async function onMessage(app: App, data: Press | undefined): Promise<void> {
  if (data?.type !== 'notification') return;
  // The approval service is loaded with the first approval, so a quick press waits for it.
  const service = data.approval ? await app.approvalService() : undefined;
  const approval = app.approvals.get().find(({ id }) => id === data.approval);
  if (service && approval && (data.action === 'allow-once' || data.action === 'deny'))
    await service.decide(approval, data.action);
  else if (data.approval && !approval) toast('This command is not waiting for approval any more', 'bad');
  else if (typeof data.session === 'string' && data.session) app.openSession(data.session);
}

/** Drafts and queued messages survive the reload, but selected files do not, so it waits until there are none. */
function followVersion(app: App): void {
  const first = { version: app.hello.get()?.server.version };
  app.hello.subscribe(() => {
    const { version } = app.hello.get()?.server ?? {};
    first.version ??= version;
    if (version === first.version) return;
    if (document.querySelector('claw-composer')?.files.length) toast('The gateway was updated. Reload the page.');
    else location.reload();
  });
}
