/**
 * Saves downloads of pages into the folder of the tab's owner, within a limit, and reports them with the next result.
 */
import type { Download } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { sizeText } from '../../../core/size-text.ts';
import { copyIfExists, moveFile, removeIfExists, setMode, statIfExists } from '../../../platform/files.ts';
import { whenOver } from '../../../platform/settled.ts';
import { raceSignal, orTimeout } from '../../../platform/timeout.ts';
import type { Tab } from '../driver/tab.ts';
import { readPart } from '../platform/read-part.ts';
import type { LoggedDownload } from './download-log.ts';
import { CONTENT_BYTES, disguisedAs } from './file-content.ts';
import { safeName, stagedPath } from './staged.ts';

export interface Saved {
  readonly url: string;
  readonly suggestedFilename: string;
  readonly path: string;
  readonly bytes: number;
}

export interface SaveOptions {
  /** The folder for files of the owner. */
  readonly folder: string;
  readonly maxBytes: number;
  /** The size of a download from this address that was cancelled as too large. */
  endedAt(url: string): number | undefined;
}

/**
 * Rejects with `AppError`: `too_large`, `denied` for a disguised program, `storage` if the disk is full, `network` for
 * an incomplete download.
 */
export async function saveDownload(download: Download, options: SaveOptions): Promise<Saved> {
  const { folder, maxBytes, endedAt } = options;
  const suggestedFilename = safeName(download.suggestedFilename());
  const why = await download.failure();
  const ended = why === null ? undefined : endedAt(download.url());
  if (ended !== undefined) throw tooLarge(suggestedFilename, ended, maxBytes);
  if (why !== null)
    throw new AppError(
      'network',
      `The download of "${suggestedFilename}" was cut short (${why}): by the server, or because the disk is full.`,
    );
  const from = await download.path();
  const bytes = (await statIfExists(from))?.size ?? 0;
  if (bytes > maxBytes) {
    await download.delete();
    throw tooLarge(suggestedFilename, bytes, maxBytes);
  }
  const disguised = disguisedAs(
    suggestedFilename,
    (await readPart(from, { offset: 0, bytes: CONTENT_BYTES })) ?? new Uint8Array(),
  );
  if (disguised !== undefined) {
    await download.delete();
    throw new AppError(
      'denied',
      `The download "${suggestedFilename}" is ${disguised}, not what its name says. It was deleted.`,
    );
  }
  const path = await stagedPath(folder, suggestedFilename);
  await handOver(download, path);
  return { url: download.url(), suggestedFilename, path, bytes };
}

/** The folder of the owner may be on another disk than the folder of the browser. */
async function handOver(download: Download, path: string): Promise<void> {
  const from = await download.path();
  try {
    await moveFile(from, path);
    await setMode(path, 0o600);
  } catch (error) {
    if (!(error instanceof AppError) || error.details?.['errno'] !== 'EXDEV') throw error;
    await copyOver(from, path).finally(() => download.delete());
  }
}

async function copyOver(from: string, path: string): Promise<void> {
  try {
    await copyIfExists(from, path);
  } catch (error) {
    await removeIfExists(path);
    throw error;
  }
}

const tooLarge = (name: string, bytes: number, maxBytes: number): AppError =>
  new AppError(
    'too_large',
    `The download "${name}" has ${sizeText(bytes)}, at most ${sizeText(maxBytes)} are kept ` +
      '(browser.limits.downloadMaxMb).',
  );

/** Maximum number of downloads a page may begin between two calls, so that it cannot fill the disk. */
const MAX_UNASKED = 10;

/** Saves every download of a tab, and reports it with the next result. */
export function followDownloads(tab: Tab, options: () => SaveOptions, log: DownloadFollower): void {
  const state = { begun: 0, usedAt: tab.lastUsedAt };
  const isTooMany = (): boolean => {
    state.begun = state.usedAt === tab.lastUsedAt ? state.begun + 1 : 1;
    state.usedAt = tab.lastUsedAt;
    return state.begun > MAX_UNASKED;
  };
  tab.page.on('download', (download) => {
    if (isTooMany()) {
      if (state.begun === MAX_UNASKED + 1)
        tab.notices.add(`The page began more downloads than ${MAX_UNASKED} at once; the others were cancelled.`);
      return void whenOver(download.delete());
    }
    const id = log.begun({ targetId: tab.targetId, url: download.url(), name: safeName(download.suggestedFilename()) });
    const saving = saveDownload(download, options());
    saving.then(
      ({ path, suggestedFilename, bytes }) => {
        tab.notices.add(`Downloaded "${suggestedFilename}" (${sizeText(bytes)}) to ${path}.`);
        log.ended(id, { state: 'saved', path, bytes });
      },
      (error: unknown) => {
        const why = error instanceof AppError ? error.message : 'A download failed.';
        tab.notices.add(why);
        log.ended(id, { state: 'failed', why });
      },
    );
    tab.downloads.add({ download, saved: saving });
  });
}

/** Records the outcome. */
export interface DownloadFollower {
  begun(one: Pick<LoggedDownload, 'targetId' | 'url' | 'name'>): string;
  ended(id: string, how: Pick<LoggedDownload, 'state' | 'path' | 'bytes' | 'why'>): void;
}

/** The next download of a tab. Rejects with `AppError('timeout')`. */
export async function nextDownload(
  tab: Tab,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Saved> {
  const late = (): AppError => new AppError('timeout', `Nothing was downloaded within ${timeoutMs} ms.`);
  const begun = new Promise<Download>((resolve) => tab.page.once('download', resolve));
  const download = await raceSignal(orTimeout(begun, { ms: timeoutMs, error: late }), signal);
  const found = tab.downloads.all().findLast((one) => one.download === download);
  if (!found) throw new AppError('internal', 'A download was not followed.');
  return raceSignal(orTimeout(found.saved, { ms: timeoutMs, error: late }), signal);
}
