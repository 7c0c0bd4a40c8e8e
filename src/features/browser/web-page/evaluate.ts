/** Runs JavaScript of a model in a page with a timeout, and returns what JSON can express. */
import type { Locator } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { onFailure } from '../../../platform/settled.ts';
import { raceSignal, orTimeout } from '../../../platform/timeout.ts';
import type { Tab } from '../driver/tab.ts';
import { asBody, asExpression, inPage } from './in-page.ts';

const MAX_CHARS = 200_000;

export interface RunOptions {
  /** The element that is passed to the function. */
  readonly locator?: Locator | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Rejects with `AppError`: `invalid` for a syntax error or an exception, `timeout`, `too_large`. */
export async function runInPage(tab: Tab, written: string, options: RunOptions): Promise<unknown> {
  let result: unknown;
  try {
    result = await run(tab, asExpression(written), options);
  } catch (error) {
    // Statements are not an expression, so they become the body of a function.
    if (!isSyntaxError(error)) throw scriptError(error);
    try {
      result = await run(tab, asBody(written), options);
    } catch (again) {
      throw scriptError(again);
    }
  }
  const size = JSON.stringify(result)?.length ?? 0;
  if (size > MAX_CHARS)
    throw new AppError(
      'too_large',
      `The result has ${size} characters, at most ${MAX_CHARS} are given back. Return less of it.`,
    );
  return result;
}

async function run(tab: Tab, source: string, { locator, timeoutMs, signal }: RunOptions): Promise<unknown> {
  const work = locator
    ? locator.evaluate(inPage<unknown, unknown>(source), undefined, { timeout: timeoutMs, signal })
    : tab.page.evaluate(inPage<undefined, unknown>(source), undefined);
  const late = (): AppError =>
    new AppError('timeout', `The script did not end within ${timeoutMs} ms and was stopped.`, {
      details: { reason: 'timeout' },
    });
  return raceSignal(orTimeout(work, { ms: timeoutMs, error: late }), signal).catch((error: unknown) => {
    // Stops the script after the timeout, because an endless loop would block the page permanently.
    if (signal.aborted || (error instanceof AppError && error.code === 'timeout'))
      onFailure(tab.cdp.send('Runtime.terminateExecution'), () => undefined);
    throw error;
  });
}

/** Syntax errors are found before the script is sent; otherwise the driver reports them as not serializable. */
const isSyntaxError = (error: unknown): boolean =>
  error instanceof Error && /SyntaxError|not well-serializable/.test(error.message);

function scriptError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  if (/Target (?:page, context or browser has been )?closed|context was destroyed/i.test(error.message)) return error;
  const message = isSyntaxError(error)
    ? 'SyntaxError: it is neither an expression nor the body of a function'
    : error.message.replace(/^(?:page|locator)\.evaluate: /, '').split('\n    at ')[0]!;
  return new AppError('invalid', `The script failed: ${message.slice(0, 2000)}`, {
    cause: error,
    details: { reason: 'script' },
  });
}
