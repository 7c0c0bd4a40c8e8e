/** Approvals, processes and sandboxes for people outside a turn. */
import type {
  ApprovalRequested,
  ApprovalDecision,
  ApprovalRequest,
  ApprovalResolution,
  ApprovalsSnapshot,
} from '../../core/approval.ts';
import type { Processes, ProcessView } from '../../core/shell.ts';
import type { SandboxExplained } from '../../protocol/answers/processes.ts';

export interface ApprovalService {
  /** Oldest first. */
  pending(): readonly ApprovalRequest[];
  /** Puts a question of somebody else's, e.g. of a node. `problem`: nobody can be asked, in one sentence. */
  ask(
    question: Omit<ApprovalRequest, 'id' | 'slug' | 'createdAt' | 'expiresAt'>,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly id?: string | undefined },
  ): ApprovalRequested | { readonly problem: string };
  /** By its whole id: what waits, or was answered lately. */
  find(id: string): ApprovalRequested | undefined;
  /**
   * By id or an unambiguous beginning of it. Unknown: `not_found`; answered already: `conflict`; `allow-always` where
   * it is not offered: `invalid`.
   */
  resolve(id: string, decision: ApprovalDecision, by: string): Promise<ApprovalResolution>;
  subscribe(
    listener: (news: { readonly requested: ApprovalRequest } | { readonly resolved: ApprovalResolution }) => void,
  ): () => void;
  /** The approvals file as it is on disk; secrets left out. */
  file(): Promise<ApprovalsSnapshot>;
  /**
   * Replaces it when `baseHash` is the hash of what is there; else `conflict`. A file that makes no sense: `invalid`.
   */
  setFile(file: unknown, baseHash: string | undefined): Promise<ApprovalsSnapshot>;
}

export interface ProcessService {
  /** Of one agent, or of all. Processes of every agent are found by id. */
  list(agentId?: string): Promise<readonly ProcessView[]>;
  /** What may be done with this process; undefined: there is none of that id. */
  of(id: string): Promise<Processes | undefined>;
  /** Told when one starts in or goes to the background, and when it ends. */
  subscribe(listener: (view: ProcessView) => void): () => void;
  /** Told, some times a second, of each in the background that wrote something; `view` is how it is now. */
  onOutput(listener: (id: string, view: () => ProcessView) => void): () => void;
}

export interface ExecServices {
  readonly approvals: ApprovalService;
  readonly processes: ProcessService;
  /** Whether commands of a session are boxed in, why, and what they see. */
  explainSandbox(where: { agentId?: string; sessionKey?: string }): Promise<SandboxExplained>;
}
