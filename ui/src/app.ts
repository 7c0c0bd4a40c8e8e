/** Everything the page is made of, joined: the connection, the conversations, the address, the theme. */
import type { Approval, ApprovalDesk } from './approvals/desk.ts';
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
  desk(): Promise<ApprovalDesk>;
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
      if (state.phase !== 'connected') return;
      greeted(app, state.hello);
      for (const action of arrivals) action();
    },
    onEvent: (event) => {
      receive(app, event);
      for (const listener of listeners) listener(event);
    },
    onGap: () => resume(app),
  });

  const app: App = {
    connection,
    credentials,
    link,
    hello: createStore<Hello | undefined>(undefined),
    health: createStore<GatewayHealth>({}),
    trend: createStore<readonly Sample[]>([]),
    route,
    sessions,
    chat,
    gatewayUrl,
    request,
    offers: (method) => app.hello.get()?.features.methods.includes(method) ?? false,
    refreshHealth: () => refreshHealth(app),
    openSession: (key) => openSession(app, key),
    approvals: createStore<readonly Approval[]>([]),
    desk: memo(async () => new (await import('./approvals/desk.ts')).ApprovalDesk(app)),
    processes: memo(async () => new (await import('./processes/process-feed.ts')).ProcessFeed(app)),
    go: (page, item) => goTo(app, page, item),
    newSession: () => newSession(app),
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
  followBrowser(app);
  return app;
}

const mainKey = ({ hello }: App): string => hello.get()?.snapshot.sessionDefaults?.mainSessionKey ?? 'agent:main:main';

function openSession({ route, sessions, chat }: App, key: string): void {
  const { base } = route.get();
  history.pushState(null, '', routeAddress(base, 'chat', key));
  route.set({ base, page: 'chat', session: key });
  sessions.markSeen(key);
  chat.open(key);
}

function newSession(app: App): void {
  const agentId =
    splitKey(app.chat.store.get().current).agentId ||
    app.hello.get()?.snapshot.sessionDefaults?.defaultAgentId ||
    'main';
  const key = newSessionKey(agentId, randomId());
  app.sessions.addDraft(key);
  app.openSession(key);
}

function goTo({ route }: App, page: Page, item?: string): void {
  const { base, session } = route.get();
  history.pushState(null, '', routeAddress(base, page, page === 'chat' ? session : item));
  route.set({ base, page, session });
}

async function refreshHealth({ request, health, trend }: App): Promise<void> {
  try {
    const [status, report] = await Promise.all([request('status'), request('health')]);
    health.set(readHealth(report, status));
    trend.update((samples) => withSample(samples, health.get(), Date.now()));
  } catch (cause) {
    if (!isDisconnected(cause)) throw cause;
  }
}

/** Commands that wait for a person's word since before this page was open. */
async function waitingApprovals(app: App): Promise<void> {
  if (!app.offers('exec.approval.list')) return;
  try {
    const list = await app.request('exec.approval.list');
    if (list.length + app.approvals.get().length > 0) (await app.desk()).reset(list);
  } catch (cause) {
    // Without the right to answer them nobody has to be told of them.
    console.info('No approvals.', cause);
  }
}

/** After a greeting and after events were missed: everything that is shown is fetched anew. */
function resume(app: App): void {
  app.chat.resume();
  void app.sessions.refresh();
  void app.refreshHealth();
  void waitingApprovals(app);
}

function greeted(app: App, greeting: Hello): void {
  const { chat, health, hello, sessions } = app;
  hello.set(greeting);
  health.set({ ...readHealth(greeting.snapshot.health), ...health.get() });
  if (!chat.store.get().current) chat.adopt(mainKey(app));
  if (app.offers('sessions.subscribe'))
    void app.request('sessions.subscribe').catch((cause: unknown) => console.info('No session events.', cause));
  sessions.addDraft(chat.store.get().current);
  sessions.markSeen(chat.store.get().current);
  resume(app);
}

/** What an event means to the parts that every page has. */
function receive(app: App, frame: EventFrame): void {
  const { event, payload } = frame;
  const { chat, health, sessions } = app;
  if (event === 'chat') chat.onChat(payload as ChatEvent);
  else if (event === 'agent') chat.onAgent(payload as AgentEvent);
  else if (event === 'health') health.set({ ...health.get(), ...readHealth(payload) });
  else if (event === 'sessions.changed') {
    const { sessionKey, reason } = payload as SessionsChangedEvent;
    if (reason === 'delete') sessions.forget(sessionKey);
    sessions.refreshSoon();
  } else if (event.startsWith('exec.approval.')) void app.desk().then((desk) => desk.hear(frame));
}

/** The address, the network and whether somebody looks: what the browser tells. */
function followBrowser(app: App): void {
  const { connection, route, chat } = app;
  addEventListener('popstate', () => {
    route.set(here());
    const session = route.get().session ?? mainKey(app);
    if (session !== chat.store.get().current) chat.open(session);
  });
  addEventListener('online', () => connection.nudge());
  document.addEventListener('visibilitychange', () => !document.hidden && connection.nudge());
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
