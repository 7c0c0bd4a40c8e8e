/** The Web API client: no automatic retries, our own errors, and a callback for a revoked token. */
import { WebClient } from '@slack/web-api';
import type { AppError, Log } from '../../sdk/index.ts';
import type { Answer } from './answer.ts';
import { slackError } from './errors.ts';

export interface Api {
  /** Rejects with `AppError`; see `errors.ts` for which. */
  call(method: string, args?: Readonly<Record<string, unknown>>): Promise<Answer>;
}

export interface ApiOptions {
  readonly token: string;
  readonly apiRoot: string;
  readonly timeoutMs: number;
  readonly log: Log;
  onAuthError?(error: AppError): void;
}

export function createApi({ token, apiRoot, timeoutMs, log, onAuthError }: ApiOptions): Api {
  const client = new WebClient(token, {
    slackApiUrl: apiRoot,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
    logger: quietLogger(log),
    allowAbsoluteUrls: false,
  });
  return {
    async call(method, args = {}) {
      try {
        return (await client.apiCall(method, args)) as unknown as Answer;
      } catch (error) {
        const known = slackError(error, method);
        if (known.code === 'auth') onAuthError?.(known);
        throw known;
      }
    },
  };
}

/** The library's lines hold requests and answers; ours are written where something happens. */
export function quietLogger(
  log: Log,
): NonNullable<ConstructorParameters<typeof WebClient>[1] & object>['logger'] & object {
  return {
    debug() {},
    info() {},
    warn: () => log.debug('slack.library', { level: 'warn' }),
    error: () => log.debug('slack.library', { level: 'error' }),
    setLevel() {},
    setName() {},
    getLevel: () => 'error' as never,
  };
}
