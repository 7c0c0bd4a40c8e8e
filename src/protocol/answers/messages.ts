/** The messages of a conversation as clients read them, and the events of a run. */
import { z } from 'zod';
import { instant, list, text } from './shapes.ts';

const keptFile = z.strictObject({
  id: text.describe('`chat.file` has the bytes.'),
  name: text,
  mime: text,
  size: z.number().describe('Bytes.'),
});
const canvasPreview = z.strictObject({
  kind: z.literal('canvas'),
  surface: z.literal('assistant_message'),
  render: z.literal('url'),
  viewId: text.exactOptional().describe('Id of a document of the gateway.'),
  url: text.describe('A path below the canvas of the gateway, or an https address; `canvas.open` leads there.'),
  title: text.exactOptional(),
  preferredHeight: z.number().exactOptional().describe('CSS pixels, 160 to 1200.'),
});
/** What is framed beside an answer. */
export type WirePreview = z.output<typeof canvasPreview>;
const shown = z.strictObject({ text, files: list(keptFile), canvas: list(canvasPreview).exactOptional() });

const textBlock = z.strictObject({ type: z.literal('text'), text });
const imageBlock = z.strictObject({ type: z.literal('image'), data: text.describe('Base64.'), mimeType: text });
const thinkingBlock = z.strictObject({
  type: z.literal('thinking'),
  thinking: text,
  meta: z.unknown().exactOptional(),
});
const toolCallBlock = z.strictObject({
  type: z.literal('toolCall'),
  id: text,
  name: text,
  arguments: z.unknown(),
  meta: z.unknown().exactOptional(),
});
const canvasBlock = z.strictObject({ type: z.literal('canvas'), preview: canvasPreview });
/** One content block of a message, by `type`. */
export type WireBlock = z.output<
  typeof textBlock | typeof imageBlock | typeof thinkingBlock | typeof toolCallBlock | typeof canvasBlock
>;

/** What a model call used, in tokens. */
export const usage = z.strictObject({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  total: z.number(),
  cost: z.number().exactOptional().describe("US dollars, when the model's prices are configured."),
});

/** `runId` of a person's message is the idempotency key of its `chat.send`. */
const facts = z.strictObject({
  id: text.exactOptional(),
  runId: text.exactOptional(),
  idempotencyKey: text.exactOptional(),
});

const ofUser = {
  role: z.literal('user'),
  content: list(z.union([textBlock, imageBlock])),
  timestamp: instant,
  system: z.literal(true).exactOptional().describe('System message from the gateway to the agent.'),
  written: z
    .strictObject({
      text,
      files: list(z.strictObject({ name: text, mime: text })),
      by: text.exactOptional().describe('Who wrote it, on a channel.'),
    })
    .exactOptional()
    .describe('Original text and files of the person, if `content` contains more.'),
};
const ofAssistant = {
  role: z.literal('assistant'),
  content: list(z.union([textBlock, thinkingBlock, toolCallBlock, canvasBlock])),
  timestamp: instant,
  provider: text,
  model: text,
  usage,
  stopReason: z.enum(['stop', 'toolUse', 'length', 'aborted', 'error', 'injected']),
  errorMessage: text.exactOptional(),
  shown: shown.exactOptional().describe('Text and files that people see instead of the raw text.'),
};
const ofTool = {
  role: z.literal('toolResult'),
  toolCallId: text,
  toolName: text,
  content: list(z.union([textBlock, imageBlock])),
  isError: z.boolean(),
  details: z.unknown().exactOptional(),
  timestamp: instant,
};
/** As `chat.history` has them: with the files people got, and the facts of the gateway. */
const seen = { files: list(keptFile).exactOptional(), __openclaw: facts };
/** A message of the history, by `role`. */
export const historyMessage = z.discriminatedUnion('role', [
  z.strictObject({ ...ofUser, ...seen }),
  z.strictObject({ ...ofAssistant, ...seen }),
  z.strictObject({ ...ofTool, ...seen }),
]);
/** A message of the history. */
export type WireMessage = z.output<typeof historyMessage>;

