/**
 * Makes the page an app: the service worker that keeps its shell, notifications and their buttons, the badge, what
 * other apps share, and a reload when the gateway is another version. Fetched once the page stands.
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
    // Turned off by the person, or by what the browser is told by others: the page works without.
    console.info('No service worker.', cause);
  }
}

const isOwnGateway = ({ gatewayUrl }: App): boolean => new URL(gatewayUrl).host === location.host;

/** What came before the worker was in charge. */
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

/** A press on a notification. Only what a person could press on this page is done. */
async function onMessage(app: App, data: Press | undefined): Promise<void> {
  if (data?.type !== 'notification') return;
  // The first approval of a page loads the service that keeps them: a quick press waits for it.
  const service = data.approval ? await app.approvalService() : undefined;
  const approval = app.approvals.get().find(({ id }) => id === data.approval);
  if (service && approval && (data.action === 'allow-once' || data.action === 'deny'))
    await service.decide(approval, data.action);
  else if (data.approval && !approval) toast('This command is not waiting for approval any more', 'bad');
  else if (typeof data.session === 'string' && data.session) app.openSession(data.session);
}

/** Drafts and queued messages outlast the reload; files that were only chosen do not, so it waits for them. */
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
