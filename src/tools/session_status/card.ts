/** A conversation's state as a few lines of text. Pure. */

/**
 * What `sessions.describe` answers; what is not known is left out of the card. Times are milliseconds since the epoch.
 */
export interface SessionDescription {
  readonly sessionKey: string;
  readonly sessionId?: string;
  /** `provider/model` in force, and where the choice comes from. */
  readonly model?: string;
  readonly modelSource?: string;
  readonly thinkingLevel?: string;
  /** Where commands run, in words, and how far the session lets them go. */
  readonly commands?: string;
  readonly elevatedLevel?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Tokens in the context now. */
  readonly totalTokens?: number;
  /** Tokens the context can hold. */
  readonly contextTokens?: number;
  readonly compactions?: number;
  readonly costUsd?: number;
  readonly createdAt?: number;
  readonly updatedAt?: number;
  readonly queueMode?: string;
  readonly queued?: number;
}

export function statusCard(session: SessionDescription, now: number): string {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Model', session.model && `${session.model}${session.modelSource ? ` (${session.modelSource})` : ''}`],
    ['Thinking', session.thinkingLevel],
    [
      'Tokens',
      session.inputTokens === undefined && session.outputTokens === undefined
        ? undefined
        : `${count(session.inputTokens ?? 0)} in, ${count(session.outputTokens ?? 0)} out${costOf(session)}`,
    ],
    ['Context', contextOf(session)],
    ['Session', `${session.sessionKey}${session.sessionId ? ` (${session.sessionId})` : ''}`],
    [
      'Age',
      session.createdAt === undefined
        ? undefined
        : span(now - session.createdAt) +
          (session.updatedAt === undefined ? '' : `, last activity ${span(now - session.updatedAt)} ago`),
    ],
    ['Compactions', session.compactions ? String(session.compactions) : undefined],
    [
      'Commands',
      session.commands && `${session.commands}${session.elevatedLevel ? `, elevated ${session.elevatedLevel}` : ''}`,
    ],
    ['Queue', session.queueMode && `${session.queueMode}, ${session.queued ?? 0} waiting`],
  ];
  return rows.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : [])).join('\n');
}

const costOf = ({ costUsd }: SessionDescription): string =>
  costUsd ? `, $${costUsd < 0.01 ? costUsd.toFixed(4) : costUsd.toFixed(2)}` : '';

function contextOf({ totalTokens, contextTokens }: SessionDescription): string | undefined {
  if (totalTokens === undefined) return contextTokens === undefined ? undefined : `${count(contextTokens)} tokens`;
  return contextTokens
    ? `${count(totalTokens)} of ${count(contextTokens)} tokens (${Math.round((totalTokens / contextTokens) * 100)} %)`
    : `${count(totalTokens)} tokens`;
}

const count = (tokens: number): string =>
  tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k`;

function span(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
}
