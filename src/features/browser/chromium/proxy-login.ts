/**
 * Gives a browser the credential of the egress proxy. Other users could read it in the arguments of the process, so
 * the browser gets it here when the proxy requests it, and caches it until it ends.
 */
import type { Browser } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { whenOver } from '../../../platform/settled.ts';
import { closePage } from '../driver/close-page.ts';

/** A reserved address that nobody can have: the proxy rejects it without DNS, once the browser has authenticated. */
const NOWHERE = 'http://240.0.0.1/';

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
 * Rejects with `AppError('unavailable')` if the proxy did not request the credentials: the browser must then not be
 * used. Has no timeout of its own.
 */
export async function logIn(browser: Browser, { username, password }: ProxyLogin): Promise<void> {
  const page = await browser.contexts()[0]!.newPage();
  try {
    const cdp = await page.context().newCDPSession(page);
    const requested = Promise.withResolvers<void>();
    const state = { asked: false };
    cdp.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
      const proxy = authChallenge.source === 'Proxy';
      state.asked ||= proxy;
      const answer = proxy
        ? ({ response: 'ProvideCredentials', username, password } as const)
        : ({ response: 'CancelAuth' } as const);
      const sent = cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: answer });
      if (proxy) sent.then(() => requested.resolve(), requested.reject);
    });
    cdp.on('Fetch.requestPaused', ({ requestId }) => {
      cdp.send('Fetch.continueRequest', { requestId }).catch(requested.reject);
    });
    await cdp.send('Fetch.enable', { handleAuthRequests: true });
    // Only the authentication matters, not the response.
    const went = page.goto(NOWHERE, { timeout: 0, waitUntil: 'load' });
    await Promise.race([requested.promise, whenOver(went)]);
    // The proxy requests the credentials before the request ends. If it did not, the browser bypasses the proxy.
    if (!state.asked)
      throw new AppError('unavailable', 'The browser does not go through the egress proxy; it is not used.');
    await Promise.all([requested.promise, whenOver(went)]);
    await cdp.send('Fetch.disable');
  } finally {
    await closePage(page);
  }
}
