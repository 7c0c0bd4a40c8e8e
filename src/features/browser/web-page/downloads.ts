/** What pages download: put into the folder of whoever owns the tab, within its limit, and named in the next result. */
import type { Download } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { sizeText } from '../../../core/size-text.ts';
import { moveFile, statIfExists } from '../../../platform/files.ts';
import { orReason, orTimeout } from '../../../platform/timeout.ts';
import type { Tab } from '../driver/tab.ts';
import { safeName, stagedPath } from './staged.ts';

export interface Saved {
  readonly url: string;
  readonly suggestedFilename: string;
  readonly path: string;
  readonly bytes: number;
}

export interface SaveOptions {
  /** Where files of the owner go. */
  readonly folder: string;
  readonly maxBytes: number;
}

/** Rejects with `AppError`: `too_large`, `network` for one that was cut short. */
export async function saveDownload(download: Download, { folder, maxBytes }: SaveOptions): Promise<Saved> {
  const suggestedFilename = safeName(download.suggestedFilename());
  const why = await download.failure();
  if (why !== null) throw new AppError('network', `The download of "${suggestedFilename}" failed: ${why}.`);
  const from = await download.path();
  const bytes = (await statIfExists(from))?.size ?? 0;
  if (bytes > maxBytes) {
    await download.delete();
    throw new AppError(
      'too_large',
      `The download "${suggestedFilename}" has ${sizeText(bytes)}, at most ${sizeText(maxBytes)} are kept ` +
        '(browser.limits.downloadMaxMb).',
    );
  }
  const path = await stagedPath(folder, suggestedFilename);
  await moveFile(from, path);
  return { url: download.url(), suggestedFilename, path, bytes };
}

/** Everything a tab downloads is saved, and told with the next result. */
export function followDownloads(tab: Tab, options: () => SaveOptions): void {
  tab.page.on('download', (download) => {
    const saving = saveDownload(download, options());
    saving.then(
      ({ path, suggestedFilename, bytes }) =>
        tab.notices.add(`Downloaded "${suggestedFilename}" (${sizeText(bytes)}) to ${path}.`),
      (error: unknown) => tab.notices.add(error instanceof AppError ? error.message : 'A download failed.'),
    );
    tab.downloads.add({ download, saved: saving });
  });
}

/** The next download of a tab. Rejects with `AppError('timeout')`. */
export async function nextDownload(
  tab: Tab,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Saved> {
  const late = (): AppError => new AppError('timeout', `Nothing was downloaded within ${timeoutMs} ms.`);
  const begun = new Promise<Download>((resolve) => tab.page.once('download', resolve));
  const download = await orReason(orTimeout(begun, { ms: timeoutMs, error: late }), signal);
  const found = tab.downloads.all().findLast((one) => one.download === download);
  if (!found) throw new AppError('internal', 'A download was not followed.');
  return orReason(orTimeout(found.saved, { ms: timeoutMs, error: late }), signal);
}
