/** Decides where a command runs: in the sandbox of its conversation or on this machine; never by silence. Pure. */
import { EXEC_HOSTS, type ElevatedLevel } from '../config/exec-config.ts';
import type { ShellOutcome, ShellRequest } from '../core/shell.ts';
import type { ExecSettings } from './exec-settings.ts';

export type Refusal = Extract<ShellOutcome, { kind: 'refused' }>;
export type Where = { readonly host: 'gateway' | 'sandbox' } | Refusal;

export function where({ request, settings, sandboxed, elevated }: { request: ShellRequest; settings: Pick<ExecSettings, 'host'>; sandboxed: boolean; elevated: ElevatedLevel }): Where {
  const wanted = EXEC_HOSTS.find((host) => host === request.host?.trim().toLowerCase());
  if (elevated !== 'off') return { host: 'gateway' };
  if (wanted !== undefined && wanted !== 'auto' && wanted !== settled(settings.host, sandboxed))
    return refuse('denied', `This command asked for host=${wanted}, but commands of this conversation run with host=${settled(settings.host, sandboxed)} (tools.exec.host). Leave \`host\` out.`);
  if (settings.host === 'node') return refuse('invalid', 'tools.exec.host is "node", but this gateway has no nodes that run commands. Set it to "auto".');
  if (settings.host === 'sandbox' && !sandboxed)
    return refuse('sandbox-unavailable', 'tools.exec.host is "sandbox", but this conversation has no sandbox, so nothing was run. Set agents.defaults.sandbox.mode to "all" or "non-main", or tools.exec.host to "auto".');
  // A sandboxed conversation leaves its box by being elevated, never by the setting for everybody else.
  return { host: sandboxed ? 'sandbox' : 'gateway' };
}

const settled = (host: ExecSettings['host'], sandboxed: boolean): string => (host === 'auto' || (host === 'gateway' && sandboxed) ? (sandboxed ? 'sandbox' : 'gateway') : host);

export const refuse = (code: Refusal['code'], message: string): Refusal => ({ kind: 'refused', code, message });