/** An assistant message as `chat` events carry it. */
const chatMessage = z.strictObject({
  role: z.literal('assistant'),
  content: list(z.union([textBlock, canvasBlock])),
  timestamp: instant,
  files: list(keptFile).exactOptional(),
  told: list(shown).exactOptional().describe('For the final message: files a tool already sent to this chat.'),
});
/** The message a `chat` event carries. */
export type ChatMessage = z.output<typeof chatMessage>;

const head = { runId: text, sessionKey: text, agentId: text, seq: z.number() };
const errorKind = z.enum(['timeout', 'rate_limit', 'context_length', 'unknown']);
/** What kind of failure ended a run, as far as clients treat it differently. */
export type ChatErrorKind = z.output<typeof errorKind>;

/**
 * `delta` carries the whole text so far in `message` and the new part in `deltaText`; with `replace` that part is the
 * whole text, because a new message of the turn began. `final` is authoritative; without a message nothing was said,
 * and `stopReason` tells why: `merged`, the answer came with another message of the session, or `silent`. A message
 * without words or files says that what was streamed is not shown: a tool had said it.
 */
const chatEvent = z.discriminatedUnion('state', [
  z.strictObject({
    ...head,
    state: z.literal('delta'),
    message: chatMessage,
    deltaText: text,
    replace: z.boolean().exactOptional(),
  }),
  z.strictObject({
    ...head,
    state: z.literal('final'),
    message: chatMessage.exactOptional(),
    usage: usage.exactOptional(),
    stopReason: text.exactOptional(),
  }),
  z.strictObject({
    ...head,
    state: z.literal('aborted'),
    message: chatMessage.exactOptional(),
    stopReason: text.exactOptional(),
  }),
  z.strictObject({
    ...head,
    state: z.literal('error'),
    message: chatMessage.exactOptional(),
    errorMessage: text,
    errorKind,
  }),
]);
/** Payload of `chat`. */
export type ChatEvent = z.output<typeof chatEvent>;

/** Stands for the deltas of `chat` where a client has the capability `text-deltas`; `seq` counts with `chat`. */
const textDelta = z.strictObject({
  ...head,
  at: z.number().describe('Characters of the message, UTF-16 units, that stand before `deltaText`.'),
  deltaText: text,
  replace: z.boolean().exactOptional().describe('A new message of the turn began.'),
});
/** Payload of `chat.delta`. */
export type TextDelta = z.output<typeof textDelta>;

const stream = z.enum(['lifecycle', 'assistant', 'thinking', 'tool', 'compaction', 'notice', 'understanding']);
/** What part of a run an `agent` event tells of. */
export type AgentStream = z.output<typeof stream>;

/** `seq` counts per run. `data.sessionKey` tells the session; the rest of `data` depends on the stream. */
const agentEvent = z.strictObject({
  runId: text,
  seq: z.number(),
  stream,
  ts: instant,
  data: z.looseObject({ sessionKey: text }),
});
/** Payload of `agent`. */
export type AgentStreamEvent = z.output<typeof agentEvent>;

/** A user message as clients that follow the session get it, before its answer. */
const question = z.strictObject({
  role: z.literal('user'),
  content: list(textBlock),
  timestamp: instant,
  __openclaw: facts,
});

/** Payloads of the events that carry messages and runs. */
export const messageEvents = {
  chat: chatEvent,
  'chat.delta': textDelta,
  agent: agentEvent,
  'session.message': z.strictObject({
    sessionKey: text,
    agentId: text,
    runId: text.exactOptional(),
    messageId: text.exactOptional(),
    message: z.union([z.strictObject(ofUser), z.strictObject(ofAssistant), z.strictObject(ofTool), question]),
  }),
};
