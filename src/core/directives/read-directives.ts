/** Parses the directives of an answer: reply target, files to send, embeds, silence. Pure. */
import type { ReplyPayload } from '../reply.ts';
import { present } from '../present.ts';
import type { AssistantMessage } from '../transcript.ts';
import { scanDirectives } from './scan.ts';
import { readSilence } from './silence.ts';

/** An answer taken apart: its words, and the directives the model wrote among them. */
export interface Spoken {
  /** The words, every directive gone; code is as it was. */
  readonly text: string;
  readonly replyTo?: NonNullable<ReplyPayload['replyTo']>;
  readonly audioAsVoice?: true;
  /** Paths and addresses as written, not checked yet. */
  readonly media: readonly string[];
  readonly embeds: NonNullable<ReplyPayload['embeds']>;
  /** It asked that nothing be said. Files are sent all the same. */
  readonly silent: boolean;
}

/** Never throws; text that is not a directive stays unchanged. */
export function readDirectives(written: string): Spoken {
  const { text, replyTo, voice, media, embeds } = scanDirectives(written);
  return {
    ...readSilence(withoutMargins(text)),
    media,
    embeds,
    ...present({ replyTo, audioAsVoice: voice ? (true as const) : undefined }),
  };
}

/** Blank lines at the beginning and all white space at the end go. */
export const withoutMargins = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();

/** False: the text contains no directive; a fast check for texts of any length. */
export const mayDirect = (written: string): boolean =>
  written.includes('MEDIA:') || written.includes('[[') || /\[embed\b/i.test(written);

/** The words of each block without directives, unless nothing would be left of them. */
export const withoutDirectives = (message: AssistantMessage): AssistantMessage => ({
  ...message,
  content: message.content.map((block) =>
    block.type === 'text' && mayDirect(block.text)
      ? { ...block, text: readDirectives(block.text).text || block.text }
      : block,
  ),
});
