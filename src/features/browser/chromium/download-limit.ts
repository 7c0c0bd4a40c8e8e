/** Cancels a download that exceeds its size limit while it runs, before the disk is full. */
import type { Browser } from 'playwright-core';
import { setNewest } from '../../../core/bounded-map.ts';
import { onFailure } from '../../../platform/settled.ts';

export interface DownloadLimit {
  /** The size of a download from this address that was cancelled as too large; undefined: none was. */
  endedAt(url: string): number | undefined;
}

export interface DownloadLimitDeps {
  /** Where the browser writes downloads until they are saved: the same folder as in the driver. */
  readonly folder: string;
  maxBytes(): number;
}

const REMEMBERED = 100;

export async function limitDownloads(
  browser: Browser,
  { folder, maxBytes }: DownloadLimitDeps,
): Promise<DownloadLimit> {
  const urls = new Map<string, string>();
  const ended = new Map<string, number>();
  const session = await browser.newBrowserCDPSession();
  session.on('Browser.downloadWillBegin', ({ guid, url }) => void setNewest(urls, guid, url, REMEMBERED));
  session.on('Browser.downloadProgress', ({ guid, receivedBytes, totalBytes, state }) => {
    const url = urls.get(guid);
    // The size declared by the server is used only to cancel early.
    const size = Math.max(receivedBytes, totalBytes);
    if (url === undefined || state !== 'inProgress' || size <= maxBytes()) return;
    setNewest(ended, url, size, REMEMBERED);
    urls.delete(guid);
    onFailure(session.send('Browser.cancelDownload', { guid }), () => undefined); // the download has just ended
  });
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'allowAndName',
    downloadPath: folder,
    eventsEnabled: true,
  });
  return { endedAt: (url) => ended.get(url) };
}
