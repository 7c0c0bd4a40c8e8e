/** Checks a token with Discord before it is saved. */
import { Routes } from '@discordjs/core';
import type { ChannelPlugin } from '../../sdk/index.ts';
import { createApi } from './api.ts';
import type { DiscordConfig } from './config.ts';

export const verify: NonNullable<ChannelPlugin<DiscordConfig>['verify']> = async ({ config, credentials, signal }) => {
  await using api = createApi({ token: credentials['token'] ?? '', apiRoot: config.apiRoot, onAuth() {} });
  await api.call('get', Routes.user(), 'asking who the bot is', { signal });
};
