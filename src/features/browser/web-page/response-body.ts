/** Waits for the next matching response of a page, and returns its text. */
import { AppError } from '../../../core/errors.ts';
import { head } from '../../../core/cut.ts';
import type { Tab } from '../driver/tab.ts';
import { number, required, timeoutOf, WAIT_TIME, type Params } from './act-request.ts';
import { urlFits } from './wait.ts';
import { present } from '../../../core/present.ts';

const DEFAULT_CHARS = 200_000;
const MAX_CHARS = 5_000_000;

export async function responseBody(
  { page }: Tab,
  params: Params,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const pattern = required(params, 'url');
  const timeout = timeoutOf(params, WAIT_TIME);
  const maxChars = Math.min(MAX_CHARS, Math.max(1, Math.trunc(number(params, 'maxChars') ?? DEFAULT_CHARS)));
  try {
    const response = await page.waitForResponse((one) => urlFits(pattern, one.url()), { timeout, signal });
    const body = (await response.body()).toString('utf8');
    return {
      url: response.url(),
      status: response.status(),
      headers: response.headers(),
      body: head(body, maxChars),
      ...present({ truncated: body.length > maxChars || undefined }),
    };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
    throw new AppError('timeout', `No answer from "${pattern.slice(0, 200)}" within ${timeout} ms.`, { cause: error });
  }
}
