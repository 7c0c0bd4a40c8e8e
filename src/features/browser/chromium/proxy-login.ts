/**
 * Gives a browser the credential of the egress proxy. Other users could read it in the arguments of the process, so
 * the browser gets it here when the proxy requests it, and caches it until it ends.
 */
import type { Browser } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { whenOver } from '../../../platform/settled.ts';
import { closePage } from '../driver/close-page.ts';
import type { Commands } from './commands.ts';

/** A reserved address that nobody can have: the proxy rejects it without DNS, once the browser has authenticated. */
const NOWHERE = 'http://240.0.0.1/';
const ASK = `fetch('${NOWHERE}', { mode: 'no-cors', credentials: 'include' }).catch(() => 0).then(() => 0)`;

/** The address of the proxy and the credentials for it. */
export interface ProxyLogin {
  readonly server: string;
  readonly username: string;
  readonly password: string;
}

/** Splits the address of a lease. */
export function proxyLogin(url: string): ProxyLogin {
  const { host, username, password } = new URL(url);
  return { server: `http://${host}`, username, password };
}

/**
 * In an empty page. Rejects with `AppError('unavailable')` if the proxy did not request the credentials: the browser
 * must then not be used. Has no timeout of its own.
 */
export async function logIn(page: Commands, { username, password }: ProxyLogin): Promise<void> {
  const requested = Promise.withResolvers<void>();
  const state = { asked: false };
  page.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const proxy = authChallenge.source === 'Proxy';
    state.asked ||= proxy;
    const answer = proxy
      ? ({ response: 'ProvideCredentials', username, password } as const)
      : ({ response: 'CancelAuth' } as const);
    const sent = page.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: answer });
    if (proxy) sent.then(() => requested.resolve(), requested.reject);
  });
  page.on('Fetch.requestPaused', ({ requestId }) => {
    page.send('Fetch.continueRequest', { requestId }).catch(requested.reject);
  });
  await page.send('Fetch.enable', { handleAuthRequests: true });
  // Only the authentication matters, not the response.
  const went = page.send('Runtime.evaluate', { expression: ASK, awaitPromise: true });
  await Promise.race([requested.promise, whenOver(went)]);
  // The proxy requests the credentials before the request ends. If it did not, the browser bypasses the proxy.
  if (!state.asked)
    throw new AppError('unavailable', 'The browser does not go through the egress proxy; it is not used.');
  await Promise.all([requested.promise, whenOver(went)]);
  await page.send('Fetch.disable');
}

/** In a new page, which nothing else uses. */
export async function logInAgain(browser: Browser, login: ProxyLogin): Promise<void> {
  const page = await browser.contexts()[0]!.newPage();
  try {
    await logIn(await page.context().newCDPSession(page), login);
  } finally {
    await closePage(page);
  }
}
