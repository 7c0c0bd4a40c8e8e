/** What slash commands act on: the session, its lane, its model. */
import { makeRoom, summariseSession, type Summarised } from '../../agent/turn/make-room.ts';
import type { AgentsConfig } from '../../agent/config.ts';
import type { Models } from '../../agent/models/create-models.ts';
import { resolveAgent } from '../../agent/resolve-agent.ts';
import type { TurnDeps } from '../../agent/turn/run-turn.ts';
import { settingsOf, type ChannelSections } from '../../config/channel-config.ts';
import type { ElevatedLevel } from '../../config/exec-config.ts';
import { formatPath } from '../../config/paths.ts';
import type { ConfigStore } from '../../config/store.ts';
import type { ApprovalDecision } from '../../core/approval.ts';
import type { Log } from '../../core/log.ts';
import type { RequestRestart } from '../../host/restart.ts';
import type { CommandCall } from '../commands/command-call.ts';
import type { CommandHost } from '../commands/command-host.ts';
import type { CommandsConfig } from '../commands/config.ts';
import { COMMANDS } from '../commands/table.ts';
import type { Inbound, Waiting } from '../inbound.ts';
import type { Clock } from '../../platform/clock.ts';
import type { MessagesConfig } from '../../sessions/config.ts';
import type { Lanes } from '../../sessions/lanes.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { createConfigDesk } from './config-desk.ts';
import { createContextReport, type ContextReportDeps } from './context-report.ts';
import { createModelDesk } from './model-desk.ts';
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
  config(): CommandConfig;
  readonly store: ConfigStore<unknown>;
  /** Whether a change of this setting begins the gateway anew. */
  needsRestart(path: string): boolean;
  readonly prepare: ContextReportDeps['prepare'];
  readonly requestRestart: RequestRestart;
  /** Ends the sub-agents a session started; how many there were. */
  stopChildren(key: string, ids?: readonly string[]): Promise<number>;
  readonly subagents: CommandHost['subagents'];
  skills(agentId: string): Promise<readonly { readonly name: string; readonly description: string }[]>;
  readonly bash: CommandHost['bash'];
  /** An allowlist entry as the channel spells it; undefined when it can never be a sender's id. */
  senderEntry(channel: string, entry: string): string | undefined;
  /** Channels outside the product that are in use. */
  channelIds(): readonly string[];
  lanes(): Lanes<Waiting>;
  inbound(): Inbound;
  statusCard: StatusCard;
}

interface CommandConfig {
  readonly agents: AgentsConfig;
  readonly commands: CommandsConfig;
  readonly messages: MessagesConfig;
  readonly channels: ChannelSections;
}

/** What summarising takes. */
type SummaryDeps = Pick<CommandHostDeps, 'sessions' | 'models' | 'log' | 'clock'> & {
  config(): { readonly agents: AgentsConfig };
};

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
  (deps: Omit<SummaryDeps, 'models'>): TurnDeps['makeRoom'] =>
  ({ session, setting, force, signal, emit }) => {
    const { compaction } = resolveAgent(deps.config(), session.agentId);
    return makeRoom(
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

/** Restarts come with this much notice, so that the answer is out before. */
const RESTART_DELAY_MS = 2000;

export function createCommandHost(deps: CommandHostDeps): CommandHost {
  const { sessions } = deps;
  return {
    ...deps.hands,
    commands: COMMANDS,
    models: createModelDesk(deps),
    config: createConfigDesk(deps.store, deps.needsRestart),
    statusCard: deps.statusCard,
    contextReport: createContextReport(deps),
    senderEntry: deps.senderEntry,
    subagents: deps.subagents,
    stopSubagents: deps.stopChildren,
    bash: deps.bash,
    skills: (key) => deps.skills(sessions.agentOf(key)),
    entry: (key) => sessions.peek(key),

    settings() {
      const { commands, messages, channels } = deps.config();
      return {
        commands,
        messages,
        channelIds: deps.channelIds(),
        account: ({ channel, accountId }) => settingsOf(channels, channel, accountId),
        channelPath: (channel, accountId) => accountPath(channels, channel, accountId),
      };
    },

    async patch(key, patch) {
      await sessions.patch(key, patch);
    },

    async resetSession(key) {
      await sessions.reset(key);
    },

    async stop(key, except) {
      const { aborted, removed } = deps.lanes().abort(key);
      const others = removed.filter((item) => item.runId !== except);
      await deps.inbound().onStopped(others);
      const subagents = await deps.stopChildren(key);
      return { turns: aborted.length > 0 ? 1 : 0, queued: others.length, subagents };
    },

    async compact(key, instructions) {
      return deps.lanes().exclusive(key, async (going) => {
        const done = await compactNow(key, instructions, going, deps);
        return going.aborted && !done.compacted ? 'postponed' : done;
      });
    },

    restart({ row, sessionKey }) {
      const { scheduledAt } = deps.requestRestart({
        reason: '/restart',
        delayMs: RESTART_DELAY_MS,
        sessionKey,
        replyTo: row.message.address,
        authority: row.authority,
        note: '⚙️ The gateway is back.',
      });
      return { inMs: Math.max(0, scheduledAt - deps.clock.now()) };
    },
  };
}

/**
 * Where the settings of an account stand: its own section when it has one. Account ids are found without regard to
 * case.
 */
export function accountPath(channels: ChannelSections, channel: string, accountId: string): string {
  const accounts = channels[channel]?.['accounts'];
  const own =
    typeof accounts === 'object' && accounts !== null
      ? Object.keys(accounts).find((id) => id.trim().toLowerCase() === accountId)
      : undefined;
  return own === undefined ? `channels.${channel}` : formatPath(['channels', channel, 'accounts', own]);
}
