/**
 * Formats messages of another session for a tool result: limited, without secrets, pictures and reasoning, and with
 * gateway markers made inert. Pure.
 */
import { head } from '../../core/cut.ts';
import { sanitiseExternal } from '../../core/external-content.ts';
import { present } from '../../core/present.ts';
import type { Message } from '../../core/transcript.ts';
import { redactText } from '../../platform/redact.ts';

/** Characters of one text. */
const MAX_A_TEXT = 4000;
/** UTF-8 bytes of all messages of one answer: with what stands around them it stays below 80 KB. */
export const MAX_IN_ALL = 76 * 1024;
/** Of one message of many parts. */
const MAX_A_MESSAGE = 60 * 1024;
/** Looked at beyond the cut, so that a secret which lies across it is known for one. */
const MARGIN = 4096;

export interface ShownMessage {
  readonly role: Message['role'];
  readonly content: readonly ShownBlock[];
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly toolName?: string;
  readonly isError?: true;
}

type ShownBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly omitted: true; readonly bytes: number }
  | { readonly type: 'toolCall'; readonly name: string; readonly arguments: string };

export interface Shown {
  readonly message: ShownMessage;
  readonly cut: boolean;
}

/** Undefined: there is nothing to show, e.g. an answer that only called tools. */
export function shownMessage(message: Message, includeTools: boolean): Shown | undefined {
  if (message.role === 'toolResult' && !includeTools) return undefined;
  const all = (message.content as readonly AnyBlock[]).flatMap((block) => blockOf(block, includeTools) ?? []);
  const blocks = fitting(all);
  if (blocks.length === 0) return undefined;
  const tool =
    message.role === 'toolResult'
      ? present({ toolName: message.toolName, isError: message.isError ? (true as const) : undefined })
      : {};
  return {
    message: { role: message.role, content: blocks.map(({ block }) => block), timestamp: message.timestamp, ...tool },
    cut: blocks.length < all.length || blocks.some(({ cut }) => cut),
  };
}

type AnyBlock = Message['content'][number];
interface Block {
  readonly block: ShownBlock;
  readonly cut: boolean;
}

function fitting(blocks: readonly Block[]): readonly Block[] {
  const room = { bytes: MAX_A_MESSAGE };
  return blocks.filter(({ block }) => (room.bytes -= Buffer.byteLength(JSON.stringify(block))) >= 0);
}

function blockOf(block: AnyBlock, includeTools: boolean): Block | undefined {
  switch (block.type) {
    case 'text':
      return block.text === '' ? undefined : bounded(block.text, (text) => ({ type: 'text', text }));
    case 'image':
      return {
        block: {
          type: 'image',
          mimeType: block.mimeType,
          omitted: true,
          bytes: Math.floor((block.data.length * 3) / 4),
        },
        cut: true,
      };
    case 'toolCall':
      return includeTools
        ? bounded(JSON.stringify(block.arguments ?? {}), (text) => ({
            type: 'toolCall',
            name: block.name,
            arguments: text,
          }))
        : undefined;
    case 'canvas':
    case 'thinking':
      return undefined;
  }
}

function bounded(text: string, make: (text: string) => ShownBlock): Block {
  const clean = sanitiseExternal(redactText(head(text, MAX_A_TEXT + MARGIN)));
  const cut = text.length > MAX_A_TEXT;
  return { block: make(cut ? `${head(clean, MAX_A_TEXT)}… (${text.length} characters)` : clean), cut };
}
