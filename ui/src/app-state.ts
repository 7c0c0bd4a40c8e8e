/** The state of the app, as stores that elements subscribe to. */
import type { Approval } from './approvals/approval-service.ts';
import type { ConnectionState } from './gateway/connection.ts';
import type { GatewayHealth } from './gateway/health.ts';
import { createStore, type Store } from './gateway/store.ts';
import type { Sample } from './gateway/trend.ts';
import type { Agent, Hello } from './gateway/wire.ts';
import { pageIds } from './page-table.ts';
import { parseRoute, type Route } from './routes.ts';

export interface AppState {
  readonly link: Store<ConnectionState>;
  /** The last `hello` of the gateway; kept when the connection is lost. */
  readonly hello: Store<Hello | undefined>;
  readonly health: Store<GatewayHealth>;
  /** The history of the gateway's health while this page was open. */
  readonly trend: Store<readonly Sample[]>;
  readonly route: Store<Route>;
  /** In configured order. */
  readonly agents: Store<readonly Agent[]>;
  /** Commands that need approval, oldest first. */
  readonly approvals: Store<readonly Approval[]>;
}

export const createAppState = (): AppState => ({
  link: createStore<ConnectionState>({ phase: 'connecting', attempt: 0 }),
  hello: createStore<Hello | undefined>(undefined),
  health: createStore<GatewayHealth>({}),
  trend: createStore<readonly Sample[]>([]),
  route: createStore<Route>(here()),
  agents: createStore<readonly Agent[]>([]),
  approvals: createStore<readonly Approval[]>([]),
});

/** The route of the address that the browser shows. */
export const here = (): Route => parseRoute(location.pathname, location.search, pageIds);

/** The key of the main conversation, from the `hello` of the gateway. */
export const mainKey = ({ hello }: AppState): string =>
  hello.get()?.snapshot.sessionDefaults?.mainSessionKey ?? 'agent:main:main';
