/** Anthropic's Messages API as a server speaks it (docs.anthropic.com/en/docs/build-with-claude/streaming). */
import type { FakeMediaWire } from '../../testing/fake-media/wire.ts';
import {
  asText,
  list,
  sse,
  type FakeAnswer,
  type FakeErrorKind,
  type Frames,
  type SeenRequest,
  type Wire,
} from '../../testing/fake-models/wire.ts';

const ERRORS: Record<FakeErrorKind, { status: number; type: string; message: string }> = {
  auth: { status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
  rate: { status: 429, type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
  overloaded: { status: 529, type: 'overloaded_error', message: 'Overloaded' },
  overflow: {
    status: 400,
    type: 'invalid_request_error',
    message: 'prompt is too long: 210000 tokens > 200000 maximum',
  },
  broken: { status: 500, type: 'api_error', message: 'Internal server error' },
  quota: {
    status: 400,
    type: 'invalid_request_error',
    message: 'Your credit balance is too low to access the Anthropic API.',
  },
  'unknown-model': { status: 404, type: 'not_found_error', message: 'model: ghost' },
  picture: {
    status: 400,
    type: 'invalid_request_error',
    message: 'messages.0.content.1.image.source.base64: Could not process image',
  },
};

export const anthropicMessages: Wire = {
  api: 'anthropic-messages',
  matches: (path) => path.endsWith('/messages'),
  frames,
  error(kind) {
    const { status, ...error } = ERRORS[kind];
    return { status, body: { type: 'error', error } };
  },
  errorInStream: () => sse({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'error'),
  read,
};

function frames({ thinking = [], text = [], calls = [], usage, length }: FakeAnswer): Frames {
  let index = 0;
  const event = (type: string, data: object = {}): string => sse({ type, ...data }, type);
  const block = (start: object, deltas: readonly object[]): string[] => {
    const at = { index: index++ };
    return [
      event('content_block_start', { ...at, content_block: start }),
      ...deltas.map((delta) => event('content_block_delta', { ...at, delta })),
      event('content_block_stop', at),
    ];
  };
  const open = [
    event('message_start', {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'fake',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: (usage?.input ?? 0) - (usage?.cacheRead ?? 0),
          output_tokens: 1,
          cache_read_input_tokens: usage?.cacheRead ?? 0,
          cache_creation_input_tokens: 0,
        },
      },
    }),
    event('ping'),
    ...(thinking.length > 0
      ? block({ type: 'thinking', thinking: '' }, [
          ...thinking.map((delta) => ({ type: 'thinking_delta', thinking: delta })),
          { type: 'signature_delta', signature: 'SIG' },
        ])
      : []),
    ...(text.length > 0
      ? block(
          { type: 'text', text: '' },
          text.map((delta) => ({ type: 'text_delta', text: delta })),
        )
      : []),
    ...calls.flatMap(({ id, name, args }) =>
      block({ type: 'tool_use', id, name, input: {} }, [
        { type: 'input_json_delta', partial_json: '' },
        { type: 'input_json_delta', partial_json: JSON.stringify(args) },
      ]),
    ),
  ];
  const stop = length ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
  return {
    open,
    close: [
      event('message_delta', {
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: usage?.output ?? 0 },
      }),
      event('message_stop'),
    ],
  };
}

function read(body: any): SeenRequest {
  const parts = list(body.messages).flatMap(({ content }) =>
    Array.isArray(content) ? content : [{ type: 'text', text: content }],
  );
  const results = parts.filter(({ type }) => type === 'tool_result');
  const inResults = results.flatMap(({ content }) => list(content));
  return {
    system:
      typeof body.system === 'string'
        ? body.system
        : list(body.system)
            .map(({ text }) => text)
            .join('\n'),
    tools: list(body.tools).map(({ name, description, input_schema }) => ({ name, description, schema: input_schema })),
    texts: parts.filter(({ type }) => type === 'text').map(({ text }) => text),
    images: [...parts, ...inResults].filter(({ type }) => type === 'image').map(({ source }) => source.data),
    toolResults: results.map(({ tool_use_id, content }) => ({ id: tool_use_id, text: asText(content) })),
    calls: parts.filter(({ type }) => type === 'tool_use').map(({ id, name, input }) => ({ id, name, args: input })),
    thinking: body.thinking ?? body.output_config,
  };
}

const STATUS_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

/** A message that is not streamed. */
export const anthropicPictures: FakeMediaWire = {
  matches: (path) => path.endsWith('/messages'),
  answer: (text) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'fake',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  error: (status) => ({
    type: 'error',
    error: { type: STATUS_TYPES[status] ?? 'api_error', message: `The request failed with ${status}.` },
    request_id: 'req_1',
  }),
};
