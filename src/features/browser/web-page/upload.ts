/** Uploads files to a page: through the next file chooser, or into an input. */
import { AppError } from '../../../core/errors.ts';
import type { FileToGive } from '../driver/hooks.ts';
import type { Tab } from '../driver/tab.ts';
import { orTimeout } from '../../../platform/timeout.ts';
import { PAGE, pageError } from './errors.ts';
import { locate } from './refs.ts';

export interface Upload {
  readonly files: readonly FileToGive[];
  /** Clicked once the files are prepared. */
  readonly ref?: string | undefined;
  /** The input element itself, by ref or by CSS selector. */
  readonly inputRef?: string | undefined;
  readonly element?: string | undefined;
  readonly armMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export async function upload(
  tab: Tab,
  { files, ref, inputRef, element, armMs, timeoutMs, signal }: Upload,
): Promise<void> {
  if ([ref, inputRef, element].filter((one) => one !== undefined).length > 1)
    throw new AppError(
      'invalid',
      'Use one of ref (clicked to open the chooser), inputRef and element (the input itself).',
    );
  const find = (written: string) => locate(written, { page: tab.page, refs: tab.refs, documentId: tab.documentId });
  try {
    if (inputRef !== undefined || element !== undefined) {
      const input = inputRef !== undefined ? await find(inputRef) : tab.page.locator(element!).first();
      await input.setInputFiles([...files], { timeout: timeoutMs, signal });
      return;
    }
    tab.hooks.armFiles(files, armMs);
    if (ref === undefined) return;
    const chosen = tab.page.waitForEvent('filechooser', { timeout: timeoutMs });
    await Promise.all([chosen, (await find(ref)).click({ timeout: timeoutMs, signal })]);
    const late = (): AppError => new AppError('timeout', 'The page did not take the files in time.');
    await orTimeout(tab.hooks.filesSet(), { ms: timeoutMs, error: late });
  } catch (error) {
    throw pageError(error, ref ?? inputRef ?? element ?? PAGE);
  }
}
