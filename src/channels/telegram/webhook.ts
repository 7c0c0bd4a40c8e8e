/** Webhook mode: Telegram posts each update to the gateway and repeats it until it is acknowledged. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { parseJson, AppError, type Log, type WebhookHandler } from '../../sdk/index.ts';
import type { TelegramApi } from './api.ts';
import type { TelegramConfig } from './config.ts';
import type { Receiver } from './receiver.ts';
import { ALLOWED_UPDATES, isUpdate } from './updates.ts';

const SECRET_HEADER = 'x-telegram-bot-api-secret-token';

/** The path Telegram's posts arrive at. */
export function webhookPathOf({ webhookUrl, webhookPath }: Pick<TelegramConfig, 'webhookUrl' | 'webhookPath'>): string {
  const path = webhookPath ?? new URL(webhookUrl!).pathname;
  if (path === '/')
    throw new AppError(
      'invalid',
      'channels.telegram.webhookUrl needs a path, e.g. https://bot.example.org/telegram-webhook, or set webhookPath.',
    );
  return path;
}

/** Telegram's own rule; without a secret anybody could speak for anybody. */
export function checkedSecret(secret: string | undefined): string {
  if (secret !== undefined && /^[\w-]{1,256}$/.test(secret)) return secret;
  throw new AppError(
    'invalid',
    'channels.telegram.webhookSecret must be set together with webhookUrl: 1 to 256 letters, digits, `_` and `-`.',
  );
}

export async function setWebhook(
  api: TelegramApi,
  { url, secret, reactions, signal }: { url: string; secret: string; reactions: boolean; signal: AbortSignal },
): Promise<void> {
  await api.calls.setWebhook(
    {
      url,
      secret_token: secret,
      max_connections: 40,
      allowed_updates: ALLOWED_UPDATES.filter((kind) => reactions || kind !== 'message_reaction'),
    },
    signal,
  );
}

export function createWebhookHandler({
  secret,
  receiver,
  alive,
  log,
}: {
  secret: string;
  receiver: Receiver;
  alive: () => void;
  log: Log;
}): WebhookHandler {
  const wanted = digest(secret);
  return async ({ method, headers, body }) => {
    const presented = headers[SECRET_HEADER];
    if (typeof presented !== 'string' || !timingSafeEqual(digest(presented), wanted)) return { status: 401 };
    if (method !== 'POST') return { status: 405 };
    const update = parseJson(body.toString());
    if (!isUpdate(update)) {
      log.warn('telegram.update.malformed', { bytes: body.length });
      return { status: 200 };
    }
    alive();
    return receiver.take(update).then(
      () => ({ status: 200 }),
      // the platform offers it again
      (error: unknown) => {
        log.debug('telegram.update.untaken', { update: update.update_id, error });
        return { status: 503 };
      },
    );
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
