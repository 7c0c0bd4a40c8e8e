/** The interface of sandboxes: wraps commands and explains itself; without a working backend nothing runs. */
import type { Log } from '../../../core/log.ts';
import type { ExecRequest, ExecResult } from '../../../platform/exec.ts';
import { exec as runProgram } from '../../../platform/exec.ts';
import { ensureDir } from '../../../platform/files.ts';
import type { Backend } from './backend.ts';
import { createBwrapBackend } from './bwrap/bwrap-backend.ts';
import { createDockerBackend } from './docker/docker-backend.ts';
import { decideSandbox, resolveSandbox, type SandboxQuestion } from './resolve-sandbox.ts';
import type { SandboxedCommand, SandboxExplained, SandboxSetting } from './sandbox-setting.ts';
import { usableEnv } from './sandbox-env.ts';
import { tellingInside } from './shown-inside.ts';
import { workdirInside } from './workdir-inside.ts';

export interface SandboxDeps {
  /**
   * The gateway's environment: where to look for the backends, and how to reach a Docker engine. Nothing of it is seen
   * inside.
   */
  readonly vars: Readonly<Record<string, string>>;
  readonly log: Log;
  /** Absolute. */
  readonly stateDir: string;
  /** What a file says that every turn is told and that has to be made, by name; others are empty. */
  readonly firstWords?: Readonly<Record<string, string>>;
  /** For tests. */
  readonly exec?: (request: ExecRequest) => Promise<ExecResult>;
}

export interface WrapRequest {
  readonly shellCommand: string;
  /** What the caller adds; inside there is nothing of the gateway's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute inside, absolute on this machine, or relative to the workspace. */
  readonly workdir?: string;
  readonly pty: boolean;
  /** Files and folders it may not change, absolute on this machine; those outside the workspace are not seen anyway. */
  readonly readOnly?: readonly string[];
}

export interface Sandboxes {
  /**
   * How to start the command in its box; or the sentence that says why it cannot be, and what to do. Makes its folder;
   * throws `AppError('storage')`.
   */
  wrap(setting: SandboxSetting, request: WrapRequest): Promise<SandboxedCommand | { readonly problem: string }>;
  explain(question: SandboxQuestion): Promise<SandboxExplained>;
}

const NO_BACKEND = 'Commands of this session fail until a backend works; they never run outside the sandbox instead.';

export function createSandboxes({ vars, log, stateDir, firstWords = {}, exec = runProgram }: SandboxDeps): Sandboxes {
  const parts = { vars, exec, stateDir, firstWords, log: log.child({ part: 'sandbox' }) };
  const backends = { bwrap: createBwrapBackend(parts), docker: createDockerBackend(parts) };

  return {
    wrap: (setting, { shellCommand, env, workdir, pty, readOnly = [] }) =>
      tellingInside({ workspace: setting.workspace, stateDir }, async () => {
        const found = await pick(backends, setting);
        if ('problem' in found) return found;
        await ensureDir(setting.workspace);
        const place = await workdirInside(setting, workdir);
        const usable = usableEnv({ ...setting.env, ...env });
        const wrapped = await found.backend.wrap({
          setting,
          shellCommand,
          env: usable.env,
          cwd: place.cwd,
          pty,
          readOnly,
        });
        return 'problem' in wrapped
          ? wrapped
          : { ...wrapped, shownCwd: place.cwd, warnings: [...place.warnings, ...usable.warnings] };
      }),
    async explain(question) {
      const decided = decideSandbox(question);
      const resolved = resolveSandbox(question);
      // Values of variables may be secrets; who may look at a sandbox may not look at those.
      const setting = resolved && {
        ...resolved,
        env: Object.fromEntries(Object.keys(resolved.env).map((name) => [name, '(set)'])),
      };
      if (!setting) return { ...decided, mounts: [], notes: [] };
      const found = await pick(backends, setting);
      if ('problem' in found) return { ...decided, setting, backend: found, mounts: [], notes: [NO_BACKEND] };
      const { backend, version } = found;
      return {
        ...decided,
        setting,
        backend: { name: backend.name, version },
        mounts: backend.mounts(setting),
        notes: backend.notes(setting),
      };
    },
  };
}

type Picked = { readonly backend: Backend; readonly version: string } | { readonly problem: string };

async function pick(
  backends: { readonly bwrap: Backend; readonly docker: Backend },
  { backend: wanted }: SandboxSetting,
): Promise<Picked> {
  const problems: string[] = [];
  for (const backend of wanted === 'auto' ? [backends.bwrap, backends.docker] : [backends[wanted]]) {
    const probed = await backend.probe();
    if ('version' in probed) return { backend, version: probed.version };
    problems.push(probed.problem);
  }
  return { problem: `The sandbox of this session cannot be created, so nothing was run. ${problems.join(' ')}` };
}
