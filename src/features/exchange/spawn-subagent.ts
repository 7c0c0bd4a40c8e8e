/** `sessions_spawn`: starts a sub-agent in a new session, which never has more access than its requester. */
import { asAppError } from '../../core/errors.ts';
import { isSubagentKey, normaliseAgentId } from '../../core/session-key.ts';
import { THINKING_LEVELS, type ThinkingLevel, type Turn } from '../../core/turn.ts';
import type { HostAgents, HostSessions } from '../../host/host.ts';
import { exchangeIdOf, stepRunId, type ExchangeChild } from './exchange.ts';
import { uuid } from '../../platform/ids.ts';
import type { Exchanges } from './create-exchanges.ts';
import { guardExchange } from './exchange-guard.ts';
import { tooMany } from './exchange-limits.ts';
import { allowedAgents, subagentSettings, type SubagentRules } from './subagent-rules.ts';
import { head } from '../../core/cut.ts';
import { present } from '../../core/present.ts';

export interface SpawnRequest {
  readonly task: string;
  readonly label?: string | undefined;
  readonly agentId?: string | undefined;
  readonly model?: string | undefined;
  readonly thinking?: string | undefined;
  readonly runTimeoutSeconds?: number | undefined;
  readonly cleanup?: 'delete' | 'keep' | undefined;
  /** The same after a crash: one call starts one sub-agent. */
  readonly runId: string;
}

export type SpawnAnswer =
  | {
      readonly status: 'accepted';
      readonly childSessionKey: string;
      readonly runId: string;
      readonly modelApplied?: boolean;
      readonly warning?: string;
    }
  | { readonly status: 'forbidden' | 'error'; readonly error: string };

export interface SpawnDeps {
  readonly turn: Turn;
  readonly exchanges: Exchanges;
  readonly sessions: Pick<HostSessions, 'list'>;
  readonly rules: SubagentRules;
  readonly chooseModel: HostAgents['chooseModel'];
  /** Whether commands of such a session are boxed in. */
  sandboxed(at: { readonly agentId: string; readonly sessionKey: string }): boolean;
  now(): number;
}

const MAX_CHARACTERS = 64_000;
const MAX_LABEL = 64;
const DAY_SECONDS = 86_400;

const refused = (status: 'forbidden' | 'error', error: string): SpawnAnswer => ({ status, error });

export async function spawnSubagent(request: SpawnRequest, deps: SpawnDeps): Promise<SpawnAnswer> {
  const { turn, exchanges } = deps;
  const id = exchangeIdOf(request.runId);
  const runId = stepRunId(id, 0);
  const known = await exchanges.find(id);
  if (known?.requesterKey === turn.route.sessionKey)
    return { status: 'accepted', childSessionKey: known.targetKey, runId };
  const agentId = request.agentId?.trim() ? normaliseAgentId(request.agentId) : turn.route.agentId;
  const childSessionKey = `agent:${agentId}:subagent:${uuid()}`;
  const problem = notAllowed({ agentId, childSessionKey }, deps) ?? (await invalidRequest(request, deps));
  if (problem) return problem;
  const guarded = await guardExchange({ turn, kind: 'spawn' }, exchanges);
  if (!guarded.ok) return refused('forbidden', guarded.error);
  const { child, ...answer } = await childOf(request, { agentId, deps });
  const { via: _, ...replyTo } = turn.route.replyTo;
  const begun = await exchanges.begin({
    id,
    kind: 'spawn',
    requesterKey: turn.route.sessionKey,
    targetKey: childSessionKey,
    request: request.task,
    turns: 0,
    announce: true,
    depth: guarded.depth,
    replyTo,
    child,
    authority: turn.authority,
    createdAt: deps.now(),
  });
  if (!begun) return refused('forbidden', tooMany('spawn'));
  return { status: 'accepted', childSessionKey, runId, ...answer };
}

