/** Tells which process of a browser reaches the network: where it ends, Chromium starts another without a word. */
import type { Browser } from 'playwright-core';

const NETWORK_SERVICE = 'network.mojom.NetworkService';

/** Its id as the browser counts; undefined: there is none now, or this browser does not tell. */
export async function networkProcess(browser: Browser): Promise<number | undefined> {
  try {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    return processInfo.find(({ type }) => type === NETWORK_SERVICE)?.id;
  } catch (error) {
    if (error instanceof Error) return undefined; // whoever navigates hears of a browser that ended
    throw error;
  }
}
