/** Makes a picture one that vendors take: not too heavy, not too large, in a format they know. */
import type sharp from 'sharp';
import { AppError } from '../../../core/errors.ts';
import { sizeText } from '../size-text.ts';
import { pictureSize } from './picture-size.ts';

type Sharp = typeof sharp;

export interface Picture {
  readonly data: Uint8Array;
  /** Bare `type/subtype`. */
  readonly mime: string;
  /** What was done to it, or what should have been and why it was not. */
  readonly change?: string;
}

export interface ShrinkOptions {
  /** Types the receiver takes; absent: all. */
  readonly accepts?: readonly string[] | undefined;
  /** Loads the image library. It is an optional dependency: undefined where it is not installed. */
  readonly load?: () => Promise<Sharp | undefined>;
}

/** Anthropic refuses more than 5 MiB; beyond about 2000 pixels vendors reduce pictures themselves. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_SIDE = 2000;
/** Decoding more than this takes too much memory. */
const MAX_PIXELS = 50_000_000;
const SECONDS = 20;

/** Formats of still pictures the library reads and few vendors take. A GIF stays what it is: one frame would be passed off for the film. */
const CONVERTIBLE = ['image/heic', 'image/heif', 'image/avif', 'image/tiff'];

/** What bytes may turn out to be. Drawings (SVG, PDF) are programs: a few lines of one keep a thread busy for hours, and nothing can stop it. */
const DECODED: readonly string[] = ['jpeg', 'png', 'webp', 'gif', 'heif', 'tiff'];

/**
 * A picture that is fine comes back as it is. So does one that cannot be converted, with the reason; the receiver may know better.
 * Rejects with `AppError('unsupported')` for more pixels than are ever decoded.
 */
export async function shrinkImage(picture: Picture, { accepts, load = loadSharp }: ShrinkOptions = {}): Promise<Picture> {
  const { data, mime } = picture;
  const size = pictureSize(data);
  if (size && size.width * size.height > MAX_PIXELS) throw tooManyPixels(size.width, size.height);
  const strange = CONVERTIBLE.includes(mime) && !(accepts?.includes(mime) ?? mime === 'image/avif');
  const unknownSize = !size && mime !== 'image/gif' && data.length > 100_000;
  const large = data.length > MAX_BYTES || (size !== undefined && Math.max(size.width, size.height) > MAX_SIDE);
  if (mime === 'image/gif' || !(strange || unknownSize || large)) return picture;
  const library = await load();
  if (!library) return { ...picture, change: 'sent as it is: sharp, which would make it smaller, is not installed' };
  return convert(picture, library, strange || data.length > MAX_BYTES);
}

async function convert(picture: Picture, decode: Sharp, must: boolean): Promise<Picture> {
  try {
    const { format, width = 0, height = 0, pages = 1 } = await decode(picture.data, { limitInputPixels: false }).metadata();
    if (!DECODED.includes(format)) throw new AppError('unsupported', `it is ${format}, which is not drawn here`);
    if (width * height > MAX_PIXELS) throw tooManyPixels(width, height);
    if (pages > 1 && picture.mime === 'image/webp') return { ...picture, change: 'sent as it is: it is animated' };
    if (!must && Math.max(width, height) <= MAX_SIDE) return picture;
    const { data, info } = await decode(picture.data, { limitInputPixels: MAX_PIXELS }).timeout({ seconds: SECONDS })
      .autoOrient().resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' }).jpeg({ quality: 85 }).toBuffer({ resolveWithObject: true });
    return { data, mime: 'image/jpeg', change: `sent as JPEG, ${info.width} × ${info.height} pixels, ${sizeText(data.length)}` };
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error)) throw error;
    return { ...picture, change: `sent as it is: it could not be converted (${error.message.split('\n', 1)[0]})` };
  }
}

const tooManyPixels = (width: number, height: number): AppError =>
  new AppError('unsupported', `it has ${width} × ${height} pixels; more than ${MAX_PIXELS / 1e6} million are not decoded`);

async function loadSharp(): Promise<Sharp | undefined> {
  try {
    return (await import('sharp')).default;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
