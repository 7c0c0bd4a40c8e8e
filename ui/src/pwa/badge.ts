/** The number on the app's icon: commands that need approval, and conversations with something new. */
import type { App } from '../app.ts';
import { isUnread } from '../gateway/sessions.ts';

export function followBadge(app: App): void {
  if (!('setAppBadge' in navigator)) return;
  const shown = { count: -1 };
  const show = (): void => {
    const state = app.sessions.store.get();
    const count = app.approvals.get().length + state.rows.filter((row) => isUnread(state, row)).length;
    if (count === shown.count) return;
    shown.count = count;
    // Not every browser that has it lets every page do it.
    void navigator.setAppBadge(count).catch((cause: unknown) => console.info('No badge.', cause));
  };
  app.approvals.subscribe(show);
  app.sessions.store.subscribe(show);
  show();
}
