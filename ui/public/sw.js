// Keeps the shell of the Control UI for when the gateway cannot be reached, takes what other apps share, and hears
// presses on notifications. Answers of the gateway, pictures, documents and tokens are never stored: only the page
// itself, its own built files and icons are, and all of them are public.

const SHELL = 'clawdbot-shell';
const SHARED = 'clawdbot-shared';
const scope = new URL(self.registration.scope);

// A page of the UI is one plain word below the scope: `/`, `/agents`. Whatever else the gateway serves is not ours.
const PAGE = /^(?:[a-z][a-z0-9-]{0,63}\/?)?$/;
const BUILT = /^assets\/[A-Za-z0-9_.-]+[-.][A-Za-z0-9_-]{8,64}\.(?:js|css)$/;
const PUBLIC = new Set(['theme.js', 'favicon.svg', 'icon-192.png', 'icon-512.png', 'manifest.webmanifest']);
// In every page the gateway makes of the UI, and in nothing else it serves.
const MARK = '<meta name="clawdbot-base-path"';
// After this a connection that hangs counts as none.
const PATIENCE_MS = 6000;
const MAX_KEPT = 200;

self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const path = pathOf(request.url);
  if (path === undefined) return;
  if (request.method === 'POST' && path === 'share-target' && request.mode === 'navigate')
    return event.respondWith(share(request));
  if (request.method !== 'GET' || request.headers.has('authorization') || request.headers.has('range')) return;
  if (request.mode === 'navigate') {
    if (request.destination === 'document' && PAGE.test(path)) event.respondWith(page(request));
  } else if (request.url.includes('?')) return;
  else if (BUILT.test(path)) event.respondWith(built(request));
  else if (PUBLIC.has(path)) event.respondWith(fresh(request));
});

/** Relative to the scope; undefined: it lies elsewhere. */
function pathOf(address) {
  const url = new URL(address);
  return url.origin === scope.origin && url.pathname.startsWith(scope.pathname)
    ? url.pathname.slice(scope.pathname.length)
    : undefined;
}

/** From the gateway, so that another version counts at once; the one that was kept only where there is no gateway. */
async function page(request) {
  let response;
  try {
    response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    response = undefined;
  }
  if (response?.ok) await keepShell(response.clone());
  // A proxy answers for a gateway that is away.
  if (response && (response.status < 502 || response.status > 504)) return response;
  const shell = await (await caches.open(SHELL)).match(scope.href);
  return shell ?? response ?? Response.error();
}

/** Another page is another version: its files replace the old ones. */
async function keepShell(response) {
  if (response.redirected || !/^text\/html\b/.test(response.headers.get('content-type') ?? '')) return;
  const copy = response.clone();
  const text = await response.text();
  if (!text.includes(MARK)) return;
  const before = await (await (await caches.open(SHELL)).match(scope.href))?.text();
  if (before === text) return;
  if (before !== undefined) await caches.delete(SHELL);
  await (await caches.open(SHELL)).put(scope.href, copy);
}

/** The name of a built file changes with its content. */
async function built(request) {
  const cache = await caches.open(SHELL);
  const known = await cache.match(request);
  if (known) return known;
  const response = await fetch(request);
  await keep(cache, request, response);
  return response;
}

async function fresh(request) {
  const cache = await caches.open(SHELL);
  try {
    const response = await fetch(request);
    await keep(cache, request, response);
    return response;
  } catch (cause) {
    const known = await cache.match(request);
    if (known) return known;
    throw cause;
  }
}

async function keep(cache, request, response) {
  if (response.status !== 200 || response.type !== 'basic' || response.redirected) return;
  if (/\bno-store\b/.test(response.headers.get('cache-control') ?? '')) return;
  if ((await cache.keys()).length < MAX_KEPT) await cache.put(request, response.clone());
}

/** Never leaves this browser: the page takes it up, and a person sends it or not. */
async function share(request) {
  const cache = await caches.open(SHARED);
  await cache.put(new URL('shared', scope).href, new Response(await request.formData()));
  return Response.redirect(new URL('./?shared=1', scope).href, 303);
}

self.addEventListener('message', (event) => {
  if (event.origin !== scope.origin || event.data?.type !== 'keep' || !Array.isArray(event.data.urls)) return;
  event.waitUntil(keepLoaded(event.data.urls.slice(0, MAX_KEPT)));
});

/** What the first page loaded before this was in charge. */
async function keepLoaded(urls) {
  await page(new Request(scope.href)).catch(() => undefined);
  for (const url of urls) {
    const path = typeof url === 'string' && !url.includes('?') ? pathOf(url) : undefined;
    if (path === undefined) continue;
    if (BUILT.test(path)) await built(new Request(url)).catch(() => undefined);
    else if (PUBLIC.has(path)) await fresh(new Request(url)).catch(() => undefined);
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(answer(event.notification.data ?? {}, event.action));
});

/** The page decides, over its own connection; here are no credentials. */
async function answer(data, action) {
  const windows = (await self.clients.matchAll({ type: 'window', includeUncontrolled: true })).filter(
    ({ url }) => pathOf(url) !== undefined,
  );
  const [window] = windows;
  const session = typeof data.session === 'string' ? data.session : '';
  if (!window) return self.clients.openWindow(`${scope.href}${session ? `?session=${encodeURIComponent(session)}` : ''}`);
  window.postMessage({ type: 'notification', action, session, approval: data.approval });
  if (action !== 'allow-once' && action !== 'deny') await window.focus();
}
