/** Joins the parts that running features provide; a name that two features provide is an error that names both. */
import { AppError } from '../core/errors.ts';
import type { Requirement } from '../core/principal.ts';
import type { ClientWatch } from './clients.ts';
import type { Feature, FeatureParts } from './feature.ts';
import type { HttpMethods, HttpRoutes, HttpSurface, OpenUpgrade, Upgrade } from './http/surface.ts';
import type { MethodCall, MethodSpec } from './method.ts';
import type { FeaturePage } from './plugin-page.ts';

/** A feature that was created, with what it gave. */
export interface RunningFeature {
  readonly feature: Omit<Feature, 'create'>;
  readonly parts: FeatureParts;
}

/** A gateway method of a feature, its rights and its work as one. */
export interface RunningMethod extends MethodSpec {
  run(params: unknown, call: MethodCall): unknown;
}

/** What the gateway serves of all features. */
export interface FeatureSurface {
  readonly methods: Readonly<Record<string, RunningMethod>>;
  readonly events: Readonly<Record<string, Requirement>>;
  http(surface: HttpSurface): JoinedRoutes;
  /** Those of the Control UI that are served as they lie. */
  readonly pages: readonly FeaturePage[];
  /** Followers of connections. */
  readonly clients: readonly ClientWatch[];
  status(): Readonly<Record<string, unknown>>;
  health(): Readonly<Record<string, unknown>>;
  /** Calls the listener with every event a feature publishes. Returns the function that ends this. */
  subscribe(listener: (event: string, payload: unknown) => void): () => void;
}

/** The HTTP of all features as one. */
export interface JoinedRoutes extends Required<Omit<HttpRoutes, 'find' | 'findUpgrade' | 'frames' | 'close'>> {
  find(path: string): HttpMethods | undefined;
  findUpgrade(path: string): OpenUpgrade | undefined;
  frames(): readonly string[];
  close(): Promise<void>;
}

/**
 * `subscribe`: where the events of features come from. Throws `AppError('conflict')` for a name that is taken twice.
 */
export function joinFeatures(
  running: readonly RunningFeature[],
  subscribe: FeatureSurface['subscribe'] = () => () => undefined,
): FeatureSurface {
  const merged = (pick: (parts: FeatureParts) => Readonly<Record<string, unknown>> | undefined) =>
    Object.assign({}, ...running.map(({ parts }) => pick(parts))) as Readonly<Record<string, unknown>>;
  return {
    methods: distinct(
      'method',
      running.map((one) => [one.feature.id, methodsOf(one)]),
    ),
    events: distinct(
      'event',
      running.map(({ feature }) => [feature.id, feature.events ?? {}]),
    ),
    http: (surface) =>
      joinRoutes(
        running.flatMap(({ feature, parts }) => {
          const routes = parts.http?.(surface);
          // A third party's feature puts no script between later pages and the gateway.
          return routes
            ? [[feature.id, feature.from === undefined ? routes : { ...routes, workers: [] }] as const]
            : [];
        }),
      ),
    pages: running.flatMap(({ feature }) => feature.page ?? []),
    clients: running.flatMap(({ parts }) => parts.clients ?? []),
    status: () => merged((parts) => parts.status?.()),
    health: () => merged((parts) => parts.health?.()),
    subscribe,
  };
}

function methodsOf({ feature, parts }: RunningFeature): Readonly<Record<string, RunningMethod>> {
  return Object.fromEntries(
    Object.entries(feature.methods ?? {}).map(([name, spec]) => {
      const work = parts.methods?.[name];
      if (!work)
        throw new AppError(
          'invalid',
          `The feature ${feature.id} declares the method ${name} but has no handler for it.`,
        );
      return [name, { ...spec, run: (params, call) => work(params as never, call) } satisfies RunningMethod];
    }),
  );
}

function joinRoutes(routes: readonly (readonly [string, HttpRoutes])[]): JoinedRoutes {
  const of = <T>(what: string, pick: (one: HttpRoutes) => Readonly<Record<string, T>> | undefined) =>
    distinct(
      what,
      routes.map(([id, one]) => [id, pick(one) ?? {}]),
    );
  return {
    at: of<HttpMethods>('path', ({ at }) => at),
    under: of<HttpMethods>('prefix', ({ under }) => under),
    workers: routes.flatMap(([, { workers = [] }]) => workers),
    upgrades: of<Upgrade>('upgrade', ({ upgrades }) => upgrades),
    find: (path) => firstOf(routes, (one) => one.find?.(path)),
    findUpgrade: (path) => firstOf(routes, (one) => one.findUpgrade?.(path)),
    frames: () => routes.flatMap(([, one]) => one.frames?.() ?? []),
    close: async () => void (await Promise.all(routes.map(([, one]) => one.close?.()))),
  };
}

function firstOf<T>(
  routes: readonly (readonly [string, HttpRoutes])[],
  pick: (one: HttpRoutes) => T | undefined,
): T | undefined {
  for (const [, one] of routes) {
    const found = pick(one);
    if (found) return found;
  }
  return undefined;
}

/** All entries of all tables; a key in two of them throws. */
function distinct<T>(
  what: string,
  tables: readonly (readonly [string, Readonly<Record<string, T>>])[],
): Record<string, T> {
  const owners = new Map<string, string>();
  for (const [id, table] of tables)
    for (const key of Object.keys(table)) {
      const owner = owners.get(key);
      if (owner !== undefined)
        throw new AppError(
          'conflict',
          `The features ${owner} and ${id} both define the ${what} ${key}. Remove one of them.`,
        );
      owners.set(key, id);
    }
  return Object.assign({}, ...tables.map(([, table]) => table)) as Record<string, T>;
}
