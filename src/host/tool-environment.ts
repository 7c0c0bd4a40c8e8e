/**
 * The environment of a turn's tools: the agent's folder, a sandbox, a shell. At most one feature provides it; without
 * one, tools use the agent's folder and there is no shell.
 */
import type { ApprovalDecision, ApprovalRequest, ApprovalResolution } from '../core/approval.ts';
import type { ElevatedLevel } from '../core/command-levels.ts';
import type { ElsewhereCommand, ElsewherePermit, Shell, ShellWatch } from '../core/shell.ts';
import type { Turn } from '../core/turn.ts';
import type { SessionEntry } from '../sessions/entry.ts';

/** A conversation of one agent. */
export interface At {
  readonly agentId: string;
  readonly sessionKey: string;
}

/** What the rest of the gateway knows of a box. */
export interface SandboxBounds {
  readonly workspaceAccess: 'none' | 'ro' | 'rw';
  /** Commands in it reach the network. */
  readonly network: boolean;
  /** Which other sessions its tools see and write to: those it started, or what holds outside a box. */
  readonly sessions: 'spawned' | 'all';
}

/** Where an agent works in one conversation. */
export interface Workplace {
  /** The agent's own folder, absolute. */
  readonly agentWorkspace: string;
  /** The folder its tools work in: the same, or one of the box's. */
  readonly workspace: string;
  /** The same folder as the agent knows it. */
  readonly shownAs: string;
  /** Absent: not boxed in. */
  readonly sandbox: SandboxBounds | undefined;
}

/** On whose word tools act: those of one turn, or of a tool a person calls. */
export interface ToolRequester {
  readonly turn: Pick<Turn, 'id' | 'route' | 'authority'> & {
    readonly options?: Pick<Turn['options'], 'elevated' | 'exec'>;
  };
  readonly entry: Pick<SessionEntry, 'elevatedLevel' | 'exec'> | undefined;
  /** As `place` gave it. */
  readonly place: Workplace;
}

/** How far the commands of a turn reach. */
export interface ShellBounds extends ToolRequester {
  readonly readableRoots: readonly string[];
  readonly writesEverywhere: boolean;
  readonly deniedPaths: readonly string[];
  readonly readOnlyPaths: readonly string[];
  /** A tool of the turn looks after what goes on in the background. */
  readonly mayBackground: boolean;
}

/** Commands that wait for a person's word. */
export interface ApprovalService {
  /** Oldest first. */
  list(): readonly ApprovalRequest[];
  /** `may`: the turn's rights; a resource it may not access is treated as unknown. */
  resolve(
    id: string,
    decision: ApprovalDecision,
    by: string,
    may: (request: ApprovalRequest) => boolean,
  ): ApprovalResolution;
  /** Whom the configuration lists for answers in this channel; undefined: nobody made a list for it. */
  approversOf(channel: string): readonly string[] | undefined;
}

/** Whether commands may leave the box; the message says which setting is in the way. */
export type Elevation = { readonly allowed: true } | { readonly allowed: false; readonly message: string };

/** Where an agent's tools work, which shell they get, and who approves commands. */
export interface ToolEnvironment {
  place(at: At): Workplace;
  /** What one call of a tool may do with commands; undefined: nothing. */
  shellOf(bounds: ShellBounds, callId: string): Shell | undefined;
  /** What asking to leave the box would come to for these people. */
  elevationOf(whose: ToolRequester): Elevation;
  /** How far commands of people who may be elevated go where their conversation says nothing. */
  usualElevation(): ElevatedLevel;
  /** Whether people of this channel may differ in how far their commands go. */
  distinguishesSenders(channel: string): boolean;
  readonly approvals: ApprovalService;
  /** Whether a command of a turn may run on another machine; a person is asked where the settings say so. */
  permitElsewhere(
    whose: Pick<ToolRequester, 'turn' | 'entry'>,
    command: ElsewhereCommand,
    watch: ShellWatch,
  ): Promise<ElsewherePermit>;
}
