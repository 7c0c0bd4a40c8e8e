/** OpenAI's Chat Completions as a server speaks them (platform.openai.com/docs/api-reference/chat-streaming). */
import type { FakeMediaWire } from '../../testing/fake-media/wire.ts';
import {
  afterComma,
  asText,
  list,
  sse,
  type FakeAnswer,
  type FakeErrorKind,
  type Frames,
  type SeenRequest,
  type Wire,
} from '../../testing/fake-models/wire.ts';

const ERRORS: Record<FakeErrorKind, { status: number; type: string; code: string | null; message: string }> = {
  auth: { status: 401, type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key provided.' },
  rate: { status: 429, type: 'requests', code: 'rate_limit_exceeded', message: 'Rate limit reached.' },
  overloaded: {
    status: 503,
    type: 'server_error',
    code: null,
    message: 'The engine is currently overloaded, please try again later.',
  },
  overflow: {
    status: 400,
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    message: "This model's maximum context length is 128000 tokens.",
  },
  broken: { status: 500, type: 'server_error', code: null, message: 'The server had an error.' },
  quota: {
    status: 429,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  'unknown-model': {
    status: 404,
    type: 'invalid_request_error',
    code: 'model_not_found',
    message: 'The model does not exist.',
  },
  picture: {
    status: 400,
    type: 'invalid_request_error',
    code: 'invalid_image_format',
    message: 'You uploaded an unsupported image. Please make sure your image is valid.',
  },
};

export const openaiError = (kind: FakeErrorKind): { status: number; body: unknown } => {
  const { status, ...error } = ERRORS[kind];
  return { status, body: { error: { ...error, param: null } } };
};

export const openaiCompletions: Wire = {
  api: 'openai-completions',
  matches: (path) => path.endsWith('/chat/completions'),
  frames,
  error: openaiError,
  errorInStream: () => sse({ error: { message: 'Overloaded', type: 'overloaded_error', code: null, param: null } }),
  read,
};

function frames({ thinking = [], text = [], calls = [], usage, length }: FakeAnswer): Frames {
  const chunk = (delta: unknown, finish: string | null = null): string =>
    sse({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'fake',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const open = [
    chunk({ role: 'assistant', content: '' }),
    ...thinking.map((delta) => chunk({ reasoning_content: delta })),
    ...text.map((delta) => chunk({ content: delta })),
    ...calls.flatMap(({ id, name, args }, index) => {
      const json = JSON.stringify(args);
      const half = Math.ceil(json.length / 2);
      return [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: json.slice(0, half) } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: json.slice(half) } }] }),
      ];
    }),
  ];
  const counts = usage && {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
  };
  return {
    open,
    close: [
      chunk({}, length ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'),
      ...(counts
        ? [
            sse({
              id: 'chatcmpl-1',
              object: 'chat.completion.chunk',
              created: 1,
              model: 'fake',
              choices: [],
              usage: counts,
            }),
          ]
        : []),
      sse('[DONE]'),
    ],
  };
}

function read(body: any): SeenRequest {
  const messages = list(body.messages);
  const parts = messages.flatMap(({ role, content }) =>
    Array.isArray(content)
      ? content.map((part: any) => ({ role, ...part }))
      : [{ role, type: 'text', text: content ?? '' }],
  );
  return {
    system: parts
      .filter(({ role }) => role === 'system' || role === 'developer')
      .map(({ text }) => text)
      .join('\n'),
    tools: list(body.tools).map(({ function: f }) => ({
      name: f.name,
      description: f.description,
      schema: f.parameters,
    })),
    texts: parts
      .filter(({ role, type }) => (role === 'user' || role === 'assistant') && type === 'text')
      .map(({ text }) => text),
    images: parts.filter(({ type }) => type === 'image_url').map((part) => afterComma(part.image_url.url)),
    toolResults: messages
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id, content }) => ({ id: tool_call_id, text: asText(content) })),
    calls: messages
      .flatMap(({ tool_calls }) => list(tool_calls))
      .map(({ id, function: f }) => ({ id, name: f.name, args: JSON.parse(f.arguments) })),
    thinking: body.reasoning_effort,
  };
}

/** OpenAI's body for a status, as every compatible server copies it. */
export const openaiComplaint = (status: number): unknown => ({
  error: {
    message: `The request failed with ${status}.`,
    type: status < 500 ? 'invalid_request_error' : 'server_error',
    param: null,
    code: null,
  },
});

/** A completion that is not streamed. */
export const openaiChatPictures: FakeMediaWire = {
  matches: (path) => path.endsWith('/chat/completions'),
  answer: (text) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'fake',
    choices: [
      { index: 0, message: { role: 'assistant', content: text, refusal: null }, logprobs: null, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  error: openaiComplaint,
};
