/** Tracks commands that turns run on nodes, so that their end is reported to the session that started them. */
import type { Authority } from '../../../core/authority.ts';
import { setNewest } from '../../../core/bounded-map.ts';
import type { ChatAddress } from '../../../core/message.ts';
import type { SessionKey } from '../../../core/session-key.ts';

/** One command, from the moment it is sent. */
export interface ExecRun {
  readonly runId: string;
  readonly nodeId: string;
  readonly agentId: string;
  readonly sessionKey: SessionKey;
  readonly replyTo: ChatAddress;
  readonly authority: Authority;
}

export interface ExecRuns {
  /** Until the returned function is called, the caller waits for the result, so the end causes no system event. */
  started(run: ExecRun): () => void;
  /** A command of that node; undefined: no turn started it. */
  find(runId: string, nodeId: string): { readonly run: ExecRun; readonly awaited: boolean } | undefined;
  /** The end was reported. */
  ended(runId: string): void;
}

const REMEMBERED = 500;

export function createExecRuns(): ExecRuns {
  const runs = new Map<string, ExecRun>();
  const awaited = new Set<string>();
  return {
    started(run) {
      setNewest(runs, run.runId, run, REMEMBERED);
      awaited.add(run.runId);
      return () => void awaited.delete(run.runId);
    },
    find(runId, nodeId) {
      const run = runs.get(runId);
      return run?.nodeId === nodeId ? { run, awaited: awaited.has(runId) } : undefined;
    },
    ended: (runId) => void runs.delete(runId),
  };
}
