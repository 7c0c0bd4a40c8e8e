/** A conversation's state as a few lines of text. Pure. */

/** What `sessions.describe` answers; everything but the key may be unknown. Times are milliseconds since the epoch. */
export interface SessionDescription {
  readonly sessionKey: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  /** `provider/model` in force. */
  readonly model?: string;
  /** Set when a person or the agent chose it for this conversation. */
  readonly modelOverride?: string;
  readonly thinkingLevel?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Tokens in the context now. */
  readonly totalTokens?: number;
  readonly contextWindow?: number;
  readonly compactionCount?: number;
  readonly costUsd?: number;
  readonly createdAt?: number;
  readonly updatedAt?: number;
  readonly queue?: { readonly mode: string; readonly depth: number };
  readonly now?: number;
}

export function statusCard(session: SessionDescription): string {
  const now = session.now ?? Date.now();
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Model', session.model && `${session.model}${session.modelOverride ? ' (chosen for this conversation)' : ''}`],
    ['Thinking', session.thinkingLevel],
    ['Tokens', session.inputTokens === undefined && session.outputTokens === undefined ? undefined : `${count(session.inputTokens ?? 0)} in, ${count(session.outputTokens ?? 0)} out${costOf(session)}`],
    ['Context', contextOf(session)],
    ['Session', `${session.sessionKey}${session.sessionId ? ` (${session.sessionId})` : ''}`],
    ['Age', session.createdAt === undefined ? undefined : span(now - session.createdAt) + (session.updatedAt === undefined ? '' : `, last activity ${span(now - session.updatedAt)} ago`)],
    ['Compactions', session.compactionCount ? String(session.compactionCount) : undefined],
    ['Queue', session.queue && `${session.queue.mode}, ${session.queue.depth} waiting`],
  ];
  return rows.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : [])).join('\n');
}

const costOf = ({ costUsd }: SessionDescription): string => (costUsd ? `, $${costUsd < 0.01 ? costUsd.toFixed(4) : costUsd.toFixed(2)}` : '');

function contextOf({ totalTokens, contextWindow }: SessionDescription): string | undefined {
  if (totalTokens === undefined) return contextWindow === undefined ? undefined : `${count(contextWindow)} tokens`;
  return contextWindow ? `${count(totalTokens)} of ${count(contextWindow)} tokens (${Math.round((totalTokens / contextWindow) * 100)} %)` : `${count(totalTokens)} tokens`;
}

const count = (tokens: number): string => (tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k`);

function span(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
}
