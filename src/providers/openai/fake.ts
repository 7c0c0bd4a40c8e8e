/** OpenAI's Responses API as a server speaks it (platform.openai.com/docs/api-reference/responses-streaming). */
import type { FakeMediaWire } from '../../testing/fake-media/wire.ts';
import { openaiComplaint, openaiError } from '../openai-compatible/fake.ts';
import {
  afterComma,
  asText,
  list,
  sse,
  type FakeAnswer,
  type Frames,
  type SeenRequest,
  type Wire,
} from '../../testing/fake-models/wire.ts';

export const openaiResponses: Wire = {
  api: 'openai-responses',
  matches: (path) => path.endsWith('/responses'),
  frames,
  error: openaiError,
  errorInStream: () =>
    sse(
      { type: 'error', sequence_number: 9, code: 'server_is_overloaded', message: 'Overloaded', param: null },
      'error',
    ),
  read,
};

function frames({ thinking = [], text = [], calls = [], usage, length }: FakeAnswer): Frames {
  let sequence = 0;
  let index = 0;
  const event = (type: string, data: object): string => sse({ type, sequence_number: sequence++, ...data }, type);
  const open = [
    event('response.created', {
      response: { id: 'resp_1', object: 'response', created_at: 1, model: 'fake', status: 'in_progress', output: [] },
    }),
  ];
  if (thinking.length > 0) {
    const at = { item_id: 'rs_1', output_index: index, summary_index: 0 };
    open.push(
      event('response.output_item.added', {
        output_index: index,
        item: { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: null },
      }),
      event('response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } }),
      ...thinking.map((delta) => event('response.reasoning_summary_text.delta', { ...at, delta })),
      event('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text: thinking.join('') } }),
      event('response.output_item.done', {
        output_index: index++,
        item: {
          id: 'rs_1',
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: thinking.join('') }],
          encrypted_content: 'ENC',
        },
      }),
    );
  }
  if (text.length > 0) {
    const at = { item_id: 'msg_1', output_index: index, content_index: 0 };
    open.push(
      event('response.output_item.added', {
        output_index: index,
        item: { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
      }),
      ...text.map((delta) => event('response.output_text.delta', { ...at, delta, logprobs: [] })),
      event('response.output_item.done', {
        output_index: index++,
        item: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: text.join(''), annotations: [] }],
        },
      }),
    );
  }
  for (const { id, name, args } of calls) {
    const item = { id: `fc_${id}`, type: 'function_call', call_id: id, name };
    const json = JSON.stringify(args);
    open.push(
      event('response.output_item.added', {
        output_index: index,
        item: { ...item, arguments: '', status: 'in_progress' },
      }),
      event('response.function_call_arguments.delta', { item_id: item.id, output_index: index, delta: json }),
      event('response.function_call_arguments.done', { item_id: item.id, output_index: index, arguments: json }),
      event('response.output_item.done', {
        output_index: index++,
        item: { ...item, arguments: json, status: 'completed' },
      }),
    );
  }
  const counts = {
    input_tokens: usage?.input ?? 0,
    input_tokens_details: { cached_tokens: usage?.cacheRead ?? 0 },
    output_tokens: usage?.output ?? 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: (usage?.input ?? 0) + (usage?.output ?? 0),
  };
  const type = length ? 'response.incomplete' : 'response.completed';
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'fake',
    status: length ? 'incomplete' : 'completed',
    output: [],
    usage: counts,
    incomplete_details: length ? { reason: 'max_output_tokens' } : null,
  };
  return { open, close: [event(type, { response })] };
}

function read(body: any): SeenRequest {
  const input = list(body.input);
  const parts = input.flatMap(({ role, content }) =>
    Array.isArray(content)
      ? content.map((part: any) => ({ role, ...part }))
      : role
        ? [{ role, type: 'input_text', text: content }]
        : [],
  );
  const outputs = input.filter(({ type }) => type === 'function_call_output');
  const inOutputs = outputs.flatMap(({ output }) => list(output));
  return {
    system: [
      body.instructions,
      ...parts.filter(({ role }) => role === 'system' || role === 'developer').map(({ text }) => text),
    ]
      .filter(Boolean)
      .join('\n'),
    tools: list(body.tools).map(({ name, description, parameters }) => ({ name, description, schema: parameters })),
    texts: parts
      .filter(({ role, text }) => (role === 'user' || role === 'assistant') && typeof text === 'string')
      .map(({ text }) => text),
    images: [...parts, ...inOutputs]
      .filter(({ type }) => type === 'input_image')
      .map((part) => afterComma(part.image_url)),
    toolResults: outputs.map(({ call_id, output }) => ({ id: call_id, text: asText(output) })),
    calls: input
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id, name, arguments: args }) => ({ id: call_id, name, args: JSON.parse(args) })),
    thinking: body.reasoning,
  };
}

/** A response that is not streamed; thinking comes before the message. */
export const openaiPictures: FakeMediaWire = {
  matches: (path) => path.endsWith('/responses'),
  answer: (text) => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: 'fake',
    output: [
      { type: 'reasoning', id: 'rs_1', summary: [] },
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  }),
  error: openaiComplaint,
};

/** What was heard, as JSON (platform.openai.com/docs/api-reference/audio/json-object). */
export const openaiTranscriptions: FakeMediaWire = {
  matches: (path) => path.endsWith('/audio/transcriptions'),
  answer: (text) => ({ text, usage: { type: 'tokens', input_tokens: 1, output_tokens: 1, total_tokens: 2 } }),
  error: openaiComplaint,
};
