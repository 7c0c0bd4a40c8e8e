/** Prepares a command for the sandbox: no approval is needed there, unless commands are denied or always need one. */
import { present } from '../../core/present.ts';
import { refuseMalformedEnv } from './approvals/env-rules.ts';
import { effective } from './approvals/matrix.ts';
import { forbidden, permission } from './permission.ts';
import type { Job, Prepared } from './prepared.ts';
import { refuse, type Refusal } from './refusal.ts';
import type { SandboxSetting } from './sandbox/sandbox-setting.ts';
import type { ShellDeps } from './shell-place.ts';

/** Nobody reads it: the box is the answer to whatever it does. */
const UNREAD = {
  analysis: { proven: false, why: [], steps: [] },
  evaluation: { satisfied: true, reasons: [], steps: [], rememberable: false, remember: [], used: [] },
} as const;

export async function prepareBoxed(
  { request, watch, place, settled, setting }: Job & { readonly setting: SandboxSetting },
  deps: ShellDeps,
): Promise<Prepared | Refusal> {
  const { settings, owner } = place;
  const { command, workdir, env: extraEnv = {} } = request;
  const policy = await deps.file.policyFor(owner.agentId);
  const { security, ask } = effective({ settings, call: request, file: policy });
  const malformed = refuseMalformedEnv(extraEnv);
  if (malformed) return refuse('invalid', malformed);
  const denied = forbidden({ security, host: 'sandbox', policy });
  if (denied) return denied; // before a box is made for it
  const wrapped = await deps.sandboxes.wrap(
    setting,
    present({ shellCommand: command, env: extraEnv, pty: settled.pty, readOnly: place.readOnlyPaths, workdir }),
  );
  if ('problem' in wrapped) return refuse('sandbox-unavailable', wrapped.problem);
  const { argv, cwd, env, shownCwd, warnings, guard, lastWord, onEnd } = wrapped;
  const facts = { command, argv, cwd, env, programs: [argv[0]] };
  const refused = await permission(
    {
      ...UNREAD,
      owner,
      command,
      policy,
      host: 'sandbox',
      elevated: false,
      extraEnv,
      security: 'full',
      ask: ask === 'always' ? 'always' : 'off',
      writable: [setting.workspace],
      approvalTimeoutMs: settings.approvalTimeoutSec * 1000,
      facts,
      factsNow: async () => facts,
    },
    watch,
    deps,
  );
  if (refused) {
    await onEnd?.();
    return refused;
  }
  const timeoutMs = sooner(settled.timeoutMs, setting.limits.timeoutSec);
  return { ...settled, argv, cwd, shownCwd, env, warnings, timeoutMs, ...present({ guard, lastWord, onEnd }) };
}

/** 0: never. */
function sooner(timeoutMs: number, limitSec: number | undefined): number {
  if (limitSec === undefined) return timeoutMs;
  return timeoutMs === 0 ? limitSec * 1000 : Math.min(timeoutMs, limitSec * 1000);
}
