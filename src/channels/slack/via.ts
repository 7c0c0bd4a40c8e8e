/** Answers a slash command through its response URL: valid for 30 minutes and five messages. */
import { AppError, present } from '../../sdk/index.ts';

/** Slack's limit is 30 minutes; a minute is left for the way there. */
const VALID_MS = 29 * 60_000;

export interface Via {
  readonly user: string;
  /** While it is valid and can only have come from Slack. */
  readonly url?: string;
}

export const viaOf = (responseUrl: string | undefined, user: string, now: number): string | undefined =>
  responseUrl && URL.canParse(responseUrl) ? `${now} ${user} ${responseUrl}` : undefined;

export function readVia(
  via: string | undefined,
  { apiRoot, now }: { readonly apiRoot: string; readonly now: number },
): Via | undefined {
  const [at, user, address] = via?.split(' ') ?? [];
  if (!user || !address || !URL.canParse(address)) return undefined;
  const { origin } = new URL(address);
  const alive =
    Math.abs(now - Number(at)) < VALID_MS &&
    (origin === 'https://hooks.slack.com' || origin === new URL(apiRoot).origin);
  return present({ user, url: alive ? address : undefined });
}

/** False: the address is used up, and nothing was shown. */
export async function answerAt(
  url: string,
  { text, ephemeral, timeoutMs }: { readonly text: string; readonly ephemeral: boolean; readonly timeoutMs: number },
): Promise<boolean> {
  const response = await post(
    url,
    JSON.stringify({ text, response_type: ephemeral ? 'ephemeral' : 'in_channel', replace_original: false }),
    timeoutMs,
  );
  if (response.ok) return true;
  if (response.status >= 500)
    throw new AppError('network', `Slack response_url: answered with HTTP status ${response.status}.`);
  if (response.status === 429)
    throw new AppError('rate_limited', 'Slack response_url: rate limited.', {
      retryAfterMs: Number(response.headers.get('retry-after') ?? 1) * 1000,
    });
  return false;
}

async function post(url: string, body: string, timeoutMs: number): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError';
    throw new AppError(
      late ? 'timeout' : 'network',
      `Slack response_url: ${late ? 'the request timed out' : 'the connection closed before the response arrived'}.`,
      { cause: error },
    );
  }
}
