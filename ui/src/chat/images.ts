/** Pictures a person adds to a message: which are taken, how large they may be, how they are read. */
import type { OutgoingImage } from './outbox.ts';

/** What one image may weigh; the gateway refuses larger ones. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Why a file cannot be sent, or undefined when it can. `room` is what the frame still holds, in bytes. */
export function refusalOf(file: { readonly name: string; readonly type: string; readonly size: number }, room: number): string | undefined {
  const name = file.name || 'This file';
  if (!TYPES.has(file.type)) return `${name} is not a PNG, JPEG, GIF or WebP image.`;
  if (file.size > MAX_IMAGE_BYTES) return `${name} is ${megabytes(file.size)}; one image may have ${megabytes(MAX_IMAGE_BYTES)}.`;
  if (file.size > room) return `${name} does not fit any more: together the images may have ${megabytes(room + file.size)} at most.`;
  return undefined;
}

/** Base64 grows data by a third, and the frame needs some room of its own. */
export const roomFor = (maxPayload: number, images: readonly OutgoingImage[]): number =>
  Math.floor((maxPayload - 64 * 1024) * 0.74) - images.reduce((bytes, image) => bytes + image.bytes, 0);

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(bytes < 1024 * 1024 ? 2 : 1)} MB`;

export function readImage(file: File): Promise<OutgoingImage> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ src: String(reader.result), mime: file.type, name: file.name || 'pasted image', bytes: file.size });
    reader.onerror = () => reject(reader.error ?? new Error(`could not read ${file.name}`));
    reader.readAsDataURL(file);
  });
}

/** The attachment of `chat.send` for an image. */
export const toAttachment = (image: OutgoingImage): object => ({ type: 'image', mimeType: image.mime, fileName: image.name, content: image.src.slice(image.src.indexOf(',') + 1) });
