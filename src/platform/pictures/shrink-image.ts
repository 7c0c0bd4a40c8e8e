/** Shrinks an image to what a vendor accepts, or returns it unchanged with the reason. */
import { boundedSize, fitPicture, type LoadSharp } from './fit-picture.ts';

/** The bytes of a picture, and what was done to them. */
export interface Picture {
  readonly data: Uint8Array;
  /** Bare `type/subtype`. */
  readonly mime: string;
  /** What was done to it, or what should have been and why it was not. */
  readonly change?: string;
}

/** What the receiver takes. */
export interface ShrinkOptions {
  /** Types the receiver takes; absent: all. */
  readonly accepts?: readonly string[] | undefined;
  readonly load?: LoadSharp;
}

/** Formats of still pictures the library reads and few vendors take. */
const CONVERTIBLE = ['image/heic', 'image/heif', 'image/avif', 'image/tiff'];

/** Rejects with `AppError('unsupported')` for more pixels than are ever decoded. A GIF always stays what it is. */
export async function shrinkImage(picture: Picture, { accepts, load }: ShrinkOptions = {}): Promise<Picture> {
  const { data, mime } = picture;
  if (mime === 'image/gif') {
    boundedSize(data);
    return picture;
  }
  const convert = CONVERTIBLE.includes(mime) && !(accepts?.includes(mime) ?? mime === 'image/avif');
  const fit = await fitPicture(data, { convert, load });
  if (fit.kind === 'fits') return picture;
  return fit.kind === 'kept'
    ? { ...picture, change: `sent unchanged: ${fit.because}` }
    : { data: fit.data, mime: fit.mime, change: `sent as ${fit.change}` };
}
