/**
 * The session entry, stored per session key as small flat JSON. Field names are the documented ones (`spec/gateway.md`
 * 2.2).
 */
import type { ChatAddress } from '../core/message.ts';
import type { ExecRequest, ThinkingLevel } from '../core/turn.ts';
import type { QueueDrop, QueueMode } from './queue-mode.ts';

export interface SessionEntry {
  /** UUID of the current transcript; `/new` mints another. */
  readonly sessionId: string;
  /** Milliseconds since the epoch; never goes back. */
  readonly updatedAt: number;
  /** Last message a person wrote; heartbeats and cron do not count. */
  readonly lastUserActivityAt?: number;
  readonly createdAt?: number;
  readonly sessionFile?: string;
  readonly label?: string;
  readonly displayName?: string;
  /** The first words a person wrote, for lists. */
  readonly title?: string;
  readonly spawnedBy?: string;
  /** Kept at the top of lists. */
  readonly pinned?: true;
  /** Left out of the usual list; the next message of a person brings it back. */
  readonly archived?: true;
  /** The conversation and the entry of its transcript from which this one goes on. */
  readonly branchedFrom?: SessionBranch;
  readonly systemSent?: boolean;
  readonly abortedLastRun?: boolean;

  readonly thinkingLevel?: ThinkingLevel;
  readonly verboseLevel?: 'on' | 'full' | 'off';
  readonly reasoningLevel?: 'on' | 'off' | 'stream';
  readonly elevatedLevel?: 'on' | 'off' | 'ask' | 'full';
  /** What this conversation's commands are held to, beside the configuration: the strictest applies. */
  readonly exec?: ExecRequest;
  readonly responseUsage?: 'off' | 'tokens' | 'full';
  readonly providerOverride?: string;
  readonly modelOverride?: string;
  readonly sendPolicy?: 'allow' | 'deny';
  readonly groupActivation?: 'mention' | 'always';
  readonly queueMode?: QueueMode;
  readonly queueDebounceMs?: number;
  readonly queueCap?: number;
  readonly queueDrop?: QueueDrop;

  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Tokens of the last request plus answer: how full the context is. */
  readonly totalTokens?: number;
  readonly contextTokens?: number;
  readonly costUsd?: number;
  readonly modelProvider?: string;
  readonly model?: string;
  readonly compactionCount?: number;

  /** The last heartbeat message and its time, because the same text is not repeated within a day. */
  readonly lastHeartbeatText?: string;
  readonly lastHeartbeatSentAt?: number;

  readonly chatType?: 'direct' | 'group' | 'channel';
  readonly channel?: string;
  /** Title of the group; of a channel it is `groupChannel`. Chosen by others. */
  readonly subject?: string;
  readonly groupChannel?: string;
  readonly space?: string;
  /** Where the last message came from. */
  readonly origin?: SessionOrigin;
  readonly deliveryContext?: ChatAddress;
  readonly lastChannel?: string;
  readonly lastTo?: string;
  readonly lastAccountId?: string;
  readonly lastThreadId?: string;
}

/** Where a branch began: `entryId` is the last line of the parent's transcript that both have, if any. */
export interface SessionBranch {
  readonly key: string;
  readonly sessionId: string;
  readonly entryId?: string;
}

/** `label`: who wrote, or what the group is called. */
export interface SessionOrigin {
  readonly label?: string;
  readonly provider: string;
  readonly surface: string;
  readonly chatType: 'direct' | 'group' | 'channel';
  readonly from: string;
  readonly to: string;
  readonly accountId: string;
  readonly threadId?: string;
}

/** A patch: a field set to `null` is cleared; `updatedAt: null` leaves the time of the last change as it is. */
export type SessionPatch = {
  readonly [K in Exclude<keyof SessionEntry, 'sessionId'>]?: SessionEntry[K] | null | undefined;
} & { readonly sessionId?: string };
