/** The body of `POST /v1/chat/completions`: its schema, and its messages in the neutral form. */
import { z } from 'zod';
import type { ToolCallBlock } from '../../core/transcript.ts';
import { MAX_ITEMS, type Item } from './conversation.ts';
import {
  checkedFile,
  fileContent,
  inlineFile,
  invalid,
  joinContent,
  noContent,
  textContent,
  type Content,
} from './content.ts';
import { chatTool, chatToolChoice } from './function-tools.ts';
import { effort, sampling, tokenLimit } from './parameters.ts';

const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.union([z.string(), z.object({ url: z.string() })]) }),
  z.object({
    type: z.literal('file'),
    file: z.object({
      file_data: z.string().optional(),
      file_id: z.string().optional(),
      filename: z.string().optional(),
    }),
  }),
  z.object({ type: z.literal('input_audio'), input_audio: z.object({ data: z.string(), format: z.string() }) }),
]);
const content = z.union([z.string(), z.array(part)]).nullish();
const toolCall = z.object({
  id: z.string().min(1),
  type: z.string().optional(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content }),
  z.object({ role: z.literal('user'), content, name: z.string().optional() }),
  z.object({
    role: z.literal('assistant'),
    content,
    refusal: z.string().nullish(),
    tool_calls: z.array(toolCall).nullish(),
  }),
  z.object({ role: z.literal('tool'), content, tool_call_id: z.string().min(1) }),
]);

/**
 * Fields that are not here (`seed`, `stop`, `logit_bias`, penalties, `store`, `metadata` …) are accepted and have no
 * effect.
 */
export const chatRequest = z.object({
  model: z.string().optional(),
  messages: z.array(message).min(1).max(MAX_ITEMS),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  user: z.string().nullish(),
  n: z.number().nullish(),
  max_tokens: tokenLimit,
  max_completion_tokens: tokenLimit,
  ...sampling,
  reasoning_effort: effort,
  tools: z.array(chatTool).nullish(),
  tool_choice: chatToolChoice.nullish(),
  response_format: z.object({ type: z.string(), json_schema: z.object({ schema: z.unknown() }).optional() }).nullish(),
  functions: z.unknown().optional(),
  modalities: z.array(z.string()).nullish(),
});

export type ChatCompletionRequest = z.output<typeof chatRequest>;

/** What would change the answer's shape cannot be ignored quietly. */
export function checkSupported({ n, functions, modalities }: ChatCompletionRequest): void {
  if (typeof n === 'number' && n !== 1)
    throw invalid('Only one choice is produced per request: n must be 1.', 'n', 'unsupported_value');
  if (functions !== undefined)
    throw invalid('"functions" was replaced by "tools"; use "tools".', 'functions', 'unsupported_parameter');
  if (modalities?.some((kind) => kind !== 'text'))
    throw invalid('Only text output is supported.', 'modalities', 'unsupported_value');
}

export function chatItems({ messages }: ChatCompletionRequest): Item[] {
  return messages.map((input, index): Item => {
    const param = `messages[${index}]`;
    const said = readContent(input.content, `${param}.content`);
    switch (input.role) {
      case 'system':
      case 'developer':
        return { role: 'system', text: said.text };
      case 'user':
        return { role: 'user', content: said, param };
      case 'tool':
        return { role: 'tool', callId: input.tool_call_id, content: said, param };
      case 'assistant':
        return {
          role: 'assistant',
          text: said.text || (input.refusal ?? ''),
          calls: (input.tool_calls ?? []).map(readCall),
          param,
        };
    }
  });
}

function readContent(input: z.output<typeof content>, param: string): Content {
  if (input === null || input === undefined) return noContent;
  if (typeof input === 'string') return textContent(input);
  return joinContent(input.map((one, index) => readPart(one, `${param}[${index}]`)));
}

function readPart(input: z.output<typeof part>, param: string): Content {
  switch (input.type) {
    case 'text':
      return textContent(input.text);
    case 'refusal':
      return textContent(input.refusal);
    case 'image_url': {
      const { image_url: image } = input;
      return fileContent(
        typeof image === 'string'
          ? inlineFile(image, `${param}.image_url`)
          : inlineFile(image.url, `${param}.image_url.url`),
      );
    }
    case 'file': {
      const { file_data: data, filename } = input.file;
      if (data === undefined)
        throw invalid(
          'Files are accepted inline only: send file_data, as there is no file store behind file_id.',
          `${param}.file`,
          'unsupported_value',
        );
      return fileContent(inlineFile(data, `${param}.file.file_data`, filename));
    }
    case 'input_audio':
      return fileContent(
        checkedFile(
          {
            mime: `audio/${input.input_audio.format === 'mp3' ? 'mpeg' : input.input_audio.format}`,
            base64: input.input_audio.data,
          },
          `${param}.input_audio.data`,
        ),
      );
  }
}

const readCall = (call: z.output<typeof toolCall>): ToolCallBlock => ({
  type: 'toolCall',
  id: call.id,
  name: call.function.name,
  arguments: readArguments(call.function.arguments),
});

/** Models do write broken JSON; the text itself is then the best record of what was called. */
export function readArguments(json: string): unknown {
  try {
    return JSON.parse(json || '{}');
  } catch (error) {
    if (error instanceof SyntaxError) return { input: json };
    throw error;
  }
}
