/** What slash commands act on: the session, its lane, its model. */
import { makeRoom, summariseSession, type Summarised } from '../agent/turn/make-room.ts';
import type { AgentsConfig } from '../agent/config.ts';
import type { Models } from '../agent/models/create-models.ts';
import { resolveAgent } from '../agent/resolve-agent.ts';
import type { TurnDeps } from '../agent/turn/run-turn.ts';
import type { ElevatedLevel } from '../config/exec-config.ts';
import type { ApprovalDecision } from '../core/approval.ts';
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { CommandCall, CommandHost } from '../pipeline/commands/command.ts';
import { COMMANDS } from '../pipeline/commands/table.ts';
import type { Inbound, Waiting } from '../pipeline/inbound.ts';
import type { Clock } from '../platform/clock.ts';
import type { Lanes } from '../sessions/lanes.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { StatusCard } from './status-card.ts';

/** The agent's hands, as far as commands reach them. */
export interface CommandHands {
  approve(call: CommandCall, id: string, decision: ApprovalDecision): Promise<string>;
  approvals(call: CommandCall): readonly string[];
  elevate(call: CommandCall, level: ElevatedLevel | undefined): Promise<string>;
}

export interface CommandHostDeps {
  readonly hands: CommandHands;
  readonly sessions: Sessions;
  readonly models: Models;
  readonly log: Log;
  readonly clock: Clock;
  config(): { readonly agents: AgentsConfig };
  lanes(): Lanes<Waiting>;
  inbound(): Inbound;
  statusCard: StatusCard;
}

/** Summarises one session now; runs in its lane. */
export async function compactNow(key: string, instructions: string | undefined, going: AbortSignal, deps: Pick<CommandHostDeps, 'sessions' | 'models' | 'log' | 'clock' | 'config'>): Promise<Summarised> {
  const session = await deps.sessions.existing(key);
  if (!session) return { compacted: false, reason: 'This session has no conversation yet.' };
  const agent = resolveAgent(deps.config(), session.agentId);
  const [candidate] = await deps.models.choose(agent.id, agent.compaction.model);
  const signal = AbortSignal.any([going, AbortSignal.timeout(agent.timeoutMs)]);
  return summariseSession({ session, candidate: candidate!, instructions, signal, settings: { reserve: agent.compaction.reserveTokensFloor, keepRecent: Math.min(agent.compaction.keepRecentTokens, 2000) } }, deps);
}

/** What a turn does when its conversation grows too long. */
export const turnRoom = (deps: Pick<CommandHostDeps, 'sessions' | 'log' | 'clock' | 'config'>): TurnDeps['makeRoom'] => ({ session, setting, force, signal, emit }) => {
  const { compaction } = resolveAgent(deps.config(), session.agentId);
  return makeRoom({
    session, force, signal, emit, candidate: setting.candidates[0]!, system: setting.system, contextTokens: setting.contextTokens,
    settings: { reserve: compaction.reserveTokensFloor, keepRecent: compaction.keepRecentTokens },
  }, deps);
};

export function createCommandHost(deps: CommandHostDeps): CommandHost {
  return {
    ...deps.hands,
    commands: COMMANDS,
    statusCard: (key) => deps.statusCard(key),

    async resetSession(key) {
      await deps.sessions.reset(key);
    },

    async setModel(key, reference) {
      if (!/[/]|^[\w.-]{2,}$/.test(reference)) return undefined;
      try {
        const [chosen] = await deps.models.choose(deps.sessions.agentOf(key), reference);
        await deps.sessions.patch(key, { providerOverride: chosen!.provider, modelOverride: chosen!.modelId });
        return `${chosen!.provider}/${chosen!.modelId}`;
      } catch (error) {
        if (error instanceof AppError && (error.code === 'invalid' || error.code === 'not_found')) return undefined; // it is the message's first word
        throw error;
      }
    },

    async stop(key, except) {
      const { aborted, removed } = deps.lanes().abort(key);
      const others = removed.filter((item) => item.runId !== except);
      await deps.inbound().onStopped(others);
      return { turns: aborted.length > 0 ? 1 : 0, queued: others.length };
    },

    async compact(key, instructions) {
      return deps.lanes().exclusive(key, async (going) => {
        const done = await compactNow(key, instructions, going, deps);
        return going.aborted && !done.compacted ? 'postponed' : done;
      });
    },
  };
}
