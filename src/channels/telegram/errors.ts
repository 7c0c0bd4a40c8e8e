/** Converts Telegram and network errors to ours. Bot API URLs contain the token, so no message includes them. */
import { AppError, present, neverSent } from '../../sdk/index.ts';

/** The Bot API's own answer to a call that failed. */
export interface ApiRefusal {
  readonly error_code: number;
  readonly description: string;
  readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number };
}

/** Facts about a refusal that decide whether the call is worth another way. */
export interface RefusalDetails {
  readonly description: string;
  readonly migrateTo?: string;
}

export const TOKEN_FIX =
  'Telegram rejected the bot token: get it from @BotFather (/mybots, API Token) and set ' +
  'channels.telegram.botToken, tokenFile or TELEGRAM_BOT_TOKEN.';

/** Outcomes the gateway can be sure of; 502 and 504 say nothing about what became of the request behind the proxy. */
export function refusalError(method: string, { error_code: status, description, parameters }: ApiRefusal): AppError {
  const said = `Telegram refused ${method}: ${description}`;
  const migrateTo = parameters?.migrate_to_chat_id;
  const details = {
    description,
    ...present({ migrateTo: migrateTo !== undefined ? String(migrateTo) : undefined }),
  } satisfies RefusalDetails;
  if (status === 429)
    return new AppError('rate_limited', said, { retryAfterMs: (parameters?.retry_after ?? 1) * 1000, details });
  if (status === 401 || (status === 404 && /^not found$/i.test(description)))
    return new AppError('auth', TOKEN_FIX, { details });
  if (status === 500 || status === 503) return new AppError('unavailable', said, { details });
  if (status > 500)
    return new AppError('network', `${said}. It is unknown whether the request succeeded.`, { details });
  if (status === 403) return new AppError('denied', said, { details });
  if (status === 409) return new AppError('conflict', said, { details });
  if (status === 413) return new AppError('too_large', said, { details });
  return new AppError(codeOfBadRequest(description), said, { details });
}

function codeOfBadRequest(description: string): 'too_large' | 'not_found' | 'denied' | 'invalid' {
  if (/too long|too big|too large/i.test(description)) return 'too_large';
  if (/not found|MESSAGE_ID_INVALID|message can't be (?:edited|deleted)/i.test(description)) return 'not_found';
  if (/not enough rights|CHAT_WRITE_FORBIDDEN|need administrator|have no rights|not a member/i.test(description))
    return 'denied';
  return 'invalid';
}

/**
 * A call without an answer. `thrown` is what the library rejected with; its words may contain the address, so only its
 * kind is kept.
 */
export function transportError(method: string, thrown: unknown, signal?: { readonly aborted: boolean }): AppError {
  if (thrown instanceof AppError) return thrown;
  const inner = thrown instanceof Error && 'error' in thrown ? thrown.error : thrown;
  const { code, name = 'Error', message = '' } = (inner ?? {}) as { code?: string; name?: string; message?: string };
  const cause = new Error(code ?? name);
  if (signal?.aborted) return new AppError('aborted', `The call of ${method} was cancelled.`, { cause });
  if (/timed out/.test(message) || code === 'ETIMEDOUT')
    return new AppError('timeout', `Telegram did not respond to ${method} in time.`, { cause });
  if (neverSent(code))
    return new AppError(
      'unavailable',
      `Telegram cannot be reached (${code}); check the network and channels.telegram.apiRoot.`,
      { cause },
    );
  return new AppError('network', `The connection to Telegram failed during ${method} (${code ?? name}).`, { cause });
}

/** What Telegram said, for those who look for another way; empty for errors of other origin. */
export const descriptionOf = (error: unknown): string =>
  error instanceof AppError ? String(error.details?.['description'] ?? '') : '';
