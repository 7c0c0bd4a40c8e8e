/** The interface of a route of the control service, and the matching of paths. */
import { AppError } from '../../../core/errors.ts';
import type { HostConfig } from '../../../host/host.ts';
import type { BrowserCore } from '../browser-core.ts';
import type { Caller } from '../caller.ts';
import type { Tab } from '../driver/tab.ts';
import { text, timeoutOf, WAIT_TIME, type Params } from '../web-page/act-request.ts';
import type { FileToGive } from '../driver/hooks.ts';
import type { Profile } from '../profiles/resolve-profiles.ts';

/** A call from HTTP or from a tool. */
export interface BrowserCall {
  readonly method: string;
  readonly path: string;
  readonly query?: Params | undefined;
  readonly body?: Params | undefined;
  /** The content of files by their names in the call; read by the component that has the permission. */
  readonly files?: readonly FileToGive[] | undefined;
}

export interface RouteContext {
  readonly core: BrowserCore;
  readonly store: Pick<HostConfig['store'], 'edit' | 'snapshot'>;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** Body and query; the query takes precedence. */
  readonly input: Params;
  readonly files: readonly FileToGive[];
  readonly profile: Profile;
  /** The tab of the call. */
  tab(): Promise<Tab>;
  /** Its notices are added to the answer. */
  use(tab: Tab): Tab;
}

export interface Route {
  /** GET routes only read. */
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** A POST route that only reads: agents may call it while a person has control. */
  readsOnly?(params: Params): boolean;
  /** `/tabs/:targetId` */
  readonly path: string;
  /** Timeout in milliseconds for work on a page, if the driver has none, because a busy page never answers. */
  boundMs?(params: Params): number;
  run(context: RouteContext): Promise<Readonly<Record<string, unknown>>>;
}

/** Rejects with `not_found`, or with `invalid` and the valid methods. */
export function findRoute(
  routes: readonly Route[],
  { method, path }: Pick<BrowserCall, 'method' | 'path'>,
): { readonly route: Route; readonly params: Readonly<Record<string, string>> } {
  const known = routes.flatMap((route) => {
    const params = matched(route.path, path);
    return params ? [{ route, params }] : [];
  });
  const found = known.find(({ route }) => route.method === method.toUpperCase());
  if (found) return found;
  if (known.length === 0) throw new AppError('not_found', `There is no ${path.slice(0, 100)} here.`);
  const allow = known.map(({ route }) => route.method).join(', ');
  throw new AppError('invalid', `${path} takes ${allow}.`, { details: { allow } });
}

function matched(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, actual] = [pattern.split('/'), path.replace(/(?<=.)\/$/, '').split('/')];
  if (wanted.length !== actual.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = decoded(actual[at]!);
    else if (part !== actual[at]) return undefined;
  }
  return params;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

/** For requests that an idle page answers immediately. */
export const soon = (params: Params): number => timeoutOf(params, WAIT_TIME);

export const targetOf = (params: Params): string | undefined => text(params, 'targetId')?.trim();
