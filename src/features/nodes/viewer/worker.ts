/** The service worker of the page: receives shared items, brings the page to the front, and serves it offline. */
import { openNodeStorage } from './node-storage.ts';

/** The parts of a service worker used here; the types of pages do not have them. */
interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface NotificationEvent extends Event {
  readonly notification: Notification;
  waitUntil(done: Promise<unknown>): void;
}
interface Clients {
  matchAll(filter: { readonly type: 'window' }): Promise<readonly { focus(): Promise<unknown> }[]>;
  openWindow(url: string): Promise<unknown>;
  claim(): Promise<void>;
}
interface Worker extends EventTarget {
  readonly clients: Clients;
  readonly registration: { readonly scope: string };
  skipWaiting(): Promise<void>;
}

const worker = globalThis as unknown as Worker;
const MAX_SHARED = 10;
const MAX_TEXT = 20_000;
/** Only the page itself is cached, so that it can open and explain the problem while the gateway is not reachable. */
const SHELL = 'clawdbot-node-shell';
const FILES = ['./', 'viewer.js', 'viewer.css', 'icon.svg'];

worker.addEventListener('install', (event) =>
  (event as NotificationEvent).waitUntil(
    caches
      .open(SHELL)
      .then((shell) => shell.addAll(FILES))
      .then(() => worker.skipWaiting()),
  ),
);
worker.addEventListener('activate', (event) => (event as NotificationEvent).waitUntil(worker.clients.claim()));

worker.addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent;
  const isShare = request.method === 'POST' && request.url === `${worker.registration.scope}share`;
  if (isShare) return (event as FetchEvent).respondWith(takeShared(request));
  const files = FILES.map((name) => new URL(name, worker.registration.scope).href);
  if (request.method === 'GET' && files.includes(request.url.split('#')[0]!))
    (event as FetchEvent).respondWith(newest(request));
});

/** Loads it from the gateway and caches it; uses the cache if the gateway is not reachable. */
async function newest(request: Request): Promise<Response> {
  const shell = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await shell.put(request, answer.clone());
    return answer;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    return (await shell.match(request)) ?? Response.error();
  }
}

/** Stored until the person sends it, because any page can post a form here. */
async function takeShared(request: Request): Promise<Response> {
  const form = await request.formData();
  const parts = ['title', 'text', 'url'].map((name) => form.get(name)).filter((part) => typeof part === 'string');
  const text = [...new Set(parts.map((part) => part.trim()).filter(Boolean))].join('\n').slice(0, MAX_TEXT);
  const keeping = await openNodeStorage();
  const before = (await keeping.read('shared')) ?? [];
  if (text) await keeping.write('shared', [...before, { id: crypto.randomUUID(), text }].slice(-MAX_SHARED));
  return Response.redirect(worker.registration.scope, 303);
}

worker.addEventListener('notificationclick', (event) => {
  const { notification, waitUntil } = event as NotificationEvent;
  notification.close();
  waitUntil.call(event, toTheFront());
});

async function toTheFront(): Promise<void> {
  const [open] = await worker.clients.matchAll({ type: 'window' });
  await (open ? open.focus() : worker.clients.openWindow(worker.registration.scope));
}
