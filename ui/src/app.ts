/** Creates the app: connection, conversations, navigation and theme. */
import type { ApprovalService } from './approvals/approval-service.ts';
import { ChatController } from './chat/chat-controller.ts';
import { createTabStorage } from './chat/tab-storage.ts';
import { Connection, type Socket } from './gateway/connection.ts';
import { createCredentials, takeTokenFromFragment, type Credentials } from './gateway/credentials.ts';
import { loadDeviceIdentity } from './gateway/device-identity.ts';
import { SessionList } from './gateway/session-list.ts';
import type { Ask, EventFrame, Hello } from './gateway/wire.ts';
import type { ProcessFeed } from './processes/process-feed.ts';
import { randomId } from './gateway/random-id.ts';
import type { Page } from './routes.ts';
import { greeted, receive, refreshHealth, resume } from './app-follow.ts';
import { createNavigation } from './app-navigation.ts';
import { createAppState, type AppState } from './app-state.ts';

export interface App extends AppState {
  readonly connection: Connection;
  readonly credentials: Credentials;
  readonly sessions: SessionList;
  readonly chat: ChatController;
  readonly gatewayUrl: string;
  /** Shows and answers approvals; loaded when the first one arrives. */
  approvalService(): Promise<ApprovalService>;
  /** The background processes; loaded on demand. */
  processes(): Promise<ProcessFeed>;
  readonly request: Ask;
  offers(method: string): boolean;
  /**
   * Calls a method of a feature that may not be installed; undefined without it. `T`: the part of its answer that is
   * used.
   */
  requestOffered<T>(method: string, params?: object): Promise<T | undefined>;
  refreshHealth(): Promise<void>;
  /** `item`: what the page shows, e.g. a session. */
  go(page: Page, item?: string): void;
  openSession(key: string): void;
  newSession(): void;
  /** Runs `action` now if connected, and after every reconnect. Returns the function that unsubscribes. */
  whenConnected(action: () => void): () => void;
  /** Subscribes to events of the gateway. */
  on(listener: (event: EventFrame) => void): () => void;
}

/** `gatewayUrl`: where to connect; the page's own gateway, or another one the person has agreed to. */
export function createApp(gatewayUrl: string): App {
  const state = createAppState();
  const listeners = new Set<(event: EventFrame) => void>();
  const arrivals = new Set<(hello: Hello) => void>();
  const gaps = new Set<() => void>();
  const credentials = createCredentials(gatewayUrl, { tab: sessionStorage, lasting: localStorage });
  takeToken(credentials);

  const connection = new Connection({
    url: gatewayUrl,
    credentials,
    identity: memo(loadDeviceIdentity),
    openSocket: (url) => new WebSocket(url) as Socket,
    onState: (link) => {
      state.link.set(link);
      if (link.phase === 'connected') for (const action of arrivals) action(link.hello);
    },
    onEvent: (event) => {
      for (const listener of listeners) listener(event);
    },
    onGap: () => {
      for (const action of gaps) action();
    },
  });
  addEventListener('online', () => connection.nudge());
  document.addEventListener('visibilitychange', () => !document.hidden && connection.nudge());

  const connected = (): boolean => connection.state.phase === 'connected';
  const request: Ask = (method, ...args) => connection.request(method, ...args);
  const sessions = new SessionList({ request, connected, storage: localStorage, now: Date.now });
  const chat = new ChatController(
    {
      request,
      connected,
      // The system may end an app on a phone at any time, so its storage must outlast the tab.
      keep: createTabStorage(
        matchMedia('(display-mode: standalone)').matches ? localStorage : sessionStorage,
        gatewayUrl,
      ),
      newId: randomId,
      now: Date.now,
      onRun: (key, running) => sessions.markRunning(key, running),
      onFirstWords: (key, words) => sessions.noteFirstWords(key, words),
    },
    state.route.get().session ?? '',
  );
  const app: App = {
    ...state,
    ...createNavigation(state, chat, sessions),
    connection,
    credentials,
    sessions,
    chat,
    gatewayUrl,
    request,
    offers: (method) => state.hello.get()?.features.methods.includes(method) ?? false,
    requestOffered: async (method, params) => (app.offers(method) ? connection.request(method, params) : undefined),
    refreshHealth: () => refreshHealth(app),
    approvalService: memo(async () => new (await import('./approvals/approval-service.ts')).ApprovalService(app)),
    processes: memo(async () => new (await import('./processes/process-feed.ts')).ProcessFeed(app)),
    whenConnected: (action) => {
      arrivals.add(action);
      if (connected()) action();
      return () => arrivals.delete(action);
    },
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  arrivals.add((hello) => greeted(app, hello));
  listeners.add((event) => receive(app, event));
  gaps.add(() => resume(app));
  return app;
}

/** The token is removed from the address immediately, so that it appears in no history, bookmark or screenshot. */
function takeToken(credentials: Credentials): void {
  const { token, rest } = takeTokenFromFragment(location.hash);
  if (!token) return;
  credentials.setSharedToken(token);
  history.replaceState(null, '', `${location.pathname}${location.search}${rest}`);
}

function memo<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}
