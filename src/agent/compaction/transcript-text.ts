/** Writes a conversation as plain text for the model that summarizes it, so that the model does not continue it. */
import type { Message } from '../../core/transcript.ts';
import { clipMiddle } from '../../core/clip-middle.ts';

const RESULT_CHARS = 4_000;
const ARGUMENT_CHARS = 1_500;

/** At most `maxChars`; results and arguments are shortened first because they are long and seldom matter later. */
export function transcriptText(messages: readonly Message[], maxChars: number): string {
  return clip(messages.map(lineOf).filter(Boolean).join('\n\n'), maxChars);
}

function lineOf(message: Message): string {
  const said = message.content.flatMap((block) => {
    switch (block.type) {
      case 'text':
        return [message.role === 'toolResult' ? clip(block.text, RESULT_CHARS) : block.text];
      case 'image':
        return ['[a picture]'];
      case 'toolCall':
        return [`[calls ${block.name} ${clip(JSON.stringify(block.arguments) ?? '', ARGUMENT_CHARS)}]`];
      case 'thinking':
      case 'canvas':
        return [];
    }
  });
  const speaker =
    message.role === 'toolResult'
      ? `Result of ${message.toolName}${message.isError ? ' (error)' : ''}`
      : message.role === 'user'
        ? 'Person'
        : 'Assistant';
  return said.length ? `${speaker}: ${said.join('\n')}` : '';
}

const clip = (text: string, room: number): string => clipMiddle(text, room, (cut) => ` [… ${cut} characters …] `);
