/** Converts the first message of a turn, and the history a stateless caller sends, to transcript lines. */
import type { ImageBlock, Message, TextBlock } from '../../core/transcript.ts';
import type { Attachment } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { Turn } from '../../core/turn.ts';
import { readBytesIfExists } from '../../platform/files.ts';
import { turnLineId } from '../../sessions/transcript-line.ts';

export interface OpeningLine {
  readonly type: 'message';
  readonly id: string;
  readonly turnId: string;
  readonly message: Message;
}

/**
 * `seed` goes to the transcript of a new session; `opening` is what this turn adds. The ids are the same in every run
 * of the turn.
 */
export async function openingLines(turn: Turn, now: number): Promise<{ seed: OpeningLine[]; opening: OpeningLine[] }> {
  const line = (place: string, message: Message): OpeningLine => ({
    type: 'message',
    id: turnLineId(turn.id, place),
    turnId: turn.id,
    message,
  });
  const seed = (turn.options.seed ?? []).map((message, index) => line(`seed${index}`, message));
  const results = (turn.options.toolResults ?? []).map((message, index) => line(`result${index}`, message));
  const blank = results.length > 0 && turn.text === '' && turn.images.length === 0;
  return { seed, opening: blank ? results : [...results, line('user', await userMessage(turn, now))] };
}

async function userMessage(turn: Turn, now: number): Promise<Message> {
  const images = await Promise.all(turn.images.map(imageBlock));
  return {
    role: 'user',
    ...present({ system: turn.system ? true : undefined, written: turn.written }),
    content: [
      ...(turn.text === '' && images.length > 0 ? [] : [{ type: 'text' as const, text: turn.text }]),
      ...images,
    ],
    timestamp: now,
  };
}

/** A picture missing from the media store is reported to the model; the message is answered anyway. */
async function imageBlock(image: Attachment): Promise<ImageBlock | TextBlock> {
  const bytes = image.path === undefined ? undefined : await readBytesIfExists(image.path);
  return bytes
    ? { type: 'image', data: bytes.toString('base64'), mimeType: image.mime }
    : { type: 'text', text: `[The image ${image.name ?? ''} is no longer in the media store.]` };
}
