/** Checks a token with Telegram before it is saved. */
import type { ChannelPlugin } from '../../sdk/index.ts';
import { createApi } from './api.ts';
import type { TelegramConfig } from './config.ts';

export const verify: NonNullable<ChannelPlugin<TelegramConfig>['verify']> = async ({ config, credentials, signal }) => {
  using api = createApi({
    token: credentials['botToken'] ?? '',
    apiRoot: config.apiRoot,
    timeoutSeconds: config.timeoutSeconds,
    proxy: config.proxy,
    onRevoked() {},
  });
  await api.calls.getMe(signal as never);
};
