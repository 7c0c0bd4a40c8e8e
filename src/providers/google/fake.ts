/** Google's `streamGenerateContent` as a server speaks it (ai.google.dev/api/generate-content). */
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

const ERRORS: Record<FakeErrorKind, { status: number; word: string; message: string; details?: unknown[] }> = {
  auth: { status: 400, word: 'INVALID_ARGUMENT', message: 'API key not valid. Please pass a valid API key.' },
  rate: {
    status: 429,
    word: 'RESOURCE_EXHAUSTED',
    message: 'Resource has been exhausted.',
    details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }],
  },
  overloaded: { status: 503, word: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' },
  overflow: {
    status: 400,
    word: 'INVALID_ARGUMENT',
    message: 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).',
  },
  broken: { status: 500, word: 'INTERNAL', message: 'An internal error has occurred.' },
  quota: {
    status: 429,
    word: 'RESOURCE_EXHAUSTED',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  'unknown-model': { status: 404, word: 'NOT_FOUND', message: 'models/ghost is not found for API version v1beta.' },
  picture: {
    status: 400,
    word: 'INVALID_ARGUMENT',
    message: 'Unable to process input image. Please retry or report the problem.',
  },
};

export const googleGenerativeAi: Wire = {
  api: 'google-generative-ai',
  matches: (path) => path.includes(':streamGenerateContent'),
  frames,
  error(kind) {
    const { status, word, ...rest } = ERRORS[kind];
    return { status, body: { error: { code: status, status: word, ...rest } } };
  },
  errorInStream: () => sse({ error: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' } }),
  read,
};

function frames({ thinking = [], text = [], calls = [], usage, length }: FakeAnswer): Frames {
  const counts = {
    promptTokenCount: usage?.input ?? 0,
    candidatesTokenCount: usage?.output ?? 0,
    totalTokenCount: (usage?.input ?? 0) + (usage?.output ?? 0),
    cachedContentTokenCount: usage?.cacheRead ?? 0,
  };
  const chunk = (part: object, more: object = {}): string =>
    sse({
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, ...more }],
      usageMetadata: counts,
      modelVersion: 'fake',
      responseId: 'r1',
    });
  return {
    open: [
      ...thinking.map((delta) => chunk({ text: delta, thought: true })),
      ...text.map((delta) => chunk({ text: delta })),
      ...calls.map(({ id, name, args }) => chunk({ functionCall: { id, name, args }, thoughtSignature: 'SIG' })),
    ],
    close: [chunk({ text: '' }, { finishReason: length ? 'MAX_TOKENS' : 'STOP' })],
  };
}

function read(body: any): SeenRequest {
  const parts = list(body.contents).flatMap(({ parts: own }) => list(own));
  const results = parts.filter((part) => part.functionResponse);
  const inResults = results.flatMap((part) => list(part.functionResponse.parts));
  return {
    system: list(body.systemInstruction?.parts)
      .map(({ text }) => text)
      .join('\n'),
    tools: list(body.tools)
      .flatMap(({ functionDeclarations }) => list(functionDeclarations))
      .map((f) => ({ name: f.name, description: f.description, schema: f.parametersJsonSchema ?? f.parameters })),
    texts: parts.filter(({ text }) => typeof text === 'string').map(({ text }) => text),
    images: [...parts, ...inResults].filter(({ inlineData }) => inlineData).map(({ inlineData }) => inlineData.data),
    toolResults: results.map(({ functionResponse: r }) => ({ id: r.id, text: asText(r.response) })),
    calls: parts
      .filter((part) => part.functionCall)
      .map(({ functionCall: f }) => ({ id: f.id, name: f.name, args: f.args })),
    thinking: body.generationConfig?.thinkingConfig,
  };
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** `generateContent`: the whole answer at once. */
export const geminiMedia: FakeMediaWire = {
  matches: (path) => path.endsWith(':generateContent'),
  answer: (text) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'fake',
    responseId: 'r1',
  }),
  error: (status) => ({
    error: { code: status, status: STATUS_WORDS[status] ?? 'UNKNOWN', message: `The request failed with ${status}.` },
  }),
};
