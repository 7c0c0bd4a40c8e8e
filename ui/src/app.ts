/** Everything the page is made of, joined: the connection, the conversations, the address, the theme. */
import type { Approval, ApprovalService } from './approvals/approval-service.ts';
import { ChatController } from './chat/chat-controller.ts';
import { createKeep } from './chat/keep.ts';
import { Connection, type ConnectionState, type Socket } from './gateway/connection.ts';
import { createCredentials, takeTokenFromFragment, type Credentials } from './gateway/credentials.ts';
import { loadDeviceIdentity } from './gateway/device-identity.ts';
import { readHealth, type GatewayHealth } from './gateway/health.ts';
import { isDisconnected } from './gateway/requests.ts';
import { SessionList } from './gateway/session-list.ts';
import { newSessionKey, splitKey } from './gateway/sessions.ts';
import { createStore, type Store } from './gateway/store.ts';
import { withSample, type Sample } from './gateway/trend.ts';
import type { AgentEvent, Ask, ChatEvent, EventFrame, Hello, SessionsChangedEvent } from './gateway/wire.ts';
import type { ProcessFeed } from './processes/process-feed.ts';
import { pageTable } from './page-table.ts';
import { parseRoute, routeAddress, type Page, type Route } from './routes.ts';

export interface App {
  readonly connection: Connection;
  readonly credentials: Credentials;
  readonly link: Store<ConnectionState>;
  /** The last greeting; survives a lost connection. */
  readonly hello: Store<Hello | undefined>;
  readonly health: Store<GatewayHealth>;
  /** How the gateway's health went while this page was open. */
  readonly trend: Store<readonly Sample[]>;
  readonly route: Store<Route>;
  readonly sessions: SessionList;
  readonly chat: ChatController;
  readonly gatewayUrl: string;
  /** Commands that wait for a person's word, oldest first. */
  readonly approvals: Store<readonly Approval[]>;
  /** Shows and answers them; fetched when the first one comes. */
  approvalService(): Promise<ApprovalService>;
  /** What runs in the background; fetched when somebody looks. */
  processes(): Promise<ProcessFeed>;
  readonly request: Ask;
  offers(method: string): boolean;
  refreshHealth(): Promise<void>;
  /** `item`: what of the page is meant. */
  go(page: Page, item?: string): void;
  openSession(key: string): void;
  newSession(): void;
  /** Runs `action` now if connected, and after every reconnect. Returns what ends that. */
  whenConnected(action: () => void): () => void;
  /** Listens to events the pages care for. */
  on(listener: (event: EventFrame) => void): () => void;
}

