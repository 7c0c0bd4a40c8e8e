/** The messages of a request in one neutral form, and their division into history and what is said now. */
import { AppError } from '../../core/errors.ts';
import type { ImageBlock, Message, TextBlock, ToolCallBlock, ToolResultMessage } from '../../core/transcript.ts';
import { noUsage } from '../../core/transcript.ts';
import { joinContent, type Content, invalid } from './content.ts';

/** Messages of one request: each is validated, read and written to a transcript without a pause between. */
export const MAX_ITEMS = 4096;
const MAX_TEXT = 4_000_000;

/** `param` is where it stood in the request, for error messages. */
export type Item =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly content: Content; readonly param: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly ToolCallBlock[];
      readonly param: string;
    }
  | { readonly role: 'tool'; readonly callId: string; readonly content: Content; readonly param: string };

type UserItem = Extract<Item, { role: 'user' }>;
type AssistantItem = Extract<Item, { role: 'assistant' }>;
type ToolItem = Extract<Item, { role: 'tool' }>;

export interface Conversation {
  /** System and developer messages and instructions, in order. */
  readonly system: string;
  readonly history: readonly Item[];
  /** The trailing user messages as one. */
  readonly said: Content;
  /** Trailing tool results that nothing was said after. */
  readonly results: readonly ToolItem[];
  /** Every tool call the request itself shows, by id. */
  readonly calls: ReadonlyMap<string, ToolCallBlock>;
}

/**
 * What stands after the last assistant message is current. Throws `AppError('invalid')` when that is nothing,
 * `too_large` for more text than any model takes.
 */
export function readConversation(items: readonly Item[], param: string): Conversation {
  const characters = items.reduce((sum, item) => sum + ('text' in item ? item.text : item.content.text).length, 0);
  if (characters > MAX_TEXT)
    throw new AppError('too_large', `The conversation has ${characters} characters; the limit is ${MAX_TEXT}.`, {
      details: { param },
    });
  const spoken = joinAssistants(items.filter((item) => item.role !== 'system'));
  const start = spoken.findLastIndex((item) => item.role === 'assistant') + 1;
  const tail = spoken.slice(start);
  const said = joinContent(tail.filter((item): item is UserItem => item.role === 'user').map(({ content }) => content));
  const results = tail.filter((item): item is ToolItem => item.role === 'tool');
  const speaks = said.text.trim() !== '' || said.files.length > 0;
  if (!speaks && results.length === 0)
    throw invalid(
      'There is nothing to answer: the last message must come from the user and have text, or be a tool result.',
      param,
    );
  return {
    system: items.flatMap((item) => (item.role === 'system' && item.text ? [item.text] : [])).join('\n\n'),
    history: [...spoken.slice(0, start), ...(speaks ? results : [])],
    said,
    results: speaks ? [] : results,
    calls: new Map(
      spoken.flatMap((item) => (item.role === 'assistant' ? item.calls.map((call) => [call.id, call] as const) : [])),
    ),
  };
}

/** Responses lists a message and its calls one by one; to a model they are one message. */
function joinAssistants(items: readonly Item[]): Item[] {
  const joined: Item[] = [];
  let run: AssistantItem[] = [];
  const endRun = (): void => {
    if (run.length > 0)
      joined.push({
        ...run[0]!,
        text: run
          .map(({ text }) => text)
          .filter(Boolean)
          .join('\n\n'),
        calls: run.flatMap(({ calls }) => calls),
      });
    run = [];
  };
  for (const item of items) {
    if (item.role === 'assistant') run.push(item);
    else {
      endRun();
      joined.push(item);
    }
  }
  endRun();
  return joined;
}

/**
 * As OpenAI does: every call has exactly one result, every result its call. Only for requests that carry their whole
 * history.
 */
export function checkToolPairs({ history, results, calls }: Conversation): void {
  const answered = new Set<string>();
  for (const item of [...history, ...results]) {
    if (item.role !== 'tool') continue;
    if (!calls.has(item.callId))
      throw invalid(
        `The tool result for "${item.callId}" matches no tool call of an earlier assistant message.`,
        item.param,
      );
    answered.add(item.callId);
  }
  for (const item of history) {
    const open = item.role === 'assistant' ? item.calls.find(({ id }) => !answered.has(id)) : undefined;
    if (open && item.role === 'assistant')
      throw invalid(
        `The tool call "${open.id}" has no result: an assistant message with tool calls must be followed by ` +
          'a result for each.',
        item.param,
      );
  }
}

/** The history of a stateless caller as transcript messages. */
export function seedOf({ history, calls }: Conversation, now: number): Message[] {
  return history.flatMap((item): Message[] => {
    if (item.role === 'system') return [];
    if (item.role === 'user') return [{ role: 'user', content: blocksOf(item.content), timestamp: now }];
    if (item.role === 'tool') return [toolResult(item, calls.get(item.callId)?.name ?? 'tool', now)];
    const content = [...(item.text ? [{ type: 'text', text: item.text } as const] : []), ...item.calls];
    return [
      {
        role: 'assistant',
        content,
        timestamp: now,
        provider: 'client',
        model: 'client',
        usage: noUsage,
        stopReason: item.calls.length > 0 ? 'toolUse' : 'stop',
      },
    ];
  });
}

export function toolResult({ callId, content }: ToolItem, toolName: string, now: number): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: callId,
    toolName,
    content: blocksOf(content),
    isError: false,
    timestamp: now,
  };
}

/** A transcript holds text and images; another file leaves its name. */
function blocksOf({ text, files }: Content): (TextBlock | ImageBlock)[] {
  const attached = files.map((file): TextBlock | ImageBlock =>
    file.mime.startsWith('image/')
      ? { type: 'image', data: file.base64, mimeType: file.mime }
      : { type: 'text', text: `[file: ${file.name ?? file.mime}]` },
  );
  return [...(text || attached.length === 0 ? [{ type: 'text', text } as const] : []), ...attached];
}
