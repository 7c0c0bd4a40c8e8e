/**
 * Creates the words of a sender. Only code that reads them from the wire may import this file; an import rule
 * enforces it.
 */
import type { InboundMessage } from './message.ts';
import { present } from './present.ts';
import { NOTHING_SAID, type SaidWords } from './said.ts';

/**
 * What the sender typed in this message, as the platform gave it: without names, stickers, links' labels, quotes,
 * forwards, captions of others.
 * At most the bot's own mention is taken out, found by its id. Forwarded text is `NOTHING_SAID`.
 */
export const typed = (text: string): SaidWords => text as SaidWords;

/** What the sender spoke into a recording made for this message. */
export const spoken = (transcript: string): SaidWords => transcript as SaidWords;

/** The words of several pieces of one message, such as an album, in their order. */
export const joinSaid = (parts: readonly SaidWords[]): SaidWords =>
  typed(parts.filter((part) => part !== NOTHING_SAID).join('\n'));

/**
 * The pieces of an album as the one message they are: the first with everybody's files and words. One that was passed
 * on makes all of it passed on, so that nobody's files or voice become the words of who added them.
 */
export function mergeAlbum(pieces: readonly [InboundMessage, ...InboundMessage[]]): InboundMessage {
  return {
    ...pieces[0],
    album: true,
    said: joinSaid(pieces.map(({ said }) => said)),
    text: pieces
      .map(({ text }) => text)
      .filter(Boolean)
      .join('\n'),
    attachments: pieces.flatMap(({ attachments }) => attachments),
    addressesBot: pieces.some(({ addressesBot }) => addressesBot),
    ...present({
      forwarded: pieces.find(({ forwarded }) => forwarded)?.forwarded,
      mentionsOthers: pieces.some(({ mentionsOthers }) => mentionsOthers) ? (true as const) : undefined,
    }),
  };
}
