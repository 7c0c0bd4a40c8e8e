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
  /** Lets the browser into the proxy again; false: that was not what it lacked. */
  logInAgain(): Promise<boolean>;
}

/** Milliseconds a page may go on loading once it is there. */
const LOAD_MS = 5000;
const BLANK = 'about:blank';
const MAX_TRIES = 4;
/** Milliseconds a navigation that came between has to arrive. */
const SETTLE_MS = 2000;

export interface Arrival {
  readonly url: string;
  readonly status?: number;
  /** It still loads, or never stops. */
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
    const response = await goIn(tab, url, { timeout, signal, logInAgain: options.logInAgain });
    const status = response?.status();
    // The proxy answers in place of a host that is not reached.
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

/** A browser whose network process ended has forgotten who it is to the proxy: it is told once more. */
async function goIn(
  tab: Tab,
  url: string,
  { logInAgain, ...options }: Pick<NavigateOptions, 'signal' | 'logInAgain'> & { readonly timeout: number },
): Promise<Response | null> {
  const response = await goTo(tab, url, options).catch((error: unknown) => {
    if (/ERR_TUNNEL_CONNECTION_FAILED|ERR_PROXY_AUTH|ERR_INVALID_AUTH/.test(String(error))) return error as Error;
    throw error;
  });
  if (!(response instanceof Error) && response?.status() !== NOT_LET_IN) return response;
  if (await logInAgain()) return goTo(tab, url, options);
  if (response instanceof Error) throw response;
  return response;
}

/** The error page of an earlier failure may still be on its way and end this navigation, which is tried again then. */
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

/** Where a redirect led, the guard says why not; the page before stays or an empty one. */
async function failure(
  error: unknown,
  url: string,
  { tab, options }: { readonly tab: Tab; readonly options: NavigateOptions },
): Promise<AppError> {
  const message = error instanceof Error ? error.message : '';
  const last = tab.record.requests.all().findLast(({ resourceType }) => resourceType === 'document');
  if (/ERR_ABORTED/.test(message) && last?.status === 204)
    return new AppError(
      'bad_response',
      'The server answered 204 No Content: there is no page to show. Try another address.',
    );
  if (/ERR_ABORTED/.test(message))
    return new AppError('conflict', 'The navigation was cut short: the page went elsewhere, or asked whether to stay.');
  if (last) {
    const checked = await options.guard.check(last.url, options.signal);
    if (!checked.ok && /^https?:/.test(last.url))
      return new AppError(
        'denied',
        `A redirect led to ${new URL(last.url).host}, which pages do not reach: ${checked.why}.`,
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
