/** The interfaces that commands act on; connected in `app.ts`. */
import type { ElevatedLevel } from '../../core/command-levels.ts';
import type { ChannelSettings } from '../../config/channel-config.ts';
import type { ApprovalDecision } from '../../core/approval.ts';
import type { MessagesConfig } from '../../sessions/config.ts';
import type { SessionEntry, SessionPatch } from '../../sessions/entry.ts';
import type { CommandCall, CommandFacts } from './command-call.ts';
import type { CommandsConfig } from './config.ts';

export interface CommandHost {
  readonly commands: readonly CommandFacts[];
  settings(): CommandSettings;
  entry(key: string): SessionEntry | undefined;
  patch(key: string, patch: SessionPatch): Promise<void>;
  /** Called inside the session's lane. */
  resetSession(key: string): Promise<void>;
  readonly models: ModelService;
  readonly config: ConfigService;
  /** Stops the running turn, empties the queue and ends the sub-agents it started. */
  stop(
    key: string,
    except: string,
  ): Promise<{ readonly turns: number; readonly queued: number; readonly subagents: number }>;
  compact(
    key: string,
    instructions: string | undefined,
  ): Promise<
    | { readonly compacted: boolean; readonly before?: number; readonly after?: number; readonly reason?: string }
    | 'postponed'
  >;
  /** `whole`: with what the session holds and where it is. */
  statusCard(key: string, whole: boolean): Promise<string>;
  contextReport(call: CommandCall): Promise<ContextReport>;
  /** Answers a command that waits for approval; throws `AppError('denied')` for people who may not. */
  approve(call: CommandCall, id: string, decision: ApprovalDecision): Promise<string>;
  /** Commands that wait for approval, as lines. */
  approvals(call: CommandCall): readonly string[];
  /** How far commands of this session may go from now on; without `level` only tells. */
  elevate(call: CommandCall, level: ElevatedLevel | undefined): Promise<string>;
  /** What the agent may read of skills, by name. */
  skills(key: string): Promise<readonly { readonly name: string; readonly description: string }[]>;
  /** Those that work for a session, oldest first. */
  subagents(key: string): Promise<readonly { readonly id: string; readonly label: string; readonly agentId: string }[]>;
  /** How many of them were stopped. */
  stopSubagents(key: string, ids: readonly string[]): Promise<number>;
  /** Throws `AppError('denied')` where the policy leaves no commands. */
  bash(call: CommandCall, request: BashRequest): Promise<string>;
  /** Restarts in place soon; the chat that asked hears when it is done. */
  restart(call: CommandCall): { readonly inMs: number };
  /** An allowlist entry as the channel spells it; undefined when it can never be a sender's id. */
  senderEntry(channel: string, entry: string): string | undefined;
}

export type BashRequest =
  | { readonly command: string }
  | { readonly poll: string | undefined }
  | { readonly stop: string | undefined };

export interface CommandSettings {
  readonly commands: CommandsConfig;
  readonly messages: MessagesConfig;
  /** Channels outside the product. */
  readonly channelIds: readonly string[];
  account(of: { readonly channel: string; readonly accountId: string }): ChannelSettings;
  /** Where that account's own settings stand, e.g. `channels.telegram.accounts.work`. */
  channelPath(channel: string, accountId: string): string;
}

export interface NamedModel {
  readonly provider: string;
  readonly id: string;
  readonly alias?: string;
}

export interface ModelService {
  /** What one can choose from now, always in the same order. */
  list(): Promise<readonly NamedModel[]>;
  current(key: string): Promise<{
    readonly model: string;
    readonly source: string;
    readonly chosen: boolean;
    readonly fallbacks: readonly string[];
  }>;
  /** Sets it for the session; undefined when nobody knows such a model. */
  choose(key: string, reference: string): Promise<string | undefined>;
}

/**
 * The configuration as chat sees it. `set`, `unset` and `override` throw `AppError('invalid')` when the result would
 * not be valid; then nothing changed.
 */
export interface ConfigService {
  /** What the file says there, without defaults and with its secrets hidden. */
  show(path: string | undefined): unknown;
  /**
   * `restarts`: the gateway restarts for it. `warnings`: what the file says there now and is of no use, e.g. a misspelt
   * name.
   */
  set(path: string, value: unknown): Promise<{ readonly restarts: boolean; readonly warnings?: readonly string[] }>;
  unset(path: string): Promise<{ readonly restarts: boolean }>;
  /** What lies over the file until the next start. */
  overrides(): unknown;
  override(path: string, value: unknown): Promise<void>;
  resetOverrides(): Promise<void>;
}

/** Estimated tokens, by what takes them. */
export interface ContextReport {
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
  readonly used: number;
  readonly window: number;
}
