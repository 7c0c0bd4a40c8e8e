/** Ends a download that grows beyond what one may have while it runs, and tells where the disk has no room for one. */
import type { Browser } from 'playwright-core';
import { setNewest } from '../../../core/bounded-map.ts';
import { freeBytes } from '../../../platform/disk-space.ts';
import { onFailure } from '../../../platform/settled.ts';
import { settlesWithin } from '../../../platform/timeout.ts';

export interface DownloadLimit {
  /** The size that was too much, where a download from this address was ended; undefined: none was. */
  endedAt(url: string): number | undefined;
  /** The disk that receives downloads has no room for the one from this address. */
  lacksRoom(url: string): Promise<boolean>;
}

export interface DownloadLimitDeps {
  /** Where downloads go until they are handed on: the same folder the driver was given. */
  readonly folder: string;
  maxBytes(): number;
}

const REMEMBERED = 100;
/** With less than this free a disk is full. */
const FULL_BYTES = 64 * 1024;
const TOLD_MS = 1000;

export async function limitDownloads(
  browser: Browser,
  { folder, maxBytes }: DownloadLimitDeps,
): Promise<DownloadLimit> {
  const urls = new Map<string, string>();
  const ended = new Map<string, number>();
  const sizes = new Map<string, number>();
  const session = await browser.newBrowserCDPSession();
  const overs = new Map<string, PromiseWithResolvers<void>>();
  session.on('Browser.downloadWillBegin', ({ guid, url }) => {
    setNewest(urls, guid, url, REMEMBERED);
    setNewest(overs, url, Promise.withResolvers<void>(), REMEMBERED);
  });
  session.on('Browser.downloadProgress', ({ guid, receivedBytes, totalBytes, state }) => {
    const url = urls.get(guid);
    // What the server says is believed where it is bad news.
    const size = Math.max(receivedBytes, totalBytes);
    if (url !== undefined) setNewest(sizes, url, size, REMEMBERED);
    if (url !== undefined && state !== 'inProgress') overs.get(url)?.resolve();
    if (url === undefined || state !== 'inProgress' || size <= maxBytes()) return;
    setNewest(ended, url, size, REMEMBERED);
    urls.delete(guid);
    onFailure(session.send('Browser.cancelDownload', { guid }), () => undefined); // it has just ended
  });
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'allowAndName',
    downloadPath: folder,
    eventsEnabled: true,
  });
  return {
    endedAt: (url) => ended.get(url),
    async lacksRoom(url) {
      // The driver, which was told first, may ask before its size is known here.
      await settlesWithin(overs.get(url)?.promise ?? Promise.resolve(), TOLD_MS);
      return (await freeBytes(folder)) < Math.max(sizes.get(url) ?? 0, FULL_BYTES);
    },
  };
}
