/** Where the tools of one turn work and how far they reach, as the agent sees it; who runs commands says what it is. */
import type { Tool } from '../../core/tool.ts';
import type { Turn } from '../../core/turn.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import type { ModelCandidate } from '../models/candidate.ts';
import type { ToolReach } from './run-turn.ts';

/** The folder an agent works in during one conversation, and the box around it. */
export interface TurnPlace {
  /** The agent's own folder, absolute. */
  readonly agentWorkspace: string;
  /** The folder its tools work in: the same, or one of the sandbox's. */
  readonly workspace: string;
  /** The same folder as the agent knows it. */
  readonly shownAs: string;
  readonly sandbox: { readonly workspaceAccess: 'none' | 'ro' | 'rw'; readonly network: boolean } | undefined;
}

/** One turn or one call by hand, the session it is in, and where it works. */
export interface TurnScope {
  readonly turn: Pick<Turn, 'id' | 'route' | 'authority'> & {
    readonly options?: Pick<Turn['options'], 'elevated' | 'exec'>;
  };
  readonly entry: Pick<SessionEntry, 'elevatedLevel' | 'exec'> | undefined;
  readonly place: TurnPlace;
}

/** What the tools of a turn may touch. */
export interface ToolReaches {
  of(scope: TurnScope & { readonly tools: readonly Tool[] }): ToolReach;
}

/** The model that answers, as far as it decides who looks at pictures. */
export type ChatSight = Pick<ModelCandidate, 'provider' | 'modelId'> & {
  readonly info: Pick<ModelCandidate['info'], 'input'>;
};
