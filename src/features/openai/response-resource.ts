/**
 * The response object of `POST /v1/responses` and its output items, with every field the Open Responses schema
 * requires.
 */
import type { AppError } from '../../core/errors.ts';
import type { Usage } from '../../core/transcript.ts';
import type { PendingToolCall } from '../../core/turn.ts';
import { openAiError } from '../../host/http/reply.ts';
import type { FunctionTool } from './function-tools.ts';
import type { ResponsesRequest } from './responses-request.ts';
import type { TurnAnswer } from './run-turn.ts';

export interface ResponseFacts {
  readonly id: string;
  readonly runId: string;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly body: ResponsesRequest;
  readonly tools: readonly FunctionTool[];
}

export type OutputItem = MessageItem | FunctionCallItem;
export interface MessageItem {
  readonly type: 'message';
  readonly id: string;
  readonly status: ItemStatus;
  readonly role: 'assistant';
  readonly content: readonly TextPart[];
}
export interface FunctionCallItem {
  readonly type: 'function_call';
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly status: ItemStatus;
}
export interface TextPart {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly [];
  readonly logprobs: readonly [];
}
type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** The part of the object that never changes during one response. */
function fixedFields({ id, createdAt, body, tools }: ResponseFacts) {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    model: body.model ?? 'clawdbot',
    background: false,
    previous_response_id: body.previous_response_id ?? null,
    instructions: body.instructions ?? null,
    tools: tools.map(({ name, description, parameters, strict }) => ({
      type: 'function',
      name,
      description: description ?? null,
      parameters,
      strict,
    })),
    tool_choice: body.tool_choice ?? 'auto',
    parallel_tool_calls: true,
    max_tool_calls: null,
    temperature: body.temperature ?? 1,
    top_p: body.top_p ?? 1,
    top_logprobs: 0,
    presence_penalty: 0,
    frequency_penalty: 0,
    max_output_tokens: body.max_output_tokens ?? null,
    truncation: 'disabled',
    service_tier: 'default',
    text: { format: body.text?.format ?? { type: 'text' } },
    reasoning: body.reasoning ? { effort: body.reasoning.effort ?? null, summary: null } : null,
    store: body.store ?? true,
    user: body.user ?? null,
    metadata: body.metadata ?? {},
    safety_identifier: null,
    prompt_cache_key: null,
  };
}

const unfinished = { completed_at: null, incomplete_details: null, error: null, usage: null, output: [] };

export function startedResponse(facts: ResponseFacts): object {
  return { ...fixedFields(facts), ...unfinished, status: 'in_progress' };
}

export function finishedResponse(facts: ResponseFacts, answer: TurnAnswer, now: number): object {
  const reason = incompleteReason(answer);
  return {
    ...fixedFields(facts),
    ...unfinished,
    status: reason ? 'incomplete' : 'completed',
    completed_at: reason ? null : Math.floor(now / 1000),
    incomplete_details: reason ? { reason } : null,
    output: outputOf(facts, answer),
    usage: responseUsage(answer.usage),
  };
}

export function failedResponse(facts: ResponseFacts, error: AppError): object {
  const { code, message } = openAiError(error);
  return { ...fixedFields(facts), ...unfinished, status: 'failed', error: { code: code ?? 'server_error', message } };
}

/** Text first, then calls; an answer with neither is an empty message. */
export function outputOf(facts: Pick<ResponseFacts, 'runId'>, answer: TurnAnswer): OutputItem[] {
  const calls = answer.toolCalls.map((call, index) => callItem(facts.runId, call, index));
  if (answer.text === '' && calls.length > 0) return calls;
  return [messageItem(facts.runId, answer.text, incompleteReason(answer) ? 'incomplete' : 'completed'), ...calls];
}

function incompleteReason({ ended }: TurnAnswer): string | undefined {
  if (ended === 'length') return 'max_output_tokens';
  return ended === 'aborted' ? 'aborted' : undefined;
}

export const messageId = (runId: string): string => `msg_${runId}`;
export const textPart = (text: string): TextPart => ({ type: 'output_text', text, annotations: [], logprobs: [] });
export const messageItem = (runId: string, text: string, status: ItemStatus): MessageItem => ({
  type: 'message',
  id: messageId(runId),
  status,
  role: 'assistant',
  content: [textPart(text)],
});

const callItem = (runId: string, call: PendingToolCall, index: number): FunctionCallItem => ({
  type: 'function_call',
  id: `fc_${runId}_${index}`,
  call_id: call.id,
  name: call.name,
  arguments: JSON.stringify(call.arguments ?? {}),
  status: 'completed',
});

function responseUsage(usage: Usage) {
  const total = usage.total || usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  return {
    input_tokens: Math.max(0, total - usage.output),
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: total,
  };
}
