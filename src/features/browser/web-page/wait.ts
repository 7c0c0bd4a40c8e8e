/** Waits for a condition of a page: text, element, address, load state, or JavaScript. */
import { AppError } from '../../../core/errors.ts';
import { fitsStars } from '../../../core/star-pattern.ts';
import { pause } from '../../../platform/pause.ts';
import type { Tab } from '../driver/tab.ts';
import { evaluateOff, invalid, number, text, timeoutOf, WAIT_TIME, type Params } from './act-request.ts';
import { runInPage } from './evaluate.ts';

const STATES = ['load', 'domcontentloaded', 'networkidle'] as const;

export interface WaitDeps {
  readonly signal: AbortSignal;
  readonly evaluateEnabled: boolean;
}

/** All given conditions in the order of the table; at least one is required. */
export async function waitFor(tab: Tab, params: Params, { signal, evaluateEnabled }: WaitDeps): Promise<void> {
  const { page } = tab;
  const timeout = timeoutOf(params, WAIT_TIME);
  const timeMs = number(params, 'timeMs');
  const [shown, gone, selector] = [text(params, 'text'), text(params, 'textGone'), text(params, 'selector')];
  const [url, state, fn] = [text(params, 'url'), text(params, 'loadState'), text(params, 'fn')];
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
    if (fn !== undefined) await untilTrue(tab, fn, { timeoutMs: timeout, signal });
  } catch (error) {
    const isLate = error instanceof AppError ? error.code === 'timeout' : (error as Error).name === 'TimeoutError';
    if (!isLate) throw error;
    const what = shown ?? gone ?? selector ?? url ?? state ?? 'the condition';
    throw new AppError(
      'timeout',
      `${JSON.stringify(what)} did not come about within ${timeout} ms. Take a new snapshot to see what the ` +
        `page shows.`,
      { cause: error, details: { reason: 'timeout' } },
    );
  }
}

/** Interval between two evaluations of a condition, in milliseconds. */
const POLL_MS = 50;

/**
 * Evaluated repeatedly, because the driver's own wait treats a returned promise as fulfilled. After a navigation it
 * continues on the new page.
 */
async function untilTrue(
  tab: Tab,
  fn: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (let left = timeoutMs; left > 0; left = end - performance.now()) {
    try {
      if (await runInPage(tab, fn, { timeoutMs: left, signal })) return;
    } catch (error) {
      if (!/context was destroyed|navigat/i.test(String(error))) throw error;
    }
    if (!(await pause(POLL_MS, signal))) break;
  }
  signal.throwIfAborted();
  throw new AppError('timeout', 'The condition did not come about.');
}

/** An exact address, a pattern with `*`, or a part of the address. */
export const urlFits = (pattern: string, url: string): boolean =>
  pattern.includes('*') ? fitsStars(pattern, url) : url === pattern || url.includes(pattern);
