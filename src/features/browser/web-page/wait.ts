/** Waits until a page is as somebody wants it: a text, an element, an address, a state, a condition in JavaScript. */
import { AppError } from '../../../core/errors.ts';
import { fitsStars } from '../../../core/star-pattern.ts';
import { pause } from '../../../platform/pause.ts';
import type { Tab } from '../driver/tab.ts';
import { evaluateOff, invalid, number, text, timeoutOf, WAIT_TIME, type Given } from './act-request.ts';
import { asExpression, inPage } from './in-page.ts';

const STATES = ['load', 'domcontentloaded', 'networkidle'] as const;

export interface WaitDeps {
  readonly signal: AbortSignal;
  readonly evaluateEnabled: boolean;
}

/** One condition after the other, in the order of the table; at least one. */
export async function waitFor({ page }: Tab, given: Given, { signal, evaluateEnabled }: WaitDeps): Promise<void> {
  const timeout = timeoutOf(given, WAIT_TIME);
  const timeMs = number(given, 'timeMs');
  const [shown, gone, selector] = [text(given, 'text'), text(given, 'textGone'), text(given, 'selector')];
  const [url, state, fn] = [text(given, 'url'), text(given, 'loadState'), text(given, 'fn')];
  if (timeMs === undefined && ![shown, gone, selector, url, state, fn].some((one) => one !== undefined))
    throw invalid('wait needs one of timeMs, text, textGone, selector, url, loadState, fn.');
  const loadState = STATES.find((one) => one === state);
  if (state !== undefined && !loadState) throw invalid(`loadState must be one of ${STATES.join(', ')}.`);
  if (fn !== undefined && !evaluateEnabled) throw evaluateOff();
  try {
    if (timeMs !== undefined) await pause(Math.min(WAIT_TIME.max, Math.max(0, timeMs)), signal);
    signal.throwIfAborted();
    const visible = { timeout, signal, state: 'visible' } as const;
    if (shown !== undefined) await page.getByText(shown).first().waitFor(visible);
    if (gone !== undefined) await page.getByText(gone).first().waitFor({ timeout, signal, state: 'hidden' });
    if (selector !== undefined) await page.locator(selector).first().waitFor(visible);
    if (url !== undefined)
      await page.waitForURL((now) => urlFits(url, now.href), { timeout, waitUntil: 'commit', signal });
    if (loadState) await page.waitForLoadState(loadState, { timeout, signal });
    if (fn !== undefined)
      await page.waitForFunction(inPage<undefined, unknown>(asExpression(fn)), undefined, { timeout, signal });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
    const what = shown ?? gone ?? selector ?? url ?? state ?? 'the condition';
    throw new AppError(
      'timeout',
      `${JSON.stringify(what)} did not come about within ${timeout} ms. Take a new snapshot to see what the ` +
        `page shows.`,
      { cause: error, details: { reason: 'timeout' } },
    );
  }
}

/** Exactly, with `*` for anything, or a part of the address. */
export const urlFits = (pattern: string, url: string): boolean =>
  pattern.includes('*') ? fitsStars(pattern, url) : url === pattern || url.includes(pattern);
