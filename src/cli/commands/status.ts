/** `status`: an overview of the gateway on one screen. */
import type { Call } from '../command.ts';
import { columns } from '../columns.ts';
import { visibleLine } from '../../core/visible-text.ts';
import { ago, span } from '../durations.ts';
import { troubles, type GatewayFacts } from '../gateway-facts.ts';

interface ProbedHealth {
  readonly durationMs: number;
  readonly channels: Readonly<Record<string, { readonly summary: string }>>;
}

const RECENT_SESSIONS = 5;

export async function status(call: Call): Promise<void> {
  const link = await call.gateway();
  if (call.flags.has('perf')) return (await import('./performance.ts')).performance(call, link);
  const [facts, probed] = await Promise.all([
    link.request<GatewayFacts>('status', {}),
    call.flags.has('deep') ? link.request<ProbedHealth>('health', { probe: true }) : undefined,
  ]);
  if (call.flags.has('json'))
    return call.io.out(JSON.stringify(probed ? { ...facts, health: probed } : facts, null, 2));
  const channels = probed ? Object.values(probed.channels).map((channel) => channel.summary) : facts.channelSummary;
  call.io.out(
    columns([
      ['gateway', `${facts.version} at ${link.url}, ${facts.phase}, up ${span(facts.uptimeMs)}`],
      ['model', `${facts.model.provider}/${facts.model.model} (${facts.model.source})`],
      ['turns', `${facts.activeTurns} running, ${facts.queuedMessages} queued, ${facts.outboxPending} to deliver`],
      ['sessions', String(facts.sessions.count)],
      ...facts.sessions.recent
        .slice(0, RECENT_SESSIONS)
        .map((session) => ['', `${session.key}  ${ago(session.updatedAt)}`]),
      ...(channels.length > 0 ? channels : ['none configured (web chat only)']).map((line, index) => [
        index === 0 ? 'channels' : '',
        line,
      ]),
      [
        'process',
        `${Math.round(facts.rssBytes / 1_048_576)} MiB, event loop p99 ${facts.eventLoop.p99Ms.toFixed(1)} ms`,
      ],
      ...summaries(facts),
      ['state', facts.stateDir],
      ...(probed ? [['probe', `${probed.durationMs} ms`]] : []),
      ...troubles({ ...facts, channelProblems: unsaid(facts, channels) }).map((line) => ['trouble', line]),
    ]),
  );
}

/** Features add what they have to say under their own name. */
const summaries = (facts: object): readonly (readonly [string, string])[] =>
  Object.entries(facts).flatMap(([name, value]) => {
    const summary = (value as { readonly summary?: unknown } | null)?.summary;
    return typeof summary === 'string' ? [[name, visibleLine(summary)] as const] : [];
  });

/** Problems that a channel's own line does not show, or without the solution. */
const unsaid = (
  { channelProblems = [] }: GatewayFacts,
  said: readonly string[],
): NonNullable<GatewayFacts['channelProblems']> =>
  channelProblems.filter(({ message, fix }) => fix !== undefined || !said.some((line) => line.includes(message)));
