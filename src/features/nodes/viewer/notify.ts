/** `system.notify`: a notification of the browser. Phones want a service worker for it, which this page has not. */
import { NodeError } from './node-error.ts';
import { textOf } from './params.ts';
import type { Work } from './work.ts';

export const systemNotify: Work = async (given) => {
  const [title, body] = [textOf(given['title'], 200), textOf(given['body'], 2000)];
  if (!title && !body) throw new NodeError('INVALID_REQUEST', 'title or body required');
  if (Notification.permission !== 'granted')
    throw new NodeError('NOTIFICATIONS_DISABLED', 'the browser does not allow notifications for this page');
  try {
    const shown = new Notification(title || 'Clawdbot', {
      body,
      icon: 'icon.svg',
      silent: given['priority'] === 'passive',
    });
    shown.onclick = () => window.focus();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new NodeError('NOTIFICATIONS_UNAVAILABLE', 'browsers of phones show no notifications of this page');
  }
  return { ok: true };
};
