/** Takes a picture of the viewport, the full page or one element, resized for models. */
import { AppError } from '../../../core/errors.ts';
import { pictureForModel } from '../../../platform/pictures/shrink-for-model.ts';
import type { Tab } from '../driver/tab.ts';
import { PAGE, pageError } from './errors.ts';
import { locate } from './refs.ts';
import { stageFile } from './staged.ts';
import { present } from '../../../core/present.ts';

export interface ScreenshotRequest {
  readonly fullPage?: boolean | undefined;
  readonly ref?: string | undefined;
  /** A CSS selector. */
  readonly element?: string | undefined;
  readonly type: 'png' | 'jpeg';
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Picture {
  readonly path: string;
  readonly mimeType: string;
  readonly data: Uint8Array;
}

const QUALITY = 90;

export async function takeScreenshot(tab: Tab, request: ScreenshotRequest, folder: string): Promise<Picture> {
  const { fullPage, ref, element, type, timeoutMs: timeout, signal } = request;
  if (fullPage && (ref !== undefined || element !== undefined))
    throw new AppError('invalid', 'fullPage is for the whole page: leave out ref and element, or fullPage.');
  if (ref !== undefined && element !== undefined)
    throw new AppError('invalid', 'Use one of ref and element: both name what the picture is of.');
  const options = {
    type,
    timeout,
    signal,
    animations: 'disabled',
    ...present({ quality: type === 'jpeg' ? QUALITY : undefined }),
  } as const;
  try {
    const taken =
      ref !== undefined
        ? await (await locate(ref, { page: tab.page, refs: tab.refs, documentId: tab.documentId })).screenshot(options)
        : element !== undefined
          ? await tab.page.locator(element).first().screenshot(options)
          : await tab.page.screenshot({ ...options, fullPage: fullPage ?? false });
    return await pictureOf(taken, { folder, name: 'screenshot' });
  } catch (error) {
    throw pageError(error, ref ?? element ?? PAGE);
  }
}

/** Rejects with `AppError('unsupported')` for a format that models do not accept. */
export async function pictureOf(
  taken: Uint8Array,
  { folder, name }: { readonly folder: string; readonly name: string },
): Promise<Picture> {
  const picture = await pictureForModel(taken);
  if (!picture.ok)
    throw new AppError(
      'unsupported',
      `The screenshot cannot be shown: ${picture.why}. Take one of an element instead.`,
    );
  const path = await stageFile(folder, `${name}.${picture.mime === 'image/jpeg' ? 'jpg' : 'png'}`, picture.data);
  return { path, mimeType: picture.mime, data: picture.data };
}
