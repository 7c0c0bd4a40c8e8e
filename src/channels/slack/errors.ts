/** Converts Slack errors to ours: temporary, permanent, or a send whose outcome is unknown. */
import { AppError, present, neverSent } from '../../sdk/index.ts';
import { PUBLIC_COMMAND } from '../../sdk/own-command.ts';

/** What Slack says when a token is of no use any more. */
const AUTH = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'user_removed_from_team',
  'team_disabled',
  'org_login_required',
  'link_disabled',
]);
const DENIED = new Set([
  'missing_scope',
  'not_in_channel',
  'restricted_action',
  'access_denied',
  'no_permission',
  'not_allowed_token_type',
  'cant_update_message',
  'cant_delete_message',
  'edit_window_closed',
  'is_archived',
  'ekm_access_denied',
  'cannot_dm_bot',
  'user_disabled',
  'messages_tab_disabled',
  'restricted_action_read_only_channel',
]);
const NOT_FOUND = new Set([
  'channel_not_found',
  'message_not_found',
  'user_not_found',
  'users_not_found',
  'thread_not_found',
  'file_not_found',
  'file_deleted',
  'user_not_visible',
]);
const TOO_LARGE = new Set([
  'msg_too_long',
  'file_upload_size_restricted',
  'too_long',
  'msg_blocks_too_long',
  'upload_exceeds_max_size',
]);
/** Slack warns that these may have succeeded in part. */
const IN_THE_DARK = new Set(['fatal_error', 'internal_error', 'request_timeout']);
const UNAVAILABLE = new Set(['service_unavailable', 'team_added_to_org', 'accesslimited']);
const FIXES: Readonly<Record<string, string>> = {
  not_in_channel: 'Invite the bot to the channel: /invite @bot.',
  channel_not_found: 'Check the id, and invite the bot to the channel if it is private.',
  not_allowed_token_type: 'Use a token of the kind the setting names: botToken xoxb-…, appToken xapp-….',
  messages_tab_disabled: 'Turn on the Messages tab in the App Home of the Slack app.',
};

/** The word Slack gave, where it gave one. */
export const slackCode = (error: unknown): string | undefined => {
  const { data } = (error ?? {}) as { data?: { error?: unknown } };
  return typeof data?.error === 'string' && data.error.length <= 80 ? data.error : undefined;
};

/** The word of Slack's that an error of ours stands for. */
export const wordOf = (error: unknown): string | undefined =>
  error instanceof AppError && typeof error.details?.['slack'] === 'string' ? error.details['slack'] : undefined;

/** `method` is the one that was called, e.g. `chat.postMessage`. */
export function slackError(error: unknown, method: string): AppError {
  if (error instanceof AppError) return error;
  const { code, retryAfter, statusCode, data } = error as {
    code?: string;
    retryAfter?: number;
    statusCode?: number;
    data?: { needed?: unknown };
  };
  const word = slackCode(error);
  const say = (kind: ConstructorParameters<typeof AppError>[0], what: string): AppError =>
    new AppError(kind, `Slack ${method}: ${what}`, {
      cause: bare(error),
      ...present({ details: word ? { slack: word } : undefined }),
    });
  if (code === 'slack_webapi_rate_limited_error')
    return new AppError('rate_limited', `Slack ${method}: rate limited; retry in ${retryAfter} s.`, {
      retryAfterMs: (retryAfter ?? 1) * 1000,
      cause: bare(error),
    });
  if (code === 'slack_webapi_http_error')
    return say(
      statusCode !== undefined && statusCode >= 500 ? 'network' : 'bad_response',
      `answered with HTTP status ${statusCode}.`,
    );
  if (code === 'slack_webapi_platform_error')
    return platformError(word, typeof data?.needed === 'string' ? data.needed : undefined, say);
  return connectionError(error, say);
}

type Say = (kind: ConstructorParameters<typeof AppError>[0], what: string) => AppError;

function platformError(word: string | undefined, needed: string | undefined, say: Say): AppError {
  const what = word ?? 'invalid response.';
  if (!word) return say('bad_response', what);
  if (AUTH.has(word))
    return say(
      'auth',
      `${word}: the token was rejected. Reinstall the app in the workspace, set the new token in ` +
        `channels.slack.botToken (and appToken), then: ${PUBLIC_COMMAND} channels restart --channel slack`,
    );
  if (word === 'missing_scope')
    return say(
      'denied',
      `missing_scope: add the scope ${needed ?? 'named in the docs'} to the Slack app and reinstall it.`,
    );
  if (word === 'ratelimited') return new AppError('rate_limited', 'Slack: rate limited.', { retryAfterMs: 30_000 });
  const fix = FIXES[word] ? `${word}. ${FIXES[word]}` : word;
  if (NOT_FOUND.has(word)) return say('not_found', fix);
  if (DENIED.has(word)) return say('denied', fix);
  if (TOO_LARGE.has(word)) return say('too_large', fix);
  if (IN_THE_DARK.has(word)) return say('network', fix);
  if (UNAVAILABLE.has(word)) return say('unavailable', fix);
  return say('invalid', fix);
}

function connectionError(error: unknown, say: Say): AppError {
  const chain = causes(error);
  if (chain.some(({ name }) => name === 'TimeoutError' || name === 'AbortError'))
    return say('timeout', 'the request timed out.');
  const errno = chain.find(({ code }) => neverSent(code))?.code;
  return errno
    ? say('unavailable', `cannot be reached (${errno}).`)
    : say('network', 'the connection closed before the response arrived.');
}

function causes(error: unknown): readonly { readonly name?: string; readonly code?: string }[] {
  const chain: { name?: string; code?: string; cause?: unknown; errors?: readonly unknown[] }[] = [];
  for (
    let next = error;
    typeof next === 'object' && next !== null && chain.length < 8;
    next = (next as { cause?: unknown }).cause
  ) {
    const link = next as (typeof chain)[number];
    chain.push(link, ...(Array.isArray(link.errors) ? (link.errors as typeof chain) : []));
  }
  return chain;
}

/** The library's errors carry whole answers and requests; a cause goes into logs. */
const bare = (error: unknown): Error =>
  new Error(
    error instanceof Error
      ? `${error.name}: ${slackCode(error) ?? (error as { code?: string }).code ?? 'no code'}`
      : 'not an error',
  );
