/** Keeps address, browser history and chat consistent about the current page and conversation. */
import type { App } from './app.ts';
import { here, mainKey, type AppState } from './app-state.ts';
import type { ChatController } from './chat/chat-controller.ts';
import type { SessionList } from './gateway/session-list.ts';
import { newSessionKey, splitKey } from './gateway/sessions.ts';
import { randomId } from './gateway/random-id.ts';
import { routeAddress } from './routes.ts';

/** Also follows the browser's back and forward buttons from now on. */
export function createNavigation(
  state: AppState,
  chat: ChatController,
  sessions: SessionList,
): Pick<App, 'go' | 'openSession' | 'newSession'> {
  const { route, hello } = state;
  /** Messages on screen are marked as read when the conversation is left, or shown again. */
  const markOnScreen = (): void => {
    const { current } = chat.store.get();
    if (route.get().page === 'chat' && current) sessions.markSeen(current);
  };
  const openSession = (key: string): void => {
    markOnScreen();
    const { base } = route.get();
    history.pushState(null, '', routeAddress(base, 'chat', key));
    route.set({ base, page: 'chat', session: key });
    sessions.markSeen(key);
    chat.open(key);
  };
  addEventListener('popstate', () => {
    markOnScreen();
    route.set(here());
    const session = route.get().session ?? mainKey(state);
    if (session !== chat.store.get().current) chat.open(session);
    markOnScreen();
  });
  document.addEventListener('visibilitychange', markOnScreen);
  return {
    openSession,
    go: (page, item) => {
      markOnScreen();
      const { base, session } = route.get();
      history.pushState(null, '', routeAddress(base, page, page === 'chat' ? session : item));
      route.set({ base, page, session });
      markOnScreen();
    },
    newSession: () => {
      const agentId =
        splitKey(chat.store.get().current).agentId || hello.get()?.snapshot.sessionDefaults?.defaultAgentId || 'main';
      const key = newSessionKey(agentId, randomId());
      sessions.addDraft(key);
      openSession(key);
    },
  };
}
