/** Rules about the settings of jobs besides their schema. */
import type { SettingRules } from '../../config/setting-rules.ts';

export const cronRules: SettingRules = {
  guards: [
    ['cron.store', 'is a file that is written'],
    ['cron', 'controls whether jobs run, and how many at once'],
  ],
  open: ['cron.missed', 'cron.skipMissedJobs'],
  own: ['cron'],
  withinOwn: [
    'cron.failureAlert',
    'cron.failureDestination',
    'cron.retry',
    'cron.runLog',
    'cron.sessionRetention',
    'cron.triggers',
    'cron.webhook',
    'cron.webhookToken',
  ],
};
