/** Identifies the network process of a browser: if it ends, Chromium starts another one without notice. */
import type { Browser } from 'playwright-core';

const NETWORK_SERVICE = 'network.mojom.NetworkService';

/** Its id within the browser; undefined: there is none now, or this browser does not report it. */
export async function networkProcess(browser: Browser): Promise<number | undefined> {
  try {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    return processInfo.find(({ type }) => type === NETWORK_SERVICE)?.id;
  } catch (error) {
    if (error instanceof Error) return undefined; // the caller notices a browser that ended
    throw error;
  }
}
