/** Decides where a command runs: in the sandbox of its session, on this machine or on a node. Pure. */
import { EXEC_HOSTS, type ElevatedLevel } from '../../core/command-levels.ts';
import type { ShellRequest } from '../../core/shell.ts';
import type { ExecSettings } from './exec-settings.ts';
import { refuse, type Refusal } from './refusal.ts';

export interface WhereQuestion {
  readonly request: Pick<ShellRequest, 'host'>;
  readonly settings: Pick<ExecSettings, 'host'>;
  readonly sandboxed: boolean;
  readonly elevated: ElevatedLevel;
}

export function where({
  request,
  settings,
  sandboxed,
  elevated,
}: WhereQuestion): { readonly host: 'gateway' | 'sandbox' | 'node' } | Refusal {
  const wanted = EXEC_HOSTS.find((host) => host === request.host?.trim().toLowerCase());
  if (elevated !== 'off') return { host: 'gateway' };
  const inForce = settled(settings.host, sandboxed);
  if (wanted !== undefined && wanted !== 'auto' && wanted !== inForce)
    return refuse(
      'denied',
      `This command asked for host=${wanted}, but commands of this conversation run with host=${inForce} ` +
        `(tools.exec.host). Leave \`host\` out.`,
    );
  if (settings.host === 'node') return sandboxed ? refuse('sandbox-unavailable', NODE_OUTSIDE) : { host: 'node' };
  if (settings.host === 'sandbox' && !sandboxed) return refuse('sandbox-unavailable', NO_SANDBOX);
  // A sandboxed conversation leaves its box by being elevated, never by the setting for everybody else.
  return { host: sandboxed ? 'sandbox' : 'gateway' };
}

const NO_SANDBOX =
  'tools.exec.host is "sandbox", but this conversation has no sandbox, so nothing was run. ' +
  'Set agents.defaults.sandbox.mode to "all" or "non-main", or tools.exec.host to "auto".';

const NODE_OUTSIDE =
  'tools.exec.host is "node", but this conversation is sandboxed, and a node is outside its sandbox, so nothing was ' +
  'run. Set tools.exec.host to "auto".';

function settled(host: ExecSettings['host'], sandboxed: boolean): ExecSettings['host'] {
  if (host === 'node' || host === 'sandbox') return host;
  return sandboxed ? 'sandbox' : 'gateway';
}
