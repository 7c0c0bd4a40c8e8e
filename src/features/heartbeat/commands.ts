/** `system heartbeat last|enable|disable`: shows the last heartbeat, and turns heartbeats on or off. */
import { visibleLine } from '../../core/visible-text.ts';
import type { Call } from '../../cli/command.ts';
import { ago } from '../../cli/durations.ts';
import { present } from '../../core/present.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

interface Report {
  readonly ts: number;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly status: string;
  readonly reason?: string;
  readonly preview?: string;
  readonly channel?: string;
  readonly to?: string;
  readonly silent?: boolean;
}

export async function heartbeatLast(call: Call): Promise<void> {
  const { io, flags } = call;
  const agentId = flags.text('agent');
  const report = await (await call.gateway()).request<Partial<Report> | null>('last-heartbeat', present({ agentId }));
  io.out(flags.has('json') ? JSON.stringify(report, null, 2) : reportText(report));
}

const MEANS: Readonly<Record<string, string>> = {
  sent: 'sent',
  ok: 'ok',
  skipped: 'skipped',
  failed: 'failed',
};

/** Why it did not look; other reasons stand for themselves. */
const BECAUSE: Readonly<Record<string, string>> = {
  disabled: `heartbeats are off; \`${OWN_COMMAND} system heartbeat enable\``,
  'quiet-hours': 'outside activeHours',
  'alerts-disabled': 'alerts are disabled, see channels.defaults.heartbeat',
  'requests-in-flight': 'the agent was busy',
  'empty-heartbeat-file': 'HEARTBEAT.md is empty',
};

function reportText(report: Partial<Report> | null): string {
  if (report?.ts === undefined || report.status === undefined) return 'No heartbeat yet.';
  const { ts, agentId, status, reason, channel, to, preview } = report;
  const where = channel === undefined ? '' : `, ${visibleLine([channel, to].filter(Boolean).join(' '))}`;
  return [
    `${ago(ts)}${agentId ? `, ${visibleLine(agentId)}` : ''}: ` +
      `${MEANS[status] ?? visibleLine(status)}${reason ? ` (${BECAUSE[reason] ?? visibleLine(reason)})` : ''}${where}.`,
    ...(preview ? [`  ${visibleLine(preview)}`] : []),
  ].join('\n');
}

export const heartbeatEnable = (call: Call): Promise<void> => setHeartbeats(call, true);
export const heartbeatDisable = (call: Call): Promise<void> => setHeartbeats(call, false);

async function setHeartbeats(call: Call, enabled: boolean): Promise<void> {
  const { io, flags } = call;
  const answer = await (await call.gateway()).request('set-heartbeats', { enabled });
  io.out(
    flags.has('json')
      ? JSON.stringify(answer, null, 2)
      : enabled
        ? 'Heartbeats are on.'
        : 'Heartbeats are off until the gateway restarts.',
  );
}
