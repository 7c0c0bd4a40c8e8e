/** The number on the app's icon: commands that need approval, and conversations with something new. */
import type { App } from '../app.ts';
import { isUnread } from '../gateway/sessions.ts';

export function followBadge(app: App): void {
  if (!('setAppBadge' in navigator)) return;
  const shown = { count: -1 };
  const show = (): void => {
    const state = app.sessions.store.get();
    const open = onScreen(app);
    const unread = state.rows.filter((row) => row.key !== open && isUnread(state, row));
    const count = app.approvals.get().length + unread.length;
    if (count === shown.count) return;
    shown.count = count;
    // A browser may have the API without allowing it on every page.
    void navigator.setAppBadge(count).catch((cause: unknown) => console.info('No badge.', cause));
  };
  app.approvals.subscribe(show);
  app.sessions.store.subscribe(show);
  document.addEventListener('visibilitychange', show);
  app.route.subscribe(show);
  show();
}

const onScreen = (app: App): string =>
  !document.hidden && app.route.get().page === 'chat' ? app.chat.store.get().current : '';
