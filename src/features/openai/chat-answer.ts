/** The answers of `POST /v1/chat/completions`, whole and as a stream. */
import { present } from '../../core/present.ts';
import type { Usage } from '../../core/transcript.ts';
import type { PendingToolCall } from '../../core/turn.ts';
import type { TurnAnswer } from './run-turn.ts';

export interface CompletionFacts {
  readonly id: string;
  /** Echoed as the caller wrote it. */
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

const FINISH = { stop: 'stop', length: 'length', tool_calls: 'tool_calls', aborted: 'stop' } as const;

export function completion({ id, model, created }: CompletionFacts, answer: TurnAnswer): unknown {
  const { text, toolCalls, ended, usage } = answer;
  const message = present({
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    refusal: null,
    tool_calls: toolCalls.length > 0 ? toolCalls.map(toolCall) : undefined,
  });
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH[ended] }],
    usage: chatUsage(usage),
  };
}

/** The model's prompt is everything that was not output, cached or not. */
export function chatUsage(usage: Usage): unknown {
  const total = usage.total || usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: Math.max(0, total - usage.output),
    completion_tokens: usage.output,
    total_tokens: total,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}

export interface ChatFrames {
  readonly preamble: () => string;
  readonly text: (delta: string) => string;
  /** Everything after the last text. */
  readonly closing: (answer: TurnAnswer) => string;
}

/** What is the same in every chunk is written once: a delta costs one small `JSON.stringify`. */
export function chatFrames({ id, model, created }: CompletionFacts, includeUsage: boolean): ChatFrames {
  const head = `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)},"choices":`;
  const usageField = includeUsage ? ',"usage":null' : '';
  const chunk = (delta: string, finish = 'null'): string =>
    `${head}[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]${usageField}}\n\n`;
  return {
    preamble: () => chunk('{"role":"assistant","content":"","refusal":null}'),
    text: (delta) => chunk(`{"content":${JSON.stringify(delta)}}`),
    closing: ({ toolCalls, ended, usage }) =>
      toolCalls.map((call, index) => chunk(JSON.stringify({ tool_calls: [{ index, ...toolCall(call) }] }))).join('') +
      chunk('{}', JSON.stringify(FINISH[ended])) +
      (includeUsage ? `${head}[],"usage":${JSON.stringify(chatUsage(usage))}}\n\n` : '') +
      'data: [DONE]\n\n',
  };
}

const toolCall = ({ id, name, arguments: input }: PendingToolCall) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input ?? {}) },
});
