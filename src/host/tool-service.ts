/** Tools outside a turn: the tools of a place with reasons, direct calls, and the rules that check them. */
import type { AccessAnswer, RequesterView } from '../core/explain-access.ts';
import type { Principal } from '../core/principal.ts';
import type { ToolResult } from '../core/tool.ts';

/** Whatever is left out is as the next turn of the session would have it. */
export interface ToolPlace {
  readonly agentId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly channel?: string | undefined;
  readonly accountId?: string | undefined;
  readonly groupId?: string | undefined;
  /** By the id the channel gives. */
  readonly sender?: string | undefined;
  /** `provider/model` or an alias. */
  readonly model?: string | undefined;
}

/** One tool and whether policy lets this place use it. */
export interface ToolDecision {
  readonly name: string;
  readonly summary: string;
  readonly source: 'core' | 'plugin';
  /** The third-party plugin that brings it. */
  readonly pluginId?: string;
  readonly allowed: boolean;
  /** Every policy stage, in order; the first that is not `ok` removed the tool. */
  readonly stages: readonly {
    readonly stage: string;
    readonly ok: boolean;
    /** The setting, e.g. `tools.deny`. */
    readonly setting?: string;
    /** The pattern in it that matched or was missed. */
    readonly pattern?: string;
  }[];
}

/** One tool call outside a turn. */
export interface ToolInvocation extends ToolPlace {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Becomes the argument of that name for tools that have one. */
  readonly action?: string | undefined;
  /** Looks whether it would run, and runs nothing. */
  readonly dryRun?: boolean | undefined;
  /** Whose rights it has; only those who may do everything get here. */
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

/** Lists, explains and runs tools outside a turn. */
export interface ToolService {
  /** All tools, with the decision for one place. */
  decisions(place: ToolPlace): Promise<{
    readonly agentId: string;
    readonly sessionKey: string;
    readonly profile: string;
    readonly decisions: readonly ToolDecision[];
    readonly warnings: readonly string[];
  }>;
  /**
   * Runs one tool outside a conversation's turn, under the same policy. Unknown or not allowed: `not_found`; bad
   * arguments: `invalid`.
   */
  invoke(call: ToolInvocation): Promise<ToolResult>;
  /**
   * What one tool's calls would be measured by there, and the answers: for the sender of `place`, else for `principal`.
   * Unknown: `not_found`.
   */
  access(place: ToolPlace & { readonly tool: string; readonly principal: Principal }): Promise<ToolAccess>;
}

/** Whose rights a call would have, and what each of its acts would be answered. */
export interface ToolAccess {
  readonly requester: RequesterView;
  readonly acts: readonly AccessAnswer[];
}
