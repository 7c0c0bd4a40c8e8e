/** The concierge as a language model: reads the prompt, finds the phrase that fits, streams its answer word by word. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { ChatModel } from '../../sdk/index.ts';
import { respond, type Response } from './respond.ts';
import { readPrompt } from './view.ts';

export function concierge(modelId: string): ChatModel {
  return {
    specificationVersion: 'v4',
    provider: 'offline',
    modelId,
    supportedUrls: {},
    doStream: (options) => Promise.resolve({ stream: streamOf(partsOf(options), options.abortSignal) }),
    doGenerate(options) {
      const response = respond(readPrompt(options));
      return Promise.resolve({
        content: contentOf(response),
        finishReason: finishOf(response),
        usage: usageOf(options, response),
        warnings: [],
      });
    },
  };
}

function* partsOf(options: LanguageModelV4CallOptions): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  const response = respond(readPrompt(options));
  if (response.say) {
    yield { type: 'text-start', id: 'text' };
    for (const delta of words(response.say)) yield { type: 'text-delta', id: 'text', delta };
    yield { type: 'text-end', id: 'text' };
  }
  for (const part of contentOf(response)) if (part.type === 'tool-call') yield part;
  yield { type: 'finish', finishReason: finishOf(response), usage: usageOf(options, response) };
}

/** Each word with the blanks before it; joined they are the text again. */
export const words = (text: string): readonly string[] => text.match(/\s*\S+|\s+/g) ?? [];

function contentOf({ say, call }: Response): LanguageModelV4Content[] {
  return [
    ...(say ? [{ type: 'text' as const, text: say }] : []),
    ...(call
      ? [{ type: 'tool-call' as const, toolCallId: call.id, toolName: call.tool, input: JSON.stringify(call.input) }]
      : []),
  ];
}

const finishOf = ({ call }: Response): LanguageModelV4FinishReason =>
  call ? { unified: 'tool-calls', raw: 'tool-calls' } : { unified: 'stop', raw: 'stop' };

/** About four characters to a token, as with most models: the figures of the status card then mean something. */
function usageOf({ prompt }: LanguageModelV4CallOptions, { say = '', call }: Response): LanguageModelV4Usage {
  const characters = prompt.reduce(
    (sum, { content }) =>
      sum +
      (typeof content === 'string'
        ? content.length
        : content.reduce((inner, part) => inner + ('text' in part ? part.text.length : 200), 0)),
    0,
  );
  const input = Math.ceil(characters / 4);
  const output = Math.ceil((say.length + (call ? JSON.stringify(call.input).length : 0)) / 4);
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
}

/** One part per pull, so that a reader that stops gets no more. */
function streamOf(
  parts: Iterator<LanguageModelV4StreamPart>,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    pull(controller) {
      signal?.throwIfAborted();
      const { done, value } = parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
