/** Puts content that another app shared into the composer; the person sends it or discards it. */
import type { App } from '../app.ts';
import type { Composer } from '../chat/composer.ts';
import { toast } from '../elements/toast.ts';

const STORE = 'clawdbot-shared';
const MAX_CHARS = 20_000;
const MAX_FILES = 10;
const MAX_TRIES = 600;

/** `?shared=1`: the service worker stored shared content and redirected here. */
export async function takeShared(app: App): Promise<void> {
  const address = new URL(location.href);
  if (!address.searchParams.has('shared')) return;
  address.searchParams.delete('shared');
  history.replaceState(null, '', address);
  const cache = await caches.open(STORE);
  const place = new URL('shared', document.baseURI).href;
  const form = await (await cache.match(place))?.formData();
  await caches.delete(STORE);
  if (!form) return;
  app.newSession();
  const composer = await composerOf(app.chat.store.get().current);
  if (!composer) return;
  const words = ['title', 'text', 'url'].map((name) => form.get(name)).filter((one) => typeof one === 'string');
  const text = [...new Set(words.map((one) => one.trim()).filter(Boolean))].join('\n').slice(0, MAX_CHARS);
  if (text) composer.put(text, []);
  const files = form.getAll('files').filter((one) => one instanceof File && one.size > 0) as File[];
  if (files.length > 0) await composer.addFiles(files.slice(0, MAX_FILES));
  toast('Shared with Clawdbot. Nothing is sent until you send it.');
}

/** Waits until the composer shows this conversation, because its draft would replace text that is put in earlier. */
async function composerOf(session: string): Promise<Composer | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const composer = document.querySelector('claw-composer');
    if (composer?.conversation === session) {
      await composer.updateComplete;
      return composer;
    }
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return undefined;
}
