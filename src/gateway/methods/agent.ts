/**
 * Serves `agent` and `agent.wait`: one turn for a program, with a response when it is accepted and another when it
 * ends.
 */
import { isSilent } from '../../core/reply.ts';
import { asAppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { KeptFile } from '../../core/shown.ts';
import type { TurnOutcome } from '../../core/turn.ts';
import type { Answers } from '../../protocol/answers.ts';
import { agentAttachments, agentParams, agentWaitParams, type AgentParams } from '../../protocol/agent.ts';
import { describeProblem } from '../../protocol/fields.ts';
import type { ChatRequest, RunSnapshot } from '../../host/chat.ts';
import { isForCaller, planDelivery } from './agent-delivery.ts';
import { readFiles } from './attachments.ts';
import { deliverAnswer, finalWords } from './deliver-answer.ts';
import { throwIfFailed } from './chat.ts';
import { method, refuse, requireAgent, sessionKeyOf, type Call, type Methods } from './method.ts';
import { sendAsOwn } from './own-run.ts';
import { thinkingLevel } from './turn-options.ts';

const DEFAULT_WAIT_MS = 30_000;
/** The longest a timer can be set for; a turn has its own time limit. */
const FOREVER_MS = 2 ** 31 - 1;

export const agentMethods: Methods = {
  agent: method({
    summary: 'Runs one turn; responds when it is accepted and again when it has ended.',
    needs: 'operator.write',
    params: agentParams,
    run: runAgent,
  }),

  'agent.wait': method({
    summary: 'Waits for a run to end: `ok`, `error` or `timeout`.',
    needs: 'operator.write',
    params: agentWaitParams,
    async run({ runId, timeoutMs = DEFAULT_WAIT_MS }, call): Promise<Answers['agent.wait']> {
      try {
        const run = await call.services.chat.wait(runId, Math.min(timeoutMs, FOREVER_MS), call.signal);
        return run ? waited(runId, run) : { runId, status: 'timeout' };
      } catch (error) {
        // A run nobody knows will not end while we wait.
        if (asAppError(error).code === 'not_found') return { runId, status: 'timeout', error: 'unknown run' };
        throw error;
      }
    },
  }),
};

async function runAgent(params: AgentParams, call: Call): Promise<Answers['agent']> {
  const runId = params.idempotencyKey;
  const request = agentRequest(params, call);
  // Without a channel to look up, nothing is awaited before the message takes its place in the session.
  const target = isForCaller(params) ? undefined : await planDelivery(params, { call, sessionKey: request.sessionKey });
  const receipt = await sendAsOwn(call, request);
  call.accepted({ runId, status: 'accepted', acceptedAt: call.clock.now(), sessionKey: receipt.sessionKey });
  const run = await call.services.chat.wait(runId, FOREVER_MS, call.signal);
  if (!run) throw refuse(`run ${runId} has not ended`);
  throwIfFailed(run.outcome);
  const undelivered =
    target && receipt.status === 'started'
      ? await deliverAnswer(
          { outcome: run.outcome, target, runId: `${runId}:deliver`, fromSession: receipt.sessionKey },
          { call, bestEffort: params.bestEffortDeliver === true },
        )
      : undefined;
  return {
    runId,
    status: 'ok',
    summary: run.outcome.kind === 'aborted' ? 'aborted' : 'completed',
    result: {
      payloads: payloadsOf(run.outcome),
      meta: present({
        durationMs: run.endedAt - run.startedAt,
        usage: run.outcome.usage,
        aborted: run.outcome.kind === 'aborted',
        deliveryError: undelivered,
      }),
    },
  };
}

/** What people got, in order: what a tool gave them, then the answer. */
function payloadsOf(outcome: TurnOutcome): readonly { readonly text: string; readonly files?: readonly KeptFile[] }[] {
  if (outcome.kind === 'failed') return [];
  const sentBefore = outcome.kind === 'done' ? (outcome.told ?? []) : [];
  return [...sentBefore, finalWords(outcome)].flatMap(({ text, files }) =>
    (text && !isSilent(text)) || files.length > 0
      ? [present({ text, files: files.length > 0 ? files : undefined })]
      : [],
  );
}

function agentRequest(params: AgentParams, call: Call): ChatRequest {
  const attachments = agentAttachments.safeParse(params.attachments ?? []);
  if (!attachments.success) throw refuse(`invalid agent params: attachments.${describeProblem(attachments.error)}`);
  const files = readFiles(attachments.data, call.limits.maxAttachmentBytes);
  const model = params.model && params.provider ? `${params.provider}/${params.model}` : params.model;
  return {
    runId: params.idempotencyKey,
    sessionKey: targetSession(params, call),
    text: params.message,
    principal: call.principal,
    options: {
      ...thinkingLevel(params.thinking),
      ...present({
        model: model || undefined,
        timeoutMs: params.timeout ? params.timeout * 1000 : undefined,
        extraSystemPrompt: params.extraSystemPrompt || undefined,
      }),
    },
    // A program waits for its own answer; being folded into another turn would leave it without one.
    queue: 'followup',
    ...present({ attachments: files.length > 0 ? files : undefined }),
  };
}

function targetSession(params: AgentParams, call: Call): string {
  if (params.sessionKey?.trim()) return sessionKeyOf(call, params.sessionKey, params.agentId);
  if (params.agentId !== undefined) requireAgent(call.services, params.agentId);
  return call.services.agents.mainSessionKey(params.agentId?.toLowerCase());
}

function waited(runId: string, { outcome, startedAt, endedAt }: RunSnapshot): Answers['agent.wait'] {
  if (outcome.kind === 'failed') return { runId, status: 'error', startedAt, endedAt, error: outcome.message };
  return present({ runId, status: 'ok', startedAt, endedAt, aborted: outcome.kind === 'aborted' ? true : undefined });
}
