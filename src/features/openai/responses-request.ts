/** The body of `POST /v1/responses`: its schema, and its input items in the neutral form. */
import { z } from 'zod';
import { present } from '../../core/present.ts';
import {
  checkedFile,
  fileContent,
  inlineFile,
  invalid,
  joinContent,
  textContent,
  type Content,
  type InlineFile,
} from './content.ts';
import { MAX_ITEMS, type Item } from './conversation.ts';
import { readArguments } from './chat-request.ts';
import { responsesTool, responsesToolChoice } from './function-tools.ts';
import { effort, sampling, tokenLimit } from './parameters.ts';

const part = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text']), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  z.object({ type: z.literal('input_image'), image_url: z.string().nullish(), file_id: z.string().nullish() }),
  z.object({
    type: z.literal('input_file'),
    file_data: z.string().nullish(),
    filename: z.string().nullish(),
    file_url: z.string().nullish(),
    file_id: z.string().nullish(),
  }),
]);
const content = z.union([z.string(), z.array(part)]);

const item = z.preprocess(
  withType,
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('message'), role: z.enum(['user', 'assistant', 'system', 'developer']), content }),
    z.object({
      type: z.literal('function_call'),
      call_id: z.string().min(1),
      name: z.string().min(1),
      arguments: z.string(),
    }),
    z.object({ type: z.literal('function_call_output'), call_id: z.string().min(1), output: content }),
    z.object({ type: z.literal('item_reference'), id: z.string() }),
    z.object({ type: z.literal('reasoning') }),
  ]),
);

/** Items may leave their type out: a role makes a message, a bare id a reference. */
function withType(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || 'type' in input) return input;
  return { ...input, type: 'role' in input ? 'message' : 'id' in input ? 'item_reference' : undefined };
}

/**
 * Fields that are not here (`include`, `max_tool_calls`, `service_tier`, `truncation` …) are accepted and have no
 * effect.
 */
export const responsesRequest = z.object({
  model: z.string().nullish(),
  input: z.union([z.string(), z.array(item).max(MAX_ITEMS)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.unknown().optional(),
  prompt: z.unknown().optional(),
  background: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  user: z.string().nullish(),
  max_output_tokens: tokenLimit,
  ...sampling,
  reasoning: z.object({ effort, summary: z.string().nullish() }).nullish(),
  tools: z.array(responsesTool).nullish(),
  tool_choice: responsesToolChoice.nullish(),
  text: z.object({ format: z.looseObject({ type: z.string(), schema: z.unknown().optional() }).nullish() }).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

export type ResponsesRequest = z.output<typeof responsesRequest>;

export function checkSupported({ background, conversation, prompt }: ResponsesRequest): void {
  if (background)
    throw invalid('Background responses are not supported; use stream.', 'background', 'unsupported_value');
  if (conversation !== undefined && conversation !== null)
    throw invalid(
      'Select a conversation with previous_response_id, "user" or the header x-clawdbot-session-key.',
      'conversation',
      'unsupported_parameter',
    );
  if (prompt !== undefined && prompt !== null)
    throw invalid('Stored prompts are not supported; send instructions.', 'prompt', 'unsupported_parameter');
}

export interface ItemLookup {
  /** An earlier output item by its id. */
  readonly find: (id: string) => Item | undefined;
  /** The session's transcript holds what a reference names, whether we remember it or not. */
  readonly sticky: boolean;
}

export function responseItems({ input, instructions }: ResponsesRequest, lookup: ItemLookup): Item[] {
  const opening: Item[] = instructions ? [{ role: 'system', text: instructions }] : [];
  if (typeof input === 'string') return [...opening, { role: 'user', content: textContent(input), param: 'input' }];
  return [...opening, ...input.flatMap((input, index) => readItem(input, `input[${index}]`, lookup))];
}

function readItem(input: z.output<typeof item>, param: string, { find, sticky }: ItemLookup): Item[] {
  switch (input.type) {
    case 'reasoning':
      return [];
    case 'function_call':
      return [
        {
          role: 'assistant',
          text: '',
          calls: [{ type: 'toolCall', id: input.call_id, name: input.name, arguments: readArguments(input.arguments) }],
          param,
        },
      ];
    case 'function_call_output':
      return [{ role: 'tool', callId: input.call_id, content: readContent(input.output, `${param}.output`), param }];
    case 'item_reference': {
      const found =
        find(input.id) ?? (sticky ? ({ role: 'assistant', text: '', calls: [], param } as const) : undefined);
      if (!found)
        throw invalid(
          `The item "${input.id}" is no longer stored. Send it in full (with the AI SDK: store: ` +
            'false), or continue with previous_response_id.',
          `${param}.id`,
          'item_not_found',
        );
      return [found];
    }
    case 'message': {
      const said = readContent(input.content, `${param}.content`);
      if (input.role === 'user') return [{ role: 'user', content: said, param }];
      return [
        input.role === 'assistant'
          ? { role: 'assistant', text: said.text, calls: [], param }
          : { role: 'system', text: said.text },
      ];
    }
  }
}

function readContent(input: z.output<typeof content>, param: string): Content {
  return typeof input === 'string'
    ? textContent(input)
    : joinContent(input.map((one, index) => readPart(one, `${param}[${index}]`)));
}

function readPart(input: z.output<typeof part>, param: string): Content {
  if (input.type === 'input_image') return fileContent(readImage(input.image_url, param));
  if (input.type === 'input_file') return fileContent(readFile(input, param));
  return textContent(input.type === 'refusal' ? input.refusal : input.text);
}

function readImage(url: string | null | undefined, param: string): InlineFile {
  if (!url)
    throw invalid(
      'Images are accepted inline only: send image_url as a data: URL, as there is no file store behind file_id.',
      param,
      'unsupported_value',
    );
  return inlineFile(url, `${param}.image_url`);
}

function readFile(
  { file_data: data, filename }: { file_data?: string | null | undefined; filename?: string | null | undefined },
  param: string,
): InlineFile {
  if (!data)
    throw invalid(
      'Files are accepted inline only: send file_data with a filename; file_url and file_id are not fetched.',
      param,
      'unsupported_value',
    );
  if (data.startsWith('data:')) return inlineFile(data, `${param}.file_data`, filename ?? undefined);
  return checkedFile(
    present({ mime: mimeOf(filename ?? ''), base64: data, name: filename || undefined }),
    `${param}.file_data`,
  );
}

const MIME_BY_EXTENSION: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  html: 'text/html',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
};

const mimeOf = (filename: string): string =>
  MIME_BY_EXTENSION[filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