function notAllowed(
  { agentId, childSessionKey }: { readonly agentId: string; readonly childSessionKey: string },
  { turn, rules, sandboxed }: SpawnDeps,
): SpawnAnswer | undefined {
  const { agentId: requester, sessionKey } = turn.route;
  if (isSubagentKey(sessionKey))
    return refused('forbidden', 'sessions_spawn is not allowed from sub-agent sessions: do the task yourself.');
  const allowed = allowedAgents(rules, requester).agents;
  const chosen = allowed.find(({ id }) => id === agentId);
  if (!chosen)
    return refused(
      'forbidden',
      `agentId "${agentId}" is not allowed here (allowed: ${allowed.map(({ id }) => id).join(', ')}). It ` +
        'must be listed in subagents.allowAgents.',
    );
  if (!chosen.configured) return refused('error', `Unknown agent "${agentId}".`);
  if (sandboxed({ agentId: requester, sessionKey }) && !sandboxed({ agentId, sessionKey: childSessionKey }))
    return refused(
      'forbidden',
      `This session is sandboxed, but sub-agents of "${agentId}" are not: a sub-agent may not have more access ` +
        'than the session that starts it.',
    );
  return undefined;
}

async function invalidRequest(
  { task, label, thinking }: SpawnRequest,
  { sessions }: SpawnDeps,
): Promise<SpawnAnswer | undefined> {
  if (task.trim() === '') return refused('error', 'task is empty: write what the sub-agent should do.');
  if (task.length > MAX_CHARACTERS)
    return refused(
      'error',
      `task has ${task.length} characters; the limit is ${MAX_CHARACTERS}. Put the rest into a file and name it.`,
    );
  if (thinking?.trim() && !levelOf(thinking))
    return refused(
      'error',
      `Invalid thinking level "${head(thinking, 40)}". Use one of: ${THINKING_LEVELS.join(', ')}.`,
    );
  const wanted = label?.trim();
  if (wanted && wanted.length > MAX_LABEL)
    return refused('error', `label has ${wanted.length} characters; the limit is ${MAX_LABEL}.`);
  if (wanted && (await sessions.list({ label: wanted, limit: 1 })).length > 0)
    return refused('error', `The label "${wanted}" is already used; choose another one.`);
  return undefined;
}

const levelOf = (written: string): ThinkingLevel | undefined =>
  THINKING_LEVELS.find((level) => level === written.trim().toLowerCase());

interface Started {
  readonly child: ExchangeChild;
  readonly modelApplied?: boolean;
  readonly warning?: string;
}

/** A model nobody knows costs a warning, not the task. */
async function childOf(
  { label, model, thinking, runTimeoutSeconds = 0, cleanup = 'keep' }: SpawnRequest,
  { agentId, deps }: { readonly agentId: string; readonly deps: SpawnDeps },
): Promise<Started> {
  const settings = subagentSettings(deps.rules, agentId);
  const wanted = model?.trim() || settings.model;
  const chosen =
    wanted === undefined
      ? undefined
      : await deps.chooseModel(agentId, wanted).then(
          ([one]) => one!,
          (error: unknown) => asAppError(error),
        );
  const level = thinking?.trim() ? levelOf(thinking) : settings.thinking;
  const child: ExchangeChild = {
    cleanup,
    ...present({
      label: label?.trim() ? label.trim() : undefined,
      thinking: level,
      model: chosen && !(chosen instanceof Error) ? { provider: chosen.provider, modelId: chosen.modelId } : undefined,
      timeoutMs: runTimeoutSeconds > 0 ? Math.min(DAY_SECONDS, runTimeoutSeconds) * 1000 : undefined,
    }),
  };
  if (chosen === undefined) return { child };
  return chosen instanceof Error
    ? {
        child,
        modelApplied: false,
        warning: `The model "${wanted}" cannot be used, so the sub-agent uses that of its agent: ${chosen.message}`,
      }
    : { child, modelApplied: true };
}
