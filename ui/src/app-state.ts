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
  /** The last greeting; survives a lost connection. */
  readonly hello: Store<Hello | undefined>;
  readonly health: Store<GatewayHealth>;
  /** How the gateway's health went while this page was open. */
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

/** The key of the main conversation, which the gateway names in its greeting. */
export const mainKey = ({ hello }: AppState): string =>
  hello.get()?.snapshot.sessionDefaults?.mainSessionKey ?? 'agent:main:main';
