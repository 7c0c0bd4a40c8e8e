/** The text and files of an answer or tool result, as messages contain them. Pure. */
import { record } from '../gateway/record.ts';
import type { WireBlock } from '../gateway/wire.ts';
import type { CanvasPart, AnswerFilesPart } from './items.ts';

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The content of a message, or of what a tool sent. Empty without files: then it was sent to a channel. */
export function contentOfAnswer(message: unknown): readonly AnswerFilesPart[] {
  const { text, files } = record(message);
  return Array.isArray(files) ? [{ type: 'files', text: textIn(text), files }] : [];
}

/** The documents and pages in a message. */
export const canvasIn = ({ content }: { readonly content: readonly WireBlock[] }): readonly CanvasPart[] =>
  content.flatMap((block) => (block.type === 'canvas' ? [{ type: 'canvas', preview: block.preview } as const] : []));

/** `details` of a tool result: each message it sent to this chat. */
export function contentOfTool(details: unknown): readonly AnswerFilesPart[] {
  const { sent } = record(details);
  return Array.isArray(sent) ? sent.flatMap(contentOfAnswer) : [];
}
