/** Closes a page, with a timeout. */
import type { Page } from 'playwright-core';
import { settlesWithin } from '../../../platform/timeout.ts';

const FIRST_MS = 1000;
const AGAIN_MS = 2000;
const MAX_TRIES = 5;

/**
 * Chromium drops a request to close a page in the moment a new document arrives in it, after it said that it succeeded:
 * the driver then waits for an end that never comes. So the page is asked again, past the driver, which sends no second
 * request. Where it still is not closed, it stays; rejects where that cannot be asked.
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
