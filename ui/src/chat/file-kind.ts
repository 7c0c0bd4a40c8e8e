/** The icon, name and description of a file. Pure. */
import type { IconName } from '../elements/icons.ts';
import { bytesText } from '../elements/times.ts';
import type { FileView } from './items.ts';

type Typed = Pick<FileView, 'name' | 'mime'>;

/** A media type as in the gateway's protocol. */
export function kindOf({ mime }: Typed): 'image' | 'audio' | 'video' | 'file' {
  const kind = mime.split('/')[0];
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}

/** Pictures every browser can show. */
export const isPicture = ({ mime }: Pick<FileView, 'mime'>): boolean =>
  /^image\/(png|jpe?g|gif|webp|avif|bmp)$/.test(mime);

export function fileIcon(file: Typed): IconName {
  const kind = kindOf(file);
  if (kind === 'audio') return 'sound';
  if (kind === 'video') return 'film';
  if (kind === 'image') return 'image';
  if (/zip|tar|compressed/.test(file.mime)) return 'archive';
  return /csv|tab-sep|excel|sheet/.test(file.mime) ? 'table' : 'file';
}

const VOICE_NOTE = 'voice-note';
export const voiceNoteName = (mime: string): string => `${VOICE_NOTE}.${/\/(\w+)/.exec(mime)?.[1] ?? 'webm'}`;

export const fileTitle = ({ name }: Typed): string => (name.startsWith(`${VOICE_NOTE}.`) ? 'Voice note' : name);

/** `PDF · 240 kB`. */
export function fileFacts({ name, mime, bytes }: FileView): string {
  const extension = /\.(\w{1,5})$/.exec(name)?.[1] ?? /\/(?:x-)?(\w{1,8})$/.exec(mime)?.[1] ?? 'file';
  return [extension.toUpperCase(), ...(bytes === undefined ? [] : [bytesText(bytes)])].join(' · ');
}
