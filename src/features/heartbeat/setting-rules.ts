/**
 * Rules about the settings of heartbeats besides their schema: interval and hours may be changed by a turn, the target
 * may not.
 */
import type { SettingRules } from '../../config/setting-rules.ts';

export const heartbeatRules: SettingRules = {
  guards: [['agents.defaults.heartbeat', 'says where the agent reports on its own']],
  open: ['agents.defaults', 'agents.list.*'].flatMap((at) =>
    ['every', 'activeHours', 'ackMaxChars', 'model'].map((name) => `${at}.heartbeat.${name}`),
  ),
};
