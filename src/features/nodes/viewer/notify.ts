/** `system.notify`: a notification of the browser, through the service worker, as phones require. */
import { NodeError } from './node-error.ts';
import { textOf } from './params.ts';
import type { Work } from './work.ts';

export const systemNotify: Work = async (given) => {
  const [title, body] = [textOf(given['title'], 200), textOf(given['body'], 2000)];
  if (!title && !body) throw new NodeError('INVALID_REQUEST', 'title or body required');
  const registration = await navigator.serviceWorker.ready;
  try {
    await registration.showNotification(title || 'Clawdbot', {
      body,
      icon: 'icon.svg',
      silent: given['priority'] === 'passive',
      requireInteraction: given['priority'] === 'timeSensitive',
    });
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new NodeError('NOTIFICATIONS_DISABLED', 'the browser does not allow notifications for this page');
  }
  return { ok: true };
};
