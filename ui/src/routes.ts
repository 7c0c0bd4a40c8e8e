/** Parses the address of a page; the base path is everything before the page's name. Pure. */

export const PAGES = [
  'chat',
  'setup',
  'overview',
  'sessions',
  'channels',
  'tools',
  'processes',
  'config',
  'logs',
  'debug',
] as const;
/** A built-in page, or a page of a feature or a plugin. */
export type Page = (typeof PAGES)[number] | (string & {});

export interface Route {
  /** Without a trailing slash; empty at the root. */
  readonly base: string;
  /** Undefined for an address without a page name. */
  readonly page: Page | undefined;
  readonly session: string | undefined;
}

/** `pages`: the names of all pages. */
export function parseRoute(pathname: string, search: string, pages: readonly Page[]): Route {
  const path = pathname.replace(/\/index\.html$/i, '/').replace(/\/+$/, '');
  const last = path.split('/').at(-1) ?? '';
  const named = pages.find((page) => page === last.toLowerCase());
  const session = new URLSearchParams(search).get('session') ?? undefined;
  if (named) return { base: path.slice(0, path.length - last.length - 1), page: named, session };
  const isRoot = path === '' || pathname.endsWith('/') || /\/index\.html$/i.test(pathname);
  return {
    base: isRoot ? path : path.slice(0, path.length - last.length - 1),
    page: isRoot ? 'chat' : undefined,
    session,
  };
}

/** `item`: what the page shows; a session in the chat, an entry of the list on other pages. */
export function routeAddress(base: string, page: Page, item?: string): string {
  const query = item ? `?${page === 'chat' ? 'session' : 'id'}=${encodeURIComponent(item).replaceAll('%3A', ':')}` : '';
  return `${base}/${page === 'chat' ? '' : page}${query}`;
}

/**
 * The gateway's WebSocket beside this page, or the one asked for with `?gatewayUrl=`; `foreign` ones need a person's
 * consent.
 */
export function gatewayAddress(
  location: { readonly protocol: string; readonly host: string; readonly search: string },
  base: string,
): { readonly url: string; readonly foreign?: string } {
  const url = `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${base}/`;
  const requested = new URLSearchParams(location.search).get('gatewayUrl')?.trim();
  return requested && /^wss?:\/\/[^/\s]+/i.test(requested) && requested !== url ? { url, foreign: requested } : { url };
}
