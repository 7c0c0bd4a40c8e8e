/**
 * Formats a transcript for `chat.history`: author, id and text of each message, within the size limit of a response.
 */
import { excerpt } from '../../core/cut.ts';
import { present } from '../../core/present.ts';
import { isSilent } from '../../core/reply.ts';
import { textOf } from '../../core/transcript.ts';
import type { ChatHistory } from '../../host/chat.ts';
import type { WireMessage } from '../../protocol/answers/messages.ts';
import { bareText } from './bare-text.ts';

type Stored = ChatHistory['messages'][number];

/** `taken`: how many of the newest messages it covers, those that are not shown included. */
export interface ShownHistory {
  readonly messages: readonly WireMessage[];
  readonly taken: number;
}

/**
 * Newest messages win; the oldest are left to the next page. Message facts sit under `__openclaw`, where published
 * clients look.
 */
export function historyMessages(
  messages: readonly Stored[],
  { maxBytes, maxChars }: { maxBytes: number; maxChars?: number | undefined },
): ShownHistory {
  const kept: WireMessage[] = [];
  let room = maxBytes;
  let taken = 0;
  for (const stored of messages.toReversed()) {
    if (stored.role !== 'assistant' || !isSilent(textOf(stored.content))) {
      const whole = show(stored, maxChars);
      const bytes = JSON.stringify(whole).length;
      const shown =
        bytes <= maxBytes ? whole : show({ ...stored, content: fitted(stored.content, maxBytes) } as Stored, maxChars);
      room -= Math.min(bytes, maxBytes);
      if (room < 0 && kept.length > 0) break;
      kept.push(shown);
    }
    taken += 1;
  }
  return { messages: kept.reverse(), taken };
}

/** One message that alone is more than an answer holds: its texts are cut, and what cannot be cut is named. */
function fitted(content: Stored['content'], maxBytes: number): readonly unknown[] {
  const share = Math.floor(maxBytes / (4 * content.length)); // a character may take several bytes, and a quote two
  return content.map((block) => {
    if (block.type === 'text') return cut(block, share);
    return JSON.stringify(block).length <= share
      ? block
      : { type: 'text', text: `[${block.type}: too large to be shown]` };
  });
}

/** Cutting a block keeps its kind, so the message stays one of its role. */
function show({ id, turnId, ...message }: Stored, maxChars: number | undefined): WireMessage {
  const facts = {
    ...present({ id }),
    ...(turnId === undefined
      ? {}
      : present({ runId: turnId, idempotencyKey: message.role === 'user' ? turnId : undefined })),
  };
  const content = message.role === 'user' && message.written ? message.content.map(bare) : message.content;
  return {
    ...message,
    content: maxChars === undefined ? content : content.map((block) => cut(block, maxChars)),
    __openclaw: facts,
  } as WireMessage;
}

const bare = <B extends { readonly type: string }>(block: B): B =>
  'text' in block && typeof block.text === 'string' ? { ...block, text: bareText(block.text) } : block;

const cut = <B extends { readonly type: string }>(block: B, maxChars: number): B =>
  'text' in block && typeof block.text === 'string' && block.text.length > maxChars
    ? { ...block, text: excerpt(block.text, maxChars) }
    : block;
