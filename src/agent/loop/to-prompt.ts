/** Converts a conversation to the form that a model's vendor expects. Pure. */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { ProviderApi } from '../../core/provider.ts';
import {
  pictureLeftOut,
  textOf,
  type AssistantMessage,
  type ImageBlock,
  type Message,
  type TextBlock,
  type ToolCallBlock,
} from '../../core/transcript.ts';
import { sendable } from '../../platform/pictures/sendable.ts';
import { createCallIds, idRuleFor } from './call-ids.ts';
import { pairCalls, type Exchange, type PairedCall } from './pair-calls.ts';

/** Who will read it. */
export interface PromptTarget {
  readonly provider: string;
  readonly modelId: string;
  readonly api?: ProviderApi | undefined;
  /** False: pictures are replaced by a note. */
  readonly images: boolean;
}

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];
type Part = LanguageModelV4TextPart | LanguageModelV4FilePart;

export function toPrompt({
  system,
  messages,
  target,
}: {
  system: string;
  messages: readonly Message[];
  target: PromptTarget;
}): LanguageModelV4Prompt {
  const nextId = createCallIds(idRuleFor(target));
  const body = pairCalls(messages).flatMap((exchange) => writeExchange(exchange, target, nextId));
  // Anthropic and Google want the person to speak first; after a note of our own or a cut history that need not be so.
  if (body[0] && body[0].role !== 'user')
    body.unshift({ role: 'user', content: [{ type: 'text', text: '(start of the conversation)' }] });
  const prompt: LanguageModelV4Prompt = system ? [{ role: 'system', content: system }, ...body] : body;
  return target.api === 'anthropic-messages' ? withCacheMarks(prompt) : prompt;
}

function writeExchange(
  exchange: Exchange,
  target: PromptTarget,
  nextId: (raw: string) => string,
): LanguageModelV4Message[] {
  if (exchange.role === 'user') return [{ role: 'user', content: userParts(exchange.message.content, target) }];
  const calls = exchange.calls.map((paired) => ({ ...paired, id: nextId(paired.call.id) }));
  const content = assistantParts(exchange.message, target, new Map(calls.map(({ call, id }) => [call, id])));
  if (content.length === 0) return [];
  return [{ role: 'assistant', content }, ...toolMessages(calls, target)];
}

function userParts(content: readonly (TextBlock | ImageBlock)[], target: PromptTarget): Part[] {
  const parts = content.flatMap((block): Part[] => {
    if (block.type === 'text') return block.text.trim() ? [{ type: 'text', text: block.text }] : [];
    return [picturePart(block, target)];
  });
  return parts.length ? parts : [{ type: 'text', text: '(empty message)' }];
}

/**
 * Thinking goes back only to the model that thought it, with what the vendor needs to recognise it; another model reads
 * it as text.
 * An answer that was cut off keeps its text alone: its signatures and calls are incomplete.
 */
function assistantParts(
  message: AssistantMessage,
  target: PromptTarget,
  ids: ReadonlyMap<ToolCallBlock, string>,
): AssistantPart[] {
  const same = message.provider === target.provider && message.model === target.modelId;
  const cutOff = message.stopReason === 'aborted' || message.stopReason === 'error';
  const parts = message.content.flatMap((block): AssistantPart[] => {
    switch (block.type) {
      case 'text':
        return block.text.trim() ? [{ type: 'text', text: block.text }] : [];
      case 'canvas':
        return []; // the model reads its own directive
      case 'thinking':
        if (cutOff) return [];
        if (same) return [{ type: 'reasoning', text: block.thinking, ...options(block.meta) }];
        return block.thinking.trim() ? [{ type: 'text', text: block.thinking }] : [];
      case 'toolCall': {
        const id = ids.get(block);
        return id === undefined
          ? []
          : [
              {
                type: 'tool-call',
                toolCallId: id,
                toolName: block.name,
                input: inputOf(block),
                ...(same ? options(block.meta) : {}),
              },
            ];
      }
    }
  });
  // Thinking that led to nothing is refused by the vendors that sign it.
  return parts.every((part) => part.type === 'reasoning') ? [] : parts;
}

/** Chat-completions servers take no pictures in a tool result: there they follow in a message of the user. */
function toolMessages(
  calls: readonly (PairedCall & { readonly id: string })[],
  target: PromptTarget,
): LanguageModelV4Message[] {
  if (calls.length === 0) return [];
  const inResult = target.images && target.api !== undefined && target.api !== 'openai-completions';
  const content = calls.map(
    ({ id, call, result }): LanguageModelV4ToolResultPart => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: call.name,
      output: outputOf(result, inResult, target),
    }),
  );
  const tool: LanguageModelV4Message = { role: 'tool', content };
  if (inResult || !target.images) return [tool];
  const shown = calls.flatMap(({ call, result }) => {
    const images = result.content.filter((block) => block.type === 'image');
    return images.length
      ? [
          { type: 'text' as const, text: `Shown by ${call.name}:` },
          ...images.map((image) => picturePart(image, target)),
        ]
      : [];
  });
  return shown.length ? [tool, { role: 'user', content: shown }] : [tool];
}

function outputOf(
  result: PairedCall['result'],
  imagesInResult: boolean,
  target: PromptTarget,
): LanguageModelV4ToolResultOutput {
  const images = result.content.filter((block) => block.type === 'image');
  const spoken = textOf(result.content);
  if (images.length && !target.images)
    return { type: 'text', value: [spoken, unseen(target)].filter(Boolean).join('\n') };
  const text = spoken || (images.length ? '(a picture)' : '(no output)');
  if (result.isError) return { type: 'error-text', value: text };
  if (!images.length || !imagesInResult) return { type: 'text', value: text };
  return { type: 'content', value: [{ type: 'text', text }, ...images.map((image) => picturePart(image, target))] };
}

/**
 * Marks what stays the same from call to call, so that the vendor reads it from its cache: the system prompt and all up
 * to now.
 */
function withCacheMarks(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const last = prompt.length - 1;
  return prompt.map((message, index) =>
    message.role === 'system' || index === last
      ? { ...message, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
      : message,
  );
}

/** What no vendor takes would make this request fail, and every later one of the conversation. */
function picturePart({ data }: ImageBlock, target: PromptTarget): Part {
  if (!target.images) return { type: 'text', text: unseen(target) };
  const picture = sendable(data);
  if (!picture.ok) return { type: 'text', text: pictureLeftOut(picture.why) };
  return { type: 'file', mediaType: picture.mime, data: { type: 'data', data } };
}

const unseen = (target: PromptTarget): string => pictureLeftOut(`${target.modelId} cannot see`);
/** Vendors require an object; what was not one was refused by the loop and is shown as it came. */
const inputOf = (block: ToolCallBlock): unknown =>
  typeof block.arguments === 'object' && block.arguments !== null && !Array.isArray(block.arguments)
    ? block.arguments
    : { input: block.arguments ?? null };
const options = (meta: unknown): { providerOptions?: SharedV4ProviderOptions } =>
  meta === undefined ? {} : { providerOptions: meta as SharedV4ProviderOptions };
