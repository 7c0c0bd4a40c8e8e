/** Shortens a conversation that exceeds the context window by cutting the middle out of long tool results. Pure. */
import type { Message, ToolResultMessage } from '../../core/transcript.ts';
import { clipMiddle } from '../../core/clip-middle.ts';

const KEPT_CHARS = 1_500;

/**
 * Pictures go, long texts are cut; calls, answers and the person's words stay. Undefined when there is nothing to
 * shorten.
 */
export function shortenResults(messages: readonly Message[]): readonly Message[] | undefined {
  const shorter = messages.map((message) =>
    message.role === 'toolResult' && isLong(message) ? shortened(message) : message,
  );
  return shorter.some((message, index) => message !== messages[index]) ? shorter : undefined;
}

const isLong = ({ content }: ToolResultMessage): boolean =>
  content.some((block) => block.type === 'image' || block.text.length > KEPT_CHARS * 2);

const shortened = (message: ToolResultMessage): ToolResultMessage => ({
  ...message,
  content: message.content.map((block) => ({
    type: 'text',
    text:
      block.type === 'image'
        ? '[a picture that was shown here]'
        : clipMiddle(
            block.text,
            KEPT_CHARS,
            (cut) => `\n[… ${cut} characters were left out to make room; call the tool again for a part of it …]\n`,
          ),
  })),
});
