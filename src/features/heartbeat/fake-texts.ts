/** What agents say in the tests of heartbeats. */
import type { HeartbeatEvent as HeartbeatReport } from './answers.ts';
import { MINUTE, type Stage } from './harness.ts';

export const HOUR = 60 * MINUTE;

export const hours = (start: string, end: string, timezone = 'UTC') => ({
  defaults: { heartbeat: { activeHours: { start, end, timezone } } },
});

export const off = { heartbeat: { showOk: false, showAlerts: false, useIndicator: false } };

export const last = ({ world }: Stage): HeartbeatReport => world.reports.at(-1)!;

export const reasons = ({ world }: Stage): readonly string[] =>
  world.reports.map(({ status, reason }) => `${status} ${reason}`);

export const onTelegram = { lastChannel: 'telegram', lastTo: '42', chatType: 'direct' } as const;
