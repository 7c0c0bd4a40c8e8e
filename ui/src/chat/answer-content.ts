/** The text and files of an answer or tool result, as messages contain them. Pure. */
import { record } from '../gateway/record.ts';
import type { WireBlock } from '../gateway/wire.ts';
import type { CanvasPart, AnswerFilesPart } from './items.ts';

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Of a message, or of what a tool sent; without files it went to a channel. */
export function contentOfAnswer(message: unknown): readonly AnswerFilesPart[] {
  const { text, files } = record(message);
  return Array.isArray(files) ? [{ type: 'files', text: textIn(text), files }] : [];
}

/** What a message frames beside its words. */
export const canvasIn = ({ content }: { readonly content: readonly WireBlock[] }): readonly CanvasPart[] =>
  content.flatMap((block) => (block.type === 'canvas' ? [{ type: 'canvas', preview: block.preview } as const] : []));

/** `details` of a tool's result: each thing it said in this very chat. */
export function contentOfTool(details: unknown): readonly AnswerFilesPart[] {
  const { sent } = record(details);
  return Array.isArray(sent) ? sent.flatMap(contentOfAnswer) : [];
}
