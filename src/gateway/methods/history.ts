/** A transcript as `chat.history` shows it: who wrote what under which id, cut to what one answer may weigh. */
import { isSilent } from '../../core/reply.ts';
import { textOf } from '../../core/transcript.ts';
import type { ChatHistory } from '../services.ts';
import { bareText } from './bare-text.ts';

type Stored = ChatHistory['messages'][number];

/** Newest messages win; the oldest are left out first. Message facts sit under `__openclaw`, where published clients look. */
export function historyMessages(messages: readonly Stored[], { maxBytes, maxChars }: { maxBytes: number; maxChars?: number | undefined }): readonly unknown[] {
  const kept: unknown[] = [];
  let room = maxBytes;
  for (const stored of messages.toReversed()) {
    if (stored.role === 'assistant' && isSilent(textOf(stored.content))) continue;
    const shown = show(stored, maxChars);
    room -= JSON.stringify(shown).length;
    if (room < 0) break;
    kept.push(shown);
  }
  return kept.reverse();
}

function show({ id, turnId, ...message }: Stored, maxChars: number | undefined): unknown {
  const facts = {
    ...(id === undefined ? {} : { id }),
    ...(turnId === undefined ? {} : { runId: turnId, ...(message.role === 'user' ? { idempotencyKey: turnId } : {}) }),
  };
  const content = message.role === 'user' && message.written ? message.content.map(bare) : message.content;
  return { ...message, content: maxChars === undefined ? content : content.map((block) => cut(block, maxChars)), __openclaw: facts };
}

const bare = <B extends { readonly type: string }>(block: B): B => ('text' in block && typeof block.text === 'string' ? { ...block, text: bareText(block.text) } : block);

const cut = <B extends { readonly type: string }>(block: B, maxChars: number): B =>
  'text' in block && typeof block.text === 'string' && block.text.length > maxChars ? { ...block, text: `${block.text.slice(0, maxChars)}…` } : block;
