/** Selects the send method for a file's type. */
import { InputFile } from 'grammy';
import type { TelegramApi } from './api.ts';

export interface FileToSend {
  readonly data: Uint8Array;
  readonly mime: string;
  readonly name: string;
}

export type MediaKind = 'photo' | 'animation' | 'video' | 'voice' | 'audio' | 'document';

/** Bytes of a picture that is shown as one; larger ones go as files. */
const PHOTO_MAX_BYTES = 10 * 1024 * 1024;

export function mediaKindOf({ mime, data }: FileToSend, asVoice: boolean): MediaKind {
  if (asVoice && mime.startsWith('audio/')) return 'voice';
  if (mime === 'image/gif') return 'animation';
  if (/^image\/(?:jpeg|png|webp)$/.test(mime)) return data.length <= PHOTO_MAX_BYTES ? 'photo' : 'document';
  if (mime === 'video/mp4') return 'video';
  return /^audio\/(?:mpeg|mp3|mp4|m4a|x-m4a|aac)$/.test(mime) ? 'audio' : 'document';
}

/** The fields every sending method has. */
export interface Envelope {
  readonly chat_id: string;
  readonly message_thread_id?: number;
  readonly reply_parameters?: { readonly message_id: number; readonly allow_sending_without_reply: true };
  readonly caption?: string;
  readonly parse_mode?: 'HTML';
}

export async function sendFile(
  { uploads }: TelegramApi,
  { file, kind, envelope }: { file: FileToSend; kind: MediaKind; envelope: Envelope },
): Promise<number> {
  const body = new InputFile(file.data, file.name);
  const send = {
    photo: () => uploads.sendPhoto({ ...envelope, photo: body }),
    animation: () => uploads.sendAnimation({ ...envelope, animation: body }),
    video: () => uploads.sendVideo({ ...envelope, video: body, supports_streaming: true }),
    voice: () => uploads.sendVoice({ ...envelope, voice: body }),
    audio: () => uploads.sendAudio({ ...envelope, audio: body }),
    document: () => uploads.sendDocument({ ...envelope, document: body, disable_content_type_detection: true }),
  } satisfies Record<MediaKind, () => Promise<{ message_id: number }>>;
  return (await send[kind]()).message_id;
}
