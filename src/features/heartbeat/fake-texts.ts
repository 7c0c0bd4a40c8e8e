/** What agents say in the tests of heartbeats. */
import type { HeartbeatEvent as HeartbeatReport } from './answers.ts';
import { MINUTE, type Harness } from './harness.ts';

export const HOUR = 60 * MINUTE;

export const hours = (start: string, end: string, timezone = 'UTC') => ({
  defaults: { heartbeat: { activeHours: { start, end, timezone } } },
});

export const off = { heartbeat: { showOk: false, showAlerts: false, useIndicator: false } };

export const last = ({ fixture }: Harness): HeartbeatReport => fixture.reports.at(-1)!;

export const reasons = ({ fixture }: Harness): readonly string[] =>
  fixture.reports.map(({ status, reason }) => `${status} ${reason}`);

export const onTelegram = { lastChannel: 'telegram', lastTo: '42', chatType: 'direct' } as const;
