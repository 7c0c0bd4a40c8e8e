/** Creates what slash commands act on: the session, its lane, its model. */
import type { Summarised } from '../../agent/turn/auto-compact.ts';
import type { AgentsConfig } from '../../agent/config.ts';
import type { Models } from '../../agent/models/create-models.ts';
import { settingsOf, type ChannelSections } from '../../config/channel-config.ts';
import type { ElevatedLevel } from '../../core/command-levels.ts';
import { formatPath } from '../../config/paths.ts';
import type { ConfigStore } from '../../config/store.ts';
import type { ApprovalDecision } from '../../core/approval.ts';
import type { Children } from '../../host/children.ts';
import type { RequestRestart } from '../../host/restart.ts';
import type { CommandCall } from '../commands/command-call.ts';
import type { CommandHost } from '../commands/command-host.ts';
import type { CommandsConfig } from '../commands/config.ts';
import { COMMANDS } from '../commands/table.ts';
import type { EndStopped } from '../end-stopped.ts';
import type { TurnLanes } from '../turn-lanes.ts';
import type { MessagesConfig } from '../../sessions/config.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { createConfigService } from './config-service.ts';
import { createContextReport, type ContextReportDeps } from './context-report.ts';
import { createModelService } from './model-service.ts';
import type { StatusCard } from './status-card.ts';

/** Commands on the machine, as far as a chat reaches them. */
export interface CommandExec {
  readonly bash: CommandHost['bash'];
  approve(call: CommandCall, id: string, decision: ApprovalDecision): Promise<string>;
  approvals(call: CommandCall): readonly string[];
  elevate(call: CommandCall, level: ElevatedLevel | undefined): Promise<string>;
}

/** Shortens one session by a summary; `going` ends with the gateway. */
export type Compact = (key: string, instructions: string | undefined, going: AbortSignal) => Promise<Summarised>;

export interface CommandHostDeps {
  readonly sessions: Sessions;
  readonly models: Models;
  config(): CommandConfig;
  readonly store: ConfigStore<unknown>;
  /** What runs and waits in sessions. */
  readonly work: { readonly lanes: TurnLanes; readonly endStopped: EndStopped; readonly compact: Compact };
  /** What a turn would run with. */
  readonly turns: {
    readonly prepare: ContextReportDeps['prepare'];
    skills(agentId: string): Promise<readonly { readonly name: string; readonly description: string }[]>;
  };
  /** Sub-agents of sessions. */
  readonly children: Children;
  /** Commands on the machine, and who may decide on them. */
  readonly exec: CommandExec;
  readonly channels: {
    /** Those outside the product that are in use. */
    ids(): readonly string[];
    /** An allowlist entry as the channel spells it; undefined when it can never be a sender's id. */
    senderEntry(channel: string, entry: string): string | undefined;
  };
  readonly restart: {
    readonly request: RequestRestart;
    /** Whether a change of this setting restarts the gateway. */
    needed(path: string): boolean;
    now(): number;
  };
  readonly statusCard: StatusCard;
}

interface CommandConfig {
  readonly agents: AgentsConfig;
  readonly commands: CommandsConfig;
  readonly messages: MessagesConfig;
  readonly channels: ChannelSections;
}

/** Restarts come with this much notice, so that the answer is out before. */
const RESTART_DELAY_MS = 2000;

export function createCommandHost(deps: CommandHostDeps): CommandHost {
  const { sessions, models, config, work, children, channels, restart } = deps;
  return {
    ...deps.exec,
    commands: COMMANDS,
    models: createModelService({ models, sessions, config }),
    config: createConfigService(deps.store, restart.needed),
    statusCard: deps.statusCard,
    contextReport: createContextReport({ sessions, prepare: deps.turns.prepare }),
    senderEntry: channels.senderEntry,
    subagents: children.of,
    stopSubagents: children.stop,
    skills: (key) => deps.turns.skills(sessions.agentOf(key)),
    entry: (key) => sessions.peek(key),

    settings() {
      const { commands, messages, channels: sections } = config();
      return {
        commands,
        messages,
        channelIds: channels.ids(),
        account: ({ channel, accountId }) => settingsOf(sections, channel, accountId),
        channelPath: (channel, accountId) => accountPath(sections, channel, accountId),
      };
    },

    async patch(key, patch) {
      await sessions.patch(key, patch);
    },

    async resetSession(key) {
      await sessions.reset(key);
    },

    async stop(key, except) {
      const { aborted, removed } = work.lanes.abort(key);
      const others = removed.filter((item) => item.runId !== except);
      await work.endStopped(others);
      const subagents = await children.stop(key);
      return { turns: aborted.length > 0 ? 1 : 0, queued: others.length, subagents };
    },

    async compact(key, instructions) {
      return work.lanes.exclusive(key, async (going) => {
        const done = await work.compact(key, instructions, going);
        return going.aborted && !done.compacted ? 'postponed' : done;
      });
    },

    restart({ row, sessionKey }) {
      const { scheduledAt } = restart.request({
        reason: '/restart',
        delayMs: RESTART_DELAY_MS,
        sessionKey,
        replyTo: row.message.address,
        authority: row.authority,
        note: '⚙️ The gateway is back.',
      });
      return { inMs: Math.max(0, scheduledAt - restart.now()) };
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