/** `gatewayUrl`: where to connect; the page's own gateway, or another one the person has agreed to. */
export function createApp(gatewayUrl: string): App {
  const link = createStore<ConnectionState>({ phase: 'connecting', attempt: 0 });
  const hello = createStore<Hello | undefined>(undefined);
  const health = createStore<GatewayHealth>({});
  const trend = createStore<readonly Sample[]>([]);
  const approvals = createStore<readonly Approval[]>([]);
  const route = createStore<Route>(here());
  const listeners = new Set<(event: EventFrame) => void>();
  const arrivals = new Set<() => void>();
  const credentials = createCredentials(gatewayUrl, { tab: sessionStorage, lasting: localStorage });
  takeToken(credentials);

  const connected = (): boolean => connection.state.phase === 'connected';
  const request: Ask = (method, params, options) => connection.request(method, params, options);
  const sessions = new SessionList({ request, connected, storage: localStorage, now: Date.now });
  const chat = new ChatController(
    {
      request,
      connected,
      keep: createKeep(sessionStorage, gatewayUrl),
      newId: randomId,
      now: Date.now,
      onRun: (key, running) => sessions.markRunning(key, running),
      onFirstWords: (key, words) => sessions.noteFirstWords(key, words),
    },
    route.get().session ?? '',
  );
  const connection = new Connection({
    url: gatewayUrl,
    credentials,
    identity: memo(loadDeviceIdentity),
    openSocket: (url) => new WebSocket(url) as Socket,
    onState: (state) => {
      link.set(state);
      if (state.phase === 'connected') greeted(state.hello);
    },
    onEvent: (event) => receive(event),
    onGap: () => resume(),
  });

  const mainKey = (): string => hello.get()?.snapshot.sessionDefaults?.mainSessionKey ?? 'agent:main:main';
  const offers = (method: string): boolean => hello.get()?.features.methods.includes(method) ?? false;
  const openSession = (key: string): void => {
    const { base } = route.get();
    history.pushState(null, '', routeAddress(base, 'chat', key));
    route.set({ base, page: 'chat', session: key });
    sessions.markSeen(key);
    chat.open(key);
  };
  const refreshHealth = async (): Promise<void> => {
    try {
      const [status, report] = await Promise.all([request('status'), request('health')]);
      health.set(readHealth(report, status));
      trend.update((samples) => withSample(samples, health.get(), Date.now()));
    } catch (cause) {
      if (!isDisconnected(cause)) throw cause;
    }
  };
  const waiting = async (): Promise<void> => {
    if (!offers('exec.approval.list')) return;
    try {
      const list = await request('exec.approval.list');
      if (list.length + approvals.get().length > 0) (await app.approvalService()).reset(list);
    } catch (cause) {
      // Without the right to answer them nobody has to be told of them.
      console.info('No approvals.', cause);
    }
  };
  const resume = (): void => {
    chat.resume();
    void sessions.refresh();
    void refreshHealth();
    void waiting();
  };
  const greeted = (greeting: Hello): void => {
    hello.set(greeting);
    health.set({ ...readHealth(greeting.snapshot.health), ...health.get() });
    if (!chat.store.get().current) chat.adopt(mainKey());
    if (offers('sessions.subscribe'))
      void request('sessions.subscribe').catch((cause: unknown) => console.info('No session events.', cause));
    sessions.addDraft(chat.store.get().current);
    sessions.markSeen(chat.store.get().current);
    resume();
    for (const action of arrivals) action();
  };
  const receive = (event: EventFrame): void => {
    if (event.event === 'chat') chat.onChat(event.payload as ChatEvent);
    else if (event.event === 'agent') chat.onAgent(event.payload as AgentEvent);
    else if (event.event === 'health') health.set({ ...health.get(), ...readHealth(event.payload) });
    else if (event.event === 'sessions.changed') {
      const { sessionKey, reason } = event.payload as SessionsChangedEvent;
      if (reason === 'delete') sessions.forget(sessionKey);
      sessions.refreshSoon();
    } else if (event.event.startsWith('exec.approval.'))
      void app.approvalService().then((approvalService) => approvalService.hear(event));
    for (const listener of listeners) listener(event);
  };

  addEventListener('popstate', () => {
    route.set(here());
    const session = route.get().session ?? mainKey();
    if (session !== chat.store.get().current) chat.open(session);
  });
  addEventListener('online', () => connection.nudge());
  document.addEventListener('visibilitychange', () => !document.hidden && connection.nudge());

  const app: App = {
    connection,
    credentials,
    link,
    hello,
    health,
    trend,
    route,
    sessions,
    chat,
    gatewayUrl,
    request,
    offers,
    refreshHealth,
    openSession,
    approvals,
    approvalService: memo(async () => new (await import('./approvals/approval-service.ts')).ApprovalService(app)),
    processes: memo(async () => new (await import('./processes/process-feed.ts')).ProcessFeed(app)),
    go: (page, item) => {
      const { base, session } = route.get();
      history.pushState(null, '', routeAddress(base, page, page === 'chat' ? session : item));
      route.set({ base, page, session });
    },
    newSession: () => {
      const agentId =
        splitKey(chat.store.get().current).agentId || hello.get()?.snapshot.sessionDefaults?.defaultAgentId || 'main';
      const key = newSessionKey(agentId, randomId());
      sessions.addDraft(key);
      openSession(key);
    },
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
  return app;
}

const here = (): Route =>
  parseRoute(
    location.pathname,
    location.search,
    pageTable.map(({ id }) => id),
  );

/** `crypto.randomUUID` exists on secure origins only; the page also works over plain HTTP in a home network. */
export const randomId = (): string =>
  typeof crypto.randomUUID === 'function'
    ? crypto.randomUUID()
    : Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The token leaves the address at once: not in the history, not in a bookmark, not in a screenshot. */
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
