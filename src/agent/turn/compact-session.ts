/** Compacts a session, on request or because a turn exceeded the context window. */
import type { Log } from '../../core/log.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { AgentsConfig } from '../config.ts';
import type { Models } from '../models/create-models.ts';
import { resolveAgent } from '../resolve-agent.ts';
import { autoCompact, summariseSession, type Summarised } from './auto-compact.ts';
import type { TurnDeps } from './run-turn.ts';

/** What summarising takes. */
export interface SummaryDeps {
  readonly sessions: Sessions;
  readonly models: Models;
  readonly log: Log;
  readonly clock: Clock;
  config(): { readonly agents: AgentsConfig };
}

/** Summarises one session now; runs in its lane. */
export async function compactNow(
  key: string,
  instructions: string | undefined,
  going: AbortSignal,
  deps: SummaryDeps,
): Promise<Summarised> {
  const session = await deps.sessions.existing(key);
  if (!session) return { compacted: false, reason: 'This session has no conversation yet.' };
  const agent = resolveAgent(deps.config(), session.agentId);
  const [candidate] = await deps.models.choose(agent.id, agent.compaction.model);
  const signal = AbortSignal.any([going, AbortSignal.timeout(agent.timeoutMs)]);
  return summariseSession(
    {
      session,
      candidate: candidate!,
      instructions,
      signal,
      settings: {
        reserve: agent.compaction.reserveTokensFloor,
        keepRecent: Math.min(agent.compaction.keepRecentTokens, 2000),
      },
    },
    deps,
  );
}

/** What a turn does when its conversation grows too long. */
export const turnRoom =
  (deps: Omit<SummaryDeps, 'models'>): TurnDeps['autoCompact'] =>
  ({ session, setting, force, signal, emit }) => {
    const { compaction } = resolveAgent(deps.config(), session.agentId);
    return autoCompact(
      {
        session,
        force,
        signal,
        emit,
        candidate: setting.candidates[0]!,
        system: setting.system,
        contextTokens: setting.contextTokens,
        settings: { reserve: compaction.reserveTokensFloor, keepRecent: compaction.keepRecentTokens },
      },
      deps,
    );
  };
