/**
 * The shapes of commands on the wire: processes, what tools an agent has, its sandbox; fields this page does not use
 * are left out.
 */
import type { ProcessChangedEvent } from '../../../src/protocol/processes.ts';

export type ProcessView = ProcessChangedEvent['process'];

export interface ProcessLog {
  readonly view: ProcessView;
  readonly output: string;
  readonly totalLines: number;
  /** 0-based. */
  readonly firstLine: number;
  readonly lines: number;
  readonly droppedBytes: number;
}

export interface ToolVerdict {
  readonly name: string;
  readonly summary: string;
  readonly source: 'core' | 'plugin';
  readonly allowed: boolean;
  readonly stages: readonly {
    readonly stage: string;
    readonly ok: boolean;
    readonly setting?: string;
    readonly pattern?: string;
  }[];
}
export interface ToolsExplained {
  readonly agentId: string;
  readonly sessionKey?: string;
  readonly profile?: string;
  readonly tools: readonly ToolVerdict[];
  readonly warnings: readonly string[];
}

export interface SandboxExplained {
  readonly sandboxed: boolean;
  readonly because: string;
  readonly setting?: {
    readonly workspaceAccess: 'none' | 'ro' | 'rw';
    readonly network: boolean;
    readonly scope: string;
  };
  readonly backend?: { readonly name: string; readonly version: string } | { readonly problem: string };
  readonly mounts: readonly { readonly path: string; readonly access: 'ro' | 'rw' | 'empty' }[];
}
