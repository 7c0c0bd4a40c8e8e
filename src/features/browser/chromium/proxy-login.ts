/**
 * Gives a browser the credential of the egress proxy. Other users could read it in the arguments of the process, so
 * the browser gets it here when the proxy requests it, and caches it until it ends.
 */
import type { Browser } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { whenOver } from '../../../platform/settled.ts';
import { closePage } from '../driver/close-page.ts';

/** An address nobody has: the proxy refuses it without a question to DNS, once it knows who is asking. */
const NOWHERE = 'http://240.0.0.1/';

/** Where the proxy is, and who may use it. */
export interface ProxyLogin {
  readonly server: string;
  readonly username: string;
  readonly password: string;
}

/** The address of a lease taken apart. */
export function proxyLogin(url: string): ProxyLogin {
  const { host, username, password } = new URL(url);
  return { server: `http://${host}`, username, password };
}

/**
 * Rejects with `AppError('unavailable')` where the browser was not asked: nothing of it may be used then. Has no time
 * limit of its own.
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
    // What is answered does not matter; who is asked does.
    const went = page.goto(NOWHERE, { timeout: 0, waitUntil: 'load' });
    await Promise.race([requested.promise, whenOver(went)]);
    // The question comes before the end of the request: who was not asked by now goes past the proxy.
    if (!state.asked)
      throw new AppError('unavailable', 'The browser does not go through the egress proxy; it is not used.');
    await Promise.all([requested.promise, whenOver(went)]);
    await cdp.send('Fetch.disable');
  } finally {
    await closePage(page);
  }
}
