/** Checks each token with Slack before it is saved. */
import { orAborted, type ChannelPlugin } from '../../sdk/index.ts';
import { createApi } from './api.ts';
import type { SlackSettings } from './config.ts';

export const verify: NonNullable<ChannelPlugin<SlackSettings>['verify']> = async ({
  config,
  credentials,
  log,
  signal,
}) => {
  const ask = async (key: string, method: string): Promise<void> => {
    const token = credentials[key];
    if (token)
      await orAborted(
        createApi({ token, apiRoot: config.apiRoot, timeoutMs: config.timeoutSeconds * 1000, log }).call(method),
        signal,
      );
  };
  await ask('botToken', 'auth.test');
  // An address for a socket is all it answers; nothing is opened.
  if (config.mode === 'socket') await ask('appToken', 'apps.connections.open');
};
