/**
 * The parts of the agent's hands with a life: processes, sandboxes, the approvals file. Built when the first command is
 * asked for.
 */
import { join } from 'node:path';
import type { ApprovalRequest } from '../../core/approval.ts';
import type { Log } from '../../core/log.ts';
import type { Shell } from '../../core/shell.ts';
import { HEARTBEAT_FILE } from '../../core/trigger.ts';
import { createApprovalsFile, type ApprovalsFile } from '../../features/exec/approvals/approvals-file.ts';
import type { Pending } from '../../features/exec/approvals/pending.ts';
import {
  createProcesses,
  type ExitedProcess,
  type ProcessRegistry,
} from '../../features/exec/processes/create-processes.ts';
import type { ProcessOwner } from '../../features/exec/processes/process-spec.ts';
import { createSandboxes, type Sandboxes } from '../../features/exec/sandbox/create-sandboxes.ts';
import { createLoginPath } from '../../features/exec/shell-program.ts';
import type { ShellPlace } from '../../features/exec/shell-place.ts';
import { createShell } from '../../features/exec/shell.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Env } from '../../platform/env.ts';
import { processFolder } from './place.ts';
import type { WaitingCommands } from './waiting-commands.ts';

/** For a heartbeat without a file, which looks around; an empty one asks for nothing. */
const AS_WITHOUT_FILE = 'Look whether anything needs your person.\n';

export interface HandsPartsDeps {
  readonly env: Env;
  readonly log: Log;
  readonly clock: Clock;
  readonly pending: Pending;
  cleanupMs(): number;
  ownerExists(owner: ProcessOwner): boolean;
  onExit(ended: ExitedProcess): Promise<void>;
  announce(request: ApprovalRequest, owner: ProcessOwner): void;
  readonly waiting: Pick<WaitingCommands, 'waits' | 'waited'>;
}

export interface HandsParts {
  readonly registry: ProcessRegistry;
  readonly sandboxes: Sandboxes;
  readonly file: ApprovalsFile;
  shell(place: ShellPlace): Shell;
}

export function createHandsParts({ env, log, clock, pending, ...deps }: HandsPartsDeps): HandsParts {
  const registry = createProcesses({
    dir: processFolder(env.stateDir),
    clock,
    log,
    cleanupMs: deps.cleanupMs,
    ownerExists: deps.ownerExists,
    onExit: deps.onExit,
  });
  const sandboxes = createSandboxes({
    vars: env.vars,
    log,
    stateDir: env.stateDir,
    firstWords: { [HEARTBEAT_FILE]: AS_WITHOUT_FILE },
  });
  const file = createApprovalsFile({ path: join(env.stateDir, 'exec-approvals.json'), home: env.home, log });
  const shared = {
    registry,
    sandboxes,
    file,
    pending,
    clock,
    home: env.home,
    vars: env.vars,
    loginPath: createLoginPath(env.vars),
    announce: deps.announce,
    ...deps.waiting,
  };
  return { registry, sandboxes, file, shell: (place) => createShell(place, shared) };
}
