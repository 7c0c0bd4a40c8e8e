/**
 * Estimates the tokens of messages: four bytes per token, which fits English and is too high for other languages, and a
 * fixed number per picture.
 */
import { memoize } from '../../core/memoize.ts';
import type { Message } from '../../core/transcript.ts';

const BYTES_PER_TOKEN = 4;
const PICTURE = 1200;
/** Roles, ids and separators. */
const PER_MESSAGE = 6;

export const estimateTextTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

function counted(message: Message): number {
  let bytes = 0;
  let pictures = 0;
  for (const block of message.content) {
    switch (block.type) {
      case 'text':
        bytes += Buffer.byteLength(block.text);
        break;
      case 'thinking':
        bytes += Buffer.byteLength(block.thinking);
        break;
      case 'toolCall':
        bytes += Buffer.byteLength(block.name + (JSON.stringify(block.arguments) ?? ''));
        break;
      case 'image':
        pictures++;
        break;
      case 'canvas':
        break;
    }
  }
  return PER_MESSAGE + Math.ceil(bytes / BYTES_PER_TOKEN) + pictures * PICTURE;
}

/** Each turn asks of its whole conversation, whose messages stay the same. */
export const messageTokens: (message: Message) => number = memoize(counted);

export function estimateTokens(messages: readonly Message[]): number {
  let tokens = 0;
  for (const message of messages) tokens += messageTokens(message);
  return tokens;
}
