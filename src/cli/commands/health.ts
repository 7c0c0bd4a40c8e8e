/** `health`: shows whether the gateway and its channels are healthy; exit code 1 if not. */
import type { Call } from '../command.ts';
import { columns } from '../columns.ts';
import { ago, span } from '../durations.ts';
import { troubles, type GatewayFacts } from '../gateway-facts.ts';

interface HealthReport {
  readonly ok: boolean;
  readonly durationMs?: number;
  readonly phase?: string;
  readonly eventLoop?: { readonly degraded: boolean; readonly delayP99Ms: number };
  readonly channels?: Readonly<Record<string, { readonly ok?: boolean; readonly summary: string }>>;
  readonly channelOrder?: readonly string[];
  readonly heartbeatSeconds?: number;
  readonly defaultAgentId?: string;
  readonly sessions?: {
    readonly count: number;
    readonly recent: readonly { readonly key: string; readonly updatedAt: number }[];
  };
  readonly storage?: GatewayFacts['storage'];
  readonly config?: GatewayFacts['config'];
  readonly overdue?: number;
}

export async function health(call: Call): Promise<number> {
  const { io, flags, gateway } = call;
  const report = await (await gateway()).request<HealthReport>('health', flags.has('probe') ? { probe: true } : {});
  if (flags.has('json')) io.out(JSON.stringify(report, null, 2));
  else io.out(healthText(report));
  return report.ok ? 0 : 1;
}

export function healthText(report: HealthReport): string {
  const {
    phase,
    durationMs,
    eventLoop,
    channels = {},
    channelOrder = Object.keys(channels),
    sessions,
    heartbeatSeconds,
    defaultAgentId,
  } = report;
  const wrong = troublesOf(report);
  const lines = channelOrder
    .map((id) => channels[id])
    .filter((channel) => channel !== undefined)
    .map(({ summary }) => summary);
  const newest = sessions?.recent[0];
  const rows: (readonly [string, string | undefined])[] = [
    [
      'gateway',
      `${report.ok && wrong.length === 0 ? 'healthy' : report.ok ? 'degraded' : 'unhealthy'}${phase === undefined ? '' : `, ${phase}`}${durationMs === undefined ? '' : ` (checked in ${durationMs} ms)`}`,
    ],
    ...(lines.length > 0 ? lines : ['none configured (web chat only)']).map(
      (line, index) => [index === 0 ? 'channels' : '', line] as const,
    ),
    [
      'sessions',
      sessions && `${sessions.count}${newest ? `, the newest ${newest.key}, ${ago(newest.updatedAt)}` : ''}`,
    ],
    [
      'heartbeat',
      heartbeatSeconds === undefined
        ? undefined
        : heartbeatSeconds === 0
          ? 'off'
          : `every ${span(heartbeatSeconds * 1000)}${defaultAgentId ? `, agent ${defaultAgentId}` : ''}`,
    ],
    [
      'speed',
      eventLoop && `event loop p99 ${eventLoop.delayP99Ms.toFixed(1)} ms${eventLoop.degraded ? ', too slow' : ''}`,
    ],
    ...wrong.map((line) => ['trouble', line] as const),
  ];
  return columns(rows.filter((row): row is readonly [string, string] => row[1] !== undefined));
}

/** Channels show their own problems in their own line. */
const troublesOf = ({
  storage = { ok: true },
  config = { valid: true, source: 'file', safeMode: false, issues: [] },
  overdue = 0,
}: HealthReport): readonly string[] => troubles({ storage, config, overdue, accepting: true, phase: 'ready' });
