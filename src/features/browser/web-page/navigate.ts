/** Navigates a tab to a checked address, and waits until the page is readable. */
import type { Response } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { OWN_COMMAND } from '../../../platform/own-command.ts';
import { EGRESS_STATUS } from '../../../platform/net/egress/egress-forward.ts';
import type { Tab } from '../driver/tab.ts';
import { checkedAddress, isPageScheme, type Egress } from '../guard/egress.ts';
import { navigationError } from './errors.ts';
import { present } from '../../../core/present.ts';

export interface NavigateOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly guard: Egress['guard'];
  readonly network: Network;
}

/** The guard and the proxy of the browser. */
export interface Network {
  /** Authenticates the browser at the proxy again; false: authentication was not the problem. */
  logInAgain(): Promise<boolean>;
  /** The network process of the browser; undefined: there is none, or it is unknown. */
  process(): Promise<number | undefined>;
}

/** Milliseconds to wait for a page that is still loading. */
const LOAD_MS = 5000;
const BLANK = 'about:blank';
const MAX_TRIES = 4;
/** Milliseconds to wait for a navigation that replaced this one. */
const SETTLE_MS = 2000;

export interface Arrival {
  readonly url: string;
  readonly status?: number;
  /** The page is still loading, or never finishes. */
  readonly loading?: true;
}

export async function navigate(tab: Tab, written: string, options: NavigateOptions): Promise<Arrival> {
  const { timeoutMs: timeout, signal, guard } = options;
  const url = await checkedAddress(written, guard, signal);
  const { page } = tab;
  tab.live.note({ kind: 'navigate', label: url, at: Date.now() });
  const downloads = { begun: false };
  const onDownload = (): void => void (downloads.begun = true);
  page.once('download', onDownload);
  try {
    const response = await goOnceMore(tab, url, { timeout, signal, network: options.network });
    const status = response?.status();
    // The proxy sends an error page if a host cannot be reached.
    if (response && (await response.headerValue('proxy-status')) === EGRESS_STATUS)
      throw await refusedByProxy(tab, { guard, signal });
    if (status === UNAUTHORIZED && (await response?.headerValue('www-authenticate')))
      tab.notices.add(asksForLogin(page.url()));
    if (!isPageScheme(page.url()) && !page.url().startsWith('chrome-error:')) throw await leave(tab);
    const loaded = await isLoaded(tab, Math.min(LOAD_MS, timeout), signal);
    return present({ url: page.url(), status, loading: loaded ? undefined : (true as const) });
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (signal.aborted) throw new AppError('aborted', 'The navigation was stopped.', { cause: error });
    if (downloads.begun || /Download is starting/i.test(String(error))) return { url: page.url() };
    throw await failure(error, url, { tab, options });
  } finally {
    page.off('download', onDownload);
  }
}

const NOT_LET_IN = 407;
const UNAUTHORIZED = 401;

const asksForLogin = (url: string): string =>
  `${URL.parse(url)?.host ?? 'The server'} asks for a user name and a password (HTTP authentication). ` +
  `The owner can set them: \`${OWN_COMMAND} browser set credentials --username … --password …\`. ` +
  'Then navigate again.';

interface GoOptions extends Pick<NavigateOptions, 'signal' | 'network'> {
  readonly timeout: number;
}

/**
 * When the network process of Chromium ends, navigations fail as if the page had cancelled them, and a new process
 * starts: the navigation is repeated once if no data had arrived.
 */
async function goOnceMore(tab: Tab, url: string, options: GoOptions): Promise<Response | null> {
  const { network, signal } = options;
  const before = await network.process();
  try {
    return await goIn(tab, url, options);
  } catch (error) {
    const ended = /net::ERR_(?:ABORTED|FAILED)/.test(String(error)) && before !== undefined;
    if (!ended || signal.aborted || lastDocument(tab)?.status !== undefined) throw error;
    if ((await network.process()) === before) throw error;
  }
  return goIn(tab, url, options);
}

/** A new network process has lost the proxy credentials, so the browser authenticates again. */
async function goIn(tab: Tab, url: string, { network, ...options }: GoOptions): Promise<Response | null> {
  const response = await goTo(tab, url, options).catch((error: unknown) => {
    if (/ERR_TUNNEL_CONNECTION_FAILED|ERR_PROXY_AUTH|ERR_INVALID_AUTH/.test(String(error))) return error as Error;
    throw error;
  });
  if (!(response instanceof Error) && response?.status() !== NOT_LET_IN) return response;
  if (await network.logInAgain()) return goTo(tab, url, options);
  if (response instanceof Error) throw response;
  return response;
}

/** The error page of an earlier failure may still be loading and cancel this navigation, which is then repeated. */
async function goTo(
  tab: Tab,
  url: string,
  options: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<Response | null> {
  for (let tries = 1; ; tries++)
    try {
      return await tab.page.goto(url, { waitUntil: 'commit', ...options });
    } catch (error) {
      const interrupted = error instanceof Error && /interrupted by another navigation/.test(error.message);
      if (!interrupted || tries >= MAX_TRIES) throw error;
      await tab.settled(SETTLE_MS);
    }
}

async function refusedByProxy(
  { page }: Tab,
  { guard, signal }: Pick<NavigateOptions, 'guard' | 'signal'>,
): Promise<AppError> {
  const url = page.url();
  await page.goto(BLANK);
  const checked = await guard.check(url, signal);
  const { host } = new URL(url);
  return checked.ok
    ? new AppError('network', `${host} does not answer. Try again later, or another address.`)
    : new AppError('denied', `The address led to ${host}, which pages do not reach: ${checked.why}.`);
}

async function isLoaded({ page }: Tab, timeout: number, signal: AbortSignal): Promise<boolean> {
  try {
    await page.waitForLoadState('load', { timeout, signal });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return false;
    throw error;
  }
}

const lastDocument = ({ record }: Tab) =>
  record.requests.all().findLast(({ resourceType }) => resourceType === 'document');

/** The guard reports why a redirect is blocked; the previous or an empty page remains. */
async function failure(
  error: unknown,
  url: string,
  { tab, options }: { readonly tab: Tab; readonly options: NavigateOptions },
): Promise<AppError> {
  const message = error instanceof Error ? error.message : '';
  const last = lastDocument(tab);
  if (/ERR_ABORTED/.test(message) && last?.status === 204)
    return new AppError(
      'bad_response',
      'The server answered 204 No Content: there is no page to show. Try another address.',
      { cause: error },
    );
  if (/ERR_ABORTED/.test(message))
    return new AppError(
      'conflict',
      'The navigation was cut short: the page went elsewhere, or asked whether to stay.',
      { cause: error },
    );
  if (last) {
    const checked = await options.guard.check(last.url, options.signal);
    if (!checked.ok && /^https?:/.test(last.url))
      return new AppError(
        'denied',
        `A redirect led to ${new URL(last.url).host}, which pages do not reach: ${checked.why}.`,
        { cause: error },
      );
  }
  if (error instanceof Error && error.name === 'TimeoutError')
    return new AppError(
      'timeout',
      `${new URL(url).host} sent no page within ${options.timeoutMs} ms. Try again with a longer timeoutMs, ` +
        `or another address.`,
      { cause: error },
    );
  return navigationError(error, url);
}

async function leave({ page }: Tab): Promise<AppError> {
  const [scheme] = page.url().split(':', 1);
  await page.goto(BLANK);
  return new AppError('denied', `The address led to a ${scheme}: page, which is not shown.`);
}
