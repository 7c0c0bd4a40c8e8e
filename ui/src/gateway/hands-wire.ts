/** The shapes of commands on the wire: processes, what tools an agent has, its sandbox; fields this page does not use are left out. */

export interface ProcessView {
  readonly sessionId: string;
  readonly status: 'running' | 'completed' | 'failed';
  readonly pid?: number;
  readonly command: string;
  readonly name: string;
  readonly cwd: string;
  readonly host: 'gateway' | 'sandbox';
  readonly pty: boolean;
  readonly sessionKey: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly runtimeMs: number;
  readonly exitCode?: number;
  readonly exitSignal?: string;
  readonly endReason?: 'exit' | 'signal' | 'timeout' | 'aborted' | 'killed' | 'lost';
  readonly timeoutSeconds?: number;
  readonly tail: string;
  readonly outputBytes: number;
  readonly truncated: boolean;
  readonly stdinWritable: boolean;
  readonly idleMs: number;
  readonly leftBehind?: readonly { readonly pid: number; readonly name: string }[];
}

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
  readonly stages: readonly { readonly stage: string; readonly ok: boolean; readonly setting?: string; readonly pattern?: string }[];
}
export interface ToolsExplained { readonly agentId: string; readonly sessionKey?: string; readonly profile?: string; readonly tools: readonly ToolVerdict[]; readonly warnings: readonly string[] }

export interface SandboxExplained {
  readonly sandboxed: boolean;
  readonly because: string;
  readonly setting?: { readonly workspaceAccess: 'none' | 'ro' | 'rw'; readonly network: boolean; readonly scope: string };
  readonly backend?: { readonly name: string; readonly version: string } | { readonly problem: string };
  readonly mounts: readonly { readonly path: string; readonly access: 'ro' | 'rw' | 'empty' }[];
}
