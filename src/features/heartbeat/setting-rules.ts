/** What is known of the settings of heartbeats beside their schema: how often and when are harmless, where is not. */
import type { SettingRules } from '../../config/setting-rules.ts';

export const heartbeatRules: SettingRules = {
  guards: [['agents.defaults.heartbeat', 'says where the agent reports on its own']],
  open: ['agents.defaults', 'agents.list.*'].flatMap((at) =>
    ['every', 'activeHours', 'ackMaxChars', 'model'].map((name) => `${at}.heartbeat.${name}`),
  ),
};
