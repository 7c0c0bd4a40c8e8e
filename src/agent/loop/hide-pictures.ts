/** Replaces the pictures of a conversation with a note. Pure. */
import { pictureLeftOut, type ImageBlock, type Message } from '../../core/transcript.ts';

export interface Hidden {
  readonly messages: readonly Message[];
  readonly pictures: readonly ImageBlock[];
}

/** Those of the messages from `from` on; undefined when there are none. */
export function hidePictures(
  messages: readonly Message[],
  { from, why }: { readonly from: number; readonly why: string },
): Hidden | undefined {
  const pictures = messages.slice(from).flatMap(({ content }) => content.filter((block) => block.type === 'image'));
  if (pictures.length === 0) return undefined;
  return {
    pictures,
    messages: messages.map((message, index) => (index < from ? message : withoutPictures(message, why))),
  };
}

function withoutPictures(message: Message, why: string): Message {
  if (message.role === 'assistant' || !message.content.some(({ type }) => type === 'image')) return message;
  return {
    ...message,
    content: message.content.map((block) =>
      block.type === 'image' ? { type: 'text', text: pictureLeftOut(why) } : block,
    ),
  };
}
