/** `system.notify`: a browser notification, sent by the service worker because phones require that. */
import { NodeError } from './node-error.ts';
import { textOf } from './params.ts';
import type { Work } from './work.ts';

export const systemNotify: Work = async (params) => {
  const [title, body] = [textOf(params['title'], 200), textOf(params['body'], 2000)];
  if (!title && !body) throw new NodeError('INVALID_REQUEST', 'title or body required');
  const about = { body, icon: 'icon.svg', silent: params['priority'] === 'passive' };
  const registration = await navigator.serviceWorker?.getRegistration();
  try {
    // Phones only show notifications of a service worker; without one, the page shows them itself.
    if (registration?.active)
      await registration.showNotification(title || 'Clawdbot', {
        ...about,
        requireInteraction: params['priority'] === 'timeSensitive',
      });
    else new Notification(title || 'Clawdbot', about).onclick = () => window.focus();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new NodeError('NOTIFICATIONS_DISABLED', 'the browser does not allow notifications for this page');
  }
  return { ok: true };
};
