/** What is in force for the commands of one agent: the general settings, made stricter by its own. Pure. */
import type { AgentExecConfig, ExecConfig } from '../config/exec-config.ts';
import { mostAsking, strictest } from './approvals/matrix.ts';

/** As much of `tools.exec` as running a command takes. */
export type ExecSettings = Omit<ExecConfig, 'node' | 'approvalRunningNoticeMs' | 'applyPatch' | 'approvers'>;

export function execSettings(general: ExecConfig, own: AgentExecConfig | undefined): ExecSettings {
  return {
    ...general,
    host: own?.host ?? general.host,
    security: strictest([general.security, own?.security]),
    ask: mostAsking([general.ask, own?.ask]),
    backgroundMs: own?.backgroundMs ?? general.backgroundMs,
    timeoutSec: own?.timeoutSec ?? general.timeoutSec,
    pathPrepend: own?.pathPrepend ?? general.pathPrepend,
    safeBins: own?.safeBins ?? general.safeBins,
  };
}
