/** Selects how a file is sent on WhatsApp: as image, video, audio, voice note or document. Pure. */
import type { WaSending } from './socket.ts';

export interface FileToSend {
  readonly data: Uint8Array;
  readonly mime: string;
  readonly name: string;
}

/** Bytes; what is larger goes as a document. */
const MAX_SHOWN = 16 * 1024 * 1024;

export interface FileOptions {
  readonly caption?: string | undefined;
  readonly asVoice: boolean;
}

/** A recording has no caption on WhatsApp: with one it goes as a document. */
export function sendingOf({ data, mime, name }: FileToSend, { caption, asVoice }: FileOptions): WaSending {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const words = caption ? { caption } : {};
  if (mime.startsWith('audio/') && asVoice)
    return { audio: bytes, ptt: true, mimetype: mime === 'audio/ogg' ? 'audio/ogg; codecs=opus' : mime };
  if (data.length <= MAX_SHOWN) {
    if (mime === 'image/jpeg' || mime === 'image/png') return { image: bytes, mimetype: mime, ...words };
    if (mime === 'video/mp4') return { video: bytes, mimetype: mime, ...words };
    if (mime.startsWith('audio/') && !caption) return { audio: bytes, mimetype: mime };
  }
  return { document: bytes, mimetype: mime, fileName: name, ...words };
}
