/** Converts errors of Discord and its library to ours: what happened, where, and what to do. */
import { DiscordAPIError, HTTPError, RateLimitError } from '@discordjs/rest';
import { AppError, neverSent } from '../../sdk/index.ts';

/** Codes of Discord's JSON errors that mean something of their own. */
export const CODE = {
  unknownChannel: 10003,
  unknownMessage: 10008,
  unknownWebhook: 10015,
  unknownInteraction: 10062,
  cannotMessageUser: 50007,
  missingAccess: 50001,
  missingPermissions: 50013,
  invalidToken: 50014,
  invalidWebhookToken: 50027,
  tooLarge: 40005,
  invalidForm: 50035,
  threadExists: 160_004,
  threadArchived: 50083,
} as const;

const TOKEN_FIX =
  'Reset it in the Discord Developer Portal (Bot, Reset Token) and put the new one in ' +
  'channels.discord.token, tokenFile or DISCORD_BOT_TOKEN.';

export const tokenRefused = (cause?: unknown): AppError =>
  new AppError('auth', `Discord refused the bot's token. ${TOKEN_FIX}`, { cause });

/**
 * `doing` completes "Discord … while": `sending to channel 1`. A request that may have left us and got no answer is
 * `timeout` or `network`.
 */
export function discordError(error: unknown, doing: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof RateLimitError) {
    return new AppError(
      'rate_limited',
      `Discord limits the rate while ${doing}; retry in ${Math.ceil(error.retryAfter / 1000)} s.`,
      { cause: bare(error), retryAfterMs: Math.max(1, error.retryAfter, error.sublimitTimeout) },
    );
  }
  if (error instanceof DiscordAPIError) return refusal(error, doing);
  if (error instanceof HTTPError)
    return new AppError(
      error.status === 504 ? 'timeout' : 'unavailable',
      `Discord answered ${error.status} while ${doing}.`,
      { cause: bare(error) },
    );
  return broken(error, doing);
}

function refusal(error: DiscordAPIError, doing: string): AppError {
  const said = (code: ConstructorParameters<typeof AppError>[0], message: string): AppError =>
    new AppError(code, message, { cause: bare(error), details: { discordCode: error.code } });
  if (error.status === 401 || error.code === CODE.invalidToken) return tokenRefused(bare(error));
  if (error.code === CODE.cannotMessageUser)
    return said(
      'denied',
      'This person does not accept direct messages from the bot. They have to allow direct messages from a ' +
        'server they share with it, or write to it first.',
    );
  if (error.code === CODE.missingPermissions || error.code === CODE.missingAccess)
    return said(
      'denied',
      `The bot has no permission on Discord while ${doing}. Give its role the permission in the server, or in ` +
        'this channel.',
    );
  if (error.status === 413 || error.code === CODE.tooLarge)
    return said('too_large', `The file exceeds the size limit of Discord while ${doing}.`);
  if (error.status === 404)
    return said(
      'not_found',
      `Discord could not find it (${error.message}) while ${doing}. It may have been deleted, or ` +
        'the bot cannot see it.',
    );
  if (error.status === 403) return said('denied', `Discord does not allow this (${error.message}) while ${doing}.`);
  return said('invalid', `Discord rejected the request (${firstLine(error.message)}) while ${doing}.`);
}

function broken(error: unknown, doing: string): AppError {
  const { name, message, code } =
    error instanceof Error
      ? (error as Error & { code?: string })
      : { name: '', message: String(error), code: undefined };
  // the library forgets a token that was refused once
  if (message.startsWith('Expected token to be set')) return tokenRefused(error);
  if (name === 'AbortError')
    return new AppError('timeout', `Discord did not answer in time while ${doing}.`, { cause: error });
  if (neverSent(code))
    return new AppError(
      'unavailable',
      `Discord cannot be reached (${code}) while ${doing}. Check the network and channels.discord.apiRoot.`,
      { cause: error },
    );
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return new AppError('timeout', `Discord did not answer in time while ${doing}.`, { cause: error });
  return new AppError('network', `The connection to Discord broke (${code ?? name}) while ${doing}.`, { cause: error });
}

export const codeOf = (error: unknown): number | undefined => {
  const found =
    error instanceof AppError
      ? error.details?.['discordCode']
      : error instanceof DiscordAPIError
        ? error.code
        : undefined;
  return typeof found === 'number' ? found : undefined;
};

const firstLine = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 2)
    .join(': ')
    .slice(0, 200);

/** The library's errors carry the request along, with what was said in it and addresses that are secrets. */
const bare = (error: Error): Error => Object.assign(new Error(error.message), { name: error.name });
