/** Summarizes a session's conversation before it exceeds the model's context window, or on request. */
import { compact } from '../compaction/compact.ts';
import { estimateTextTokens, estimateTokens } from '../compaction/estimate-tokens.ts';
import { shouldCompact } from '../compaction/should-compact.ts';
import type { LoopModel } from '../loop/loop-input.ts';
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import type { AgentEvent } from '../../core/turn.ts';
import type { Clock } from '../../platform/clock.ts';
import { shortId } from '../../platform/ids.ts';
import type { OpenSession, Sessions } from '../../sessions/sessions.ts';

export interface CompactSettings {
  readonly reserve: number;
  readonly keepRecent: number;
}

export interface SummariseRequest {
  readonly session: OpenSession;
  readonly candidate: LoopModel;
  readonly settings: CompactSettings;
  readonly instructions?: string | undefined;
  readonly signal: AbortSignal;
}

export interface CompactDeps {
  readonly sessions: Sessions;
  readonly log: Log;
  readonly clock: Clock;
}

export type Summarised =
  | { readonly compacted: true; readonly before: number; readonly after: number }
  | { readonly compacted: false; readonly reason: string };

/** Writes the summary line and the session's counters; on failure the transcript is as it was. */
export async function summariseSession(request: SummariseRequest, deps: CompactDeps): Promise<Summarised> {
  const { session, settings } = request;
  const spoken = session.transcript.conversation();
  const result = await compact({
    candidate: request.candidate,
    messages: spoken.map(({ message }) => message),
    instructions: request.instructions,
    keepRecentTokens: settings.keepRecent,
    signal: request.signal,
    clock: deps.clock,
    log: deps.log,
  });
  if (result.kind === 'nothing') return { compacted: false, reason: result.reason };
  if (result.kind === 'failed') return { compacted: false, reason: result.error.message };
  const firstKept = spoken[result.firstKeptIndex]?.id;
  await session.transcript.append([
    present({
      type: 'compaction',
      id: shortId(),
      summary: result.summary,
      tokensBefore: result.tokensBefore,
      firstKeptId: firstKept || undefined,
    }),
  ]);
  await session.transcript.sync();
  const known = await deps.sessions.get(session.key);
  await deps.sessions.patch(session.key, {
    compactionCount: (known?.compactionCount ?? 0) + 1,
    totalTokens: result.tokensAfter,
  });
  return { compacted: true, before: result.tokensBefore, after: result.tokensAfter };
}

/** A count further below the estimate than this is not of this conversation: tokenizers differ by less. */
const MAX_BELOW = 3;

/**
 * The vendor's own count of the last request is better than our estimate, unless it cannot be true: servers exist that
 * always say the same, or count what they kept after they cut the conversation without a word.
 */
const believable = (counted: number | undefined, estimated: number): number =>
  counted === undefined || counted * MAX_BELOW < estimated ? estimated : counted;

/** Asks whether the next request would be too long and summarises when it would; `force`: the model said so already. */
export async function autoCompact(
  room: Omit<SummariseRequest, 'instructions'> & {
    system: string;
    contextTokens: number | undefined;
    force: boolean;
    emit(event: AgentEvent): void;
  },
  deps: CompactDeps,
): Promise<boolean> {
  const { session, settings, contextTokens } = room;
  if (contextTokens === undefined && !room.force) return false;
  if (!room.force) {
    const messages = session.transcript.conversation();
    const estimated = estimateTextTokens(room.system) + estimateTokens(messages.map(({ message }) => message));
    const tokens = believable(session.entry.totalTokens, estimated);
    if (messages.length < 3 || !shouldCompact({ tokens, contextWindow: contextTokens!, reserve: settings.reserve }))
      return false;
  }
  const result = await summariseSession(
    { ...room, settings: room.force ? { ...settings, keepRecent: Math.floor(settings.keepRecent / 4) } : settings },
    deps,
  );
  if (result.compacted) room.emit({ type: 'compacted', before: result.before, after: result.after });
  else deps.log.warn('session.compaction', { sessionKey: session.key, reason: result.reason });
  return result.compacted;
}
