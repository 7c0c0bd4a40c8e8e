/** `route explain`: shows which agent and session a message would reach, and how each binding matches. */
import { columns } from '../columns.ts';
import type { Call } from '../command.ts';
import { hypothetical } from '../hypothetical.ts';

interface Binding {
  readonly path: string;
  readonly agentId: string;
  readonly matches: boolean;
  readonly chosen: boolean;
  readonly why: string;
}

export interface RouteExplained {
  readonly route: {
    readonly agentId: string;
    readonly sessionKey: string;
    readonly matchedBy: string;
    readonly replyTo: {
      readonly channel: string;
      readonly accountId: string;
      readonly chat: { readonly kind: string; readonly id: string };
      readonly threadId?: string;
    };
  };
  readonly bindings: readonly Binding[];
  readonly broadcast?: { readonly agents: readonly string[]; readonly strategy: string; readonly path: string };
  readonly sessionKeys: readonly string[];
}

export async function routeExplain(call: Call): Promise<void> {
  const explained = await (await call.gateway()).request<RouteExplained>('route.explain', hypothetical(call));
  call.io.out(call.flags.has('json') ? JSON.stringify(explained, null, 2) : routeReport(explained));
}

export function routeReport({ route, bindings, broadcast, sessionKeys }: RouteExplained): string {
  const { channel, accountId, chat, threadId } = route.replyTo;
  const where =
    `${channel}, account ${accountId}, ${chat.kind} ` +
    `${chat.id || '(any)'}${threadId === undefined ? '' : `, thread ${threadId}`}`;
  const who = broadcast
    ? [
        `  agents   ${broadcast.agents.join(', ')}, ${broadcast.strategy} (${broadcast.path})`,
        ...sessionKeys.map((key) => `  session  ${key}`),
      ]
    : [`  agent    ${route.agentId} (by ${route.matchedBy})`, `  session  ${route.sessionKey}`];
  const rows = bindings.map(({ path, agentId, matches, chosen, why }) => [
    `  ${chosen ? '→' : matches ? '✓' : '✗'}`,
    path,
    agentId,
    why,
  ]);
  return [
    `Messages from ${where} go to:`,
    ...who,
    '',
    rows.length === 0 ? `No bindings for ${channel}.` : `Bindings for ${channel}:\n${columns(rows)}`,
  ].join('\n');
}
