/** Closes a page, with a timeout. */
import type { Page } from 'playwright-core';
import { settlesWithin } from '../../../platform/timeout.ts';

const FIRST_MS = 1000;
const AGAIN_MS = 2000;
const MAX_TRIES = 5;

/**
 * Chromium reports success but drops a request to close a page while a new document arrives in it. The driver then
 * waits forever and sends no second request, so this sends one over DevTools. A page that stays open after that remains
 * open; rejects if the request cannot be sent.
 */
export async function closePage(page: Page): Promise<void> {
  const closing = page.close();
  if (await settlesWithin(closing, FIRST_MS)) return closing;
  for (let tries = 0; tries < MAX_TRIES && !page.isClosed(); tries++) {
    const again = page
      .context()
      .newCDPSession(page)
      .then((session) => session.send('Page.close'));
    await settlesWithin(again, AGAIN_MS);
    if (await settlesWithin(closing, FIRST_MS)) return;
  }
}
