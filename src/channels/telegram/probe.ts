/** Checks that the token is valid and, in webhook mode, that posts arrive. */
import { AppError, type Probe } from '../../sdk/index.ts';
import type { TelegramApi } from './api.ts';

export async function probe(
  api: TelegramApi,
  { webhook, signal }: { readonly webhook: boolean; readonly signal: AbortSignal },
): Promise<Probe> {
  try {
    const { username } = await api.calls.getMe(signal as never);
    const info = webhook ? await api.calls.getWebhookInfo(signal as never) : undefined;
    if (info && info.url === '')
      return {
        ok: false,
        detail: 'The webhook was removed by another program. Restart the account to set it again.',
      };
    return {
      ok: true,
      detail: info?.last_error_message
        ? `@${username}; the last post to the webhook failed: ${info.last_error_message}`
        : `@${username}`,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ok: false, detail: error.message };
  }
}
