/** `system event` and `system heartbeat last|enable|disable`: tells the agent something, and whether it looks by itself. */
import { AppError } from '../../core/errors.ts';
import { visibleLine } from '../../core/visible-text.ts';
import type { Call } from '../command.ts';
import { ago } from '../durations.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

const MODES = ['now', 'next-heartbeat'];

export async function systemEvent(call: Call): Promise<void> {
  const { io, flags } = call;
  const mode = flags.text('mode') ?? 'next-heartbeat';
  if (!MODES.includes(mode)) throw new AppError('invalid', `--mode is "${mode}"; it is now or next-heartbeat.`);
  const text = (await textOf(call)).trim();
  if (!text) throw new AppError('invalid', '--text is empty: what is the agent told?');
  const sessionKey = flags.text('session');
  const answer = await (await call.gateway()).request('wake', { text, mode, ...(sessionKey !== undefined && { sessionKey }) });
  io.out(flags.has('json') ? JSON.stringify(answer, null, 2) : mode === 'now' ? 'Told; the agent looks at it now.' : 'Told; the agent sees it with its next heartbeat or message.');
}

async function textOf({ flags, io }: Call): Promise<string> {
  const written = flags.text('text')!;
  if (written !== '-') return written;
  const parts: string[] = [];
  for await (const part of io.stdin) parts.push(String(part));
  return parts.join('');
}

interface Report { readonly ts: number; readonly agentId?: string; readonly sessionKey?: string; readonly status: string; readonly reason?: string; readonly preview?: string; readonly channel?: string; readonly to?: string; readonly silent?: boolean }

export async function heartbeatLast(call: Call): Promise<void> {
  const { io, flags } = call;
  const agentId = flags.text('agent');
  const report = await (await call.gateway()).request<Partial<Report> | null>('last-heartbeat', { ...(agentId !== undefined && { agentId }) });
  io.out(flags.has('json') ? JSON.stringify(report, null, 2) : reportText(report));
}

const MEANS: Readonly<Record<string, string>> = { sent: 'told a person', ok: 'nothing needed anybody', skipped: 'it did not look', failed: 'it could not look' };

/** Why it did not look; other reasons stand for themselves. */
const BECAUSE: Readonly<Record<string, string>> = {
  disabled: `heartbeats are off; \`${OWN_COMMAND} system heartbeat enable\``, 'quiet-hours': 'outside activeHours', 'alerts-disabled': 'nothing would be shown, see channels.defaults.heartbeat',
  'requests-in-flight': 'somebody was talking with it', 'empty-heartbeat-file': 'HEARTBEAT.md asks for nothing',
};

function reportText(report: Partial<Report> | null): string {
  if (report?.ts === undefined || report.status === undefined) return 'The agent has not looked yet.';
  const { ts, agentId, status, reason, channel, to, preview } = report;
  const where = channel === undefined ? '' : `, ${visibleLine([channel, to].filter(Boolean).join(' '))}`;
  return [`${ago(ts)}${agentId ? `, ${visibleLine(agentId)}` : ''}: ${MEANS[status] ?? visibleLine(status)}${reason ? ` (${BECAUSE[reason] ?? visibleLine(reason)})` : ''}${where}.`, ...(preview ? [`  ${visibleLine(preview)}`] : [])].join('\n');
}

export const heartbeatEnable = (call: Call): Promise<void> => setHeartbeats(call, true);
export const heartbeatDisable = (call: Call): Promise<void> => setHeartbeats(call, false);

async function setHeartbeats(call: Call, enabled: boolean): Promise<void> {
  const { io, flags } = call;
  const answer = await (await call.gateway()).request('set-heartbeats', { enabled });
  io.out(flags.has('json') ? JSON.stringify(answer, null, 2) : enabled ? 'Heartbeats are on.' : 'Heartbeats are off until the gateway starts again.');
}
