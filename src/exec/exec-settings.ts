/** What is in force for the commands of one agent: the general settings, made stricter by its own. Pure. */
import { ASK_MODES, SECURITY_LEVELS, type AgentExecConfig, type AskMode, type ExecConfig, type SecurityLevel } from '../config/exec-config.ts';

export type ExecSettings = Omit<ExecConfig, 'node' | 'approvalRunningNoticeMs' | 'applyPatch' | 'approvers'>;

export function execSettings(general: ExecConfig, own: AgentExecConfig | undefined): ExecSettings {
  const { node: _node, approvalRunningNoticeMs: _notice, applyPatch: _patch, approvers: _approvers, ...base } = general;
  return {
    ...base,
    host: own?.host ?? base.host,
    security: stricter(base.security, own?.security),
    ask: moreAsking(base.ask, own?.ask),
    backgroundMs: own?.backgroundMs ?? base.backgroundMs,
    timeoutSec: own?.timeoutSec ?? base.timeoutSec,
    pathPrepend: own?.pathPrepend ?? base.pathPrepend,
    safeBins: own?.safeBins ?? base.safeBins,
  };
}

const stricter = (one: SecurityLevel, other: SecurityLevel | undefined): SecurityLevel =>
  (other !== undefined && SECURITY_LEVELS.indexOf(other) < SECURITY_LEVELS.indexOf(one) ? other : one);

const moreAsking = (one: AskMode, other: AskMode | undefined): AskMode =>
  (other !== undefined && ASK_MODES.indexOf(other) > ASK_MODES.indexOf(one) ? other : one);
