/** What is known of the settings of hooks beside their schema. */
import type { SettingRules } from '../../config/setting-rules.ts';

export const hooksRules: SettingRules = {
  guards: [['hooks', 'opens the gateway to programs, with a token']],
  own: ['hooks'],
  withinOwn: ['hooks.gmail', 'hooks.internal'],
  unread: [
    {
      at: 'hooks.allowedSessionKeyPrefixes',
      limits: 'the sessions hooks reach',
      fix: 'Set `hooks.allowRequestSessionKey` to false, and remove it.',
    },
  ],
  limiting: [['hooks', ['allowedAgentIds', 'allowRequestSessionKey']]],
};
