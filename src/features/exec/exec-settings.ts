/** The effective command settings of an agent: the general ones, made stricter by its own. Pure. */
import type { AgentExecConfig, ExecConfig } from './config.ts';
import type { ExecRequest } from '../../core/turn.ts';
import { strictestAsk, strictest } from './approvals/matrix.ts';

/** As much of `tools.exec` as running a command takes. */
export type ExecSettings = Omit<ExecConfig, 'approvalRunningNoticeMs' | 'applyPatch' | 'approvers'>;

/**
 * `here`: what the conversation wants; it can only be stricter, and its host only where the configuration leaves the
 * choice.
 */
export function execSettings(
  general: ExecConfig,
  own: AgentExecConfig | undefined,
  here: ExecRequest = {},
): ExecSettings {
  const host = own?.host ?? general.host;
  return {
    ...general,
    host: host === 'auto' ? (here.host ?? host) : host,
    security: strictest([general.security, own?.security, here.security]),
    ask: strictestAsk([general.ask, own?.ask, here.ask]),
    backgroundMs: own?.backgroundMs ?? general.backgroundMs,
    timeoutSec: own?.timeoutSec ?? general.timeoutSec,
    node: own?.node ?? general.node,
    pathPrepend: own?.pathPrepend ?? general.pathPrepend,
    safeBins: own?.safeBins ?? general.safeBins,
  };
}
