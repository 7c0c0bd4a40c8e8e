/** Converts a picture to one that models accept: limited size and dimensions, supported format. */
import type sharp from 'sharp';
import { AppError } from '../../core/errors.ts';
import { sizeText } from '../../core/size-text.ts';
import { pictureSize, type PictureSize } from './picture-size.ts';

/** The picture library; it is optional. */
export type Sharp = typeof sharp;
/** Loads the image library. It is an optional dependency: undefined where it is not installed. */
export type LoadSharp = () => Promise<Sharp | undefined>;

/** Anthropic refuses more than 5 MiB of base64; that are three quarters of it in bytes. */
export const MAX_BASE64 = 5 * 1024 * 1024;
const MAX_BYTES = (MAX_BASE64 / 4) * 3;
/** Beyond about 2000 pixels vendors reduce pictures themselves, and refuse them when a request has many. */
export const MAX_SIDE = 2000;
/** Decoding more than this takes too much memory. */
const MAX_PIXELS = 50_000_000;
const SECONDS = 20;
/** Tried in this order until the result is light enough: at each side all qualities. */
const SIDES = [MAX_SIDE, 1800, 1600, 1400, 1200, 1000, 800] as const;
const QUALITIES = [85, 75, 65, 55, 45, 35] as const;

/**
 * What bytes may turn out to be. Drawings (SVG, PDF) are programs: a few lines of one keep a thread busy for hours, and
 * nothing can stop it.
 */
const DECODED: readonly string[] = ['jpeg', 'png', 'webp', 'gif', 'heif', 'tiff'];

/** What had to be done to a picture so that a model takes it. */
export type Fit =
  | { readonly kind: 'fits' }
  | { readonly kind: 'converted'; readonly data: Buffer; readonly mime: 'image/jpeg'; readonly change: string }
  /** It stays as it is although it should not; `because` is the rest of a sentence about it. */
  | { readonly kind: 'kept'; readonly because: string };

/** What the receiver needs, and how the picture library is loaded. */
export interface FitOptions {
  /** Its format is none the receiver takes. */
  readonly convert: boolean;
  /** Pixels of its longer side, at most `MAX_SIDE`, which holds where it is absent. */
  readonly maxSide?: number | undefined;
  readonly load?: LoadSharp | undefined;
}

/** Rejects with `AppError('unsupported')` for more pixels than are ever decoded and for what is drawn by a program. */
export async function fitPicture(
  data: Uint8Array,
  { convert, maxSide = MAX_SIDE, load = loadSharp }: FitOptions,
): Promise<Fit> {
  const side = Math.min(MAX_SIDE, Math.max(1, Math.floor(maxSide)));
  const size = boundedSize(data);
  const heavy = data.length > MAX_BYTES;
  const large = size !== undefined && Math.max(size.width, size.height) > side;
  const unknownSize = !size && data.length > 100_000;
  if (!(convert || heavy || large || unknownSize)) return { kind: 'fits' };
  const decode = await load();
  if (!decode) return { kind: 'kept', because: 'sharp, which would convert it, is not installed' };
  return converted(data, decode, { must: convert || heavy, maxSide: side });
}

/** As far as the first bytes tell it. Throws like `fitPicture`. */
export function boundedSize(data: Uint8Array): PictureSize | undefined {
  const size = pictureSize(data);
  if (size && size.width * size.height > MAX_PIXELS) throw tooManyPixels(size);
  if (size && size.width * size.height === 0) throw new AppError('unsupported', 'it has no pixels');
  return size;
}

async function converted(
  data: Uint8Array,
  decode: Sharp,
  { must, maxSide }: { readonly must: boolean; readonly maxSide: number },
): Promise<Fit> {
  try {
    const { format, width = 0, height = 0, pages = 1 } = await decode(data, { limitInputPixels: false }).metadata();
    if (!DECODED.includes(format)) throw new AppError('unsupported', `it is ${format}, which is not supported`);
    if (width * height > MAX_PIXELS) throw tooManyPixels({ width, height });
    if (!must && Math.max(width, height) <= maxSide) return { kind: 'fits' };
    // One frame would be passed off for the film. Several pages of a TIFF or HEIC are other pictures, not frames.
    if (pages > 1 && (format === 'webp' || format === 'gif')) return { kind: 'kept', because: 'it is animated' };
    return (
      (await firstThatFits(data, decode, maxSide)) ?? {
        kind: 'kept',
        because: `it cannot be reduced below ${sizeText(MAX_BYTES)}`,
      }
    );
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error)) throw error;
    return { kind: 'kept', because: `it could not be converted (${error.message.split('\n', 1)[0]})` };
  }
}

/** Decoded once for each side; nearly always the first try fits. */
async function firstThatFits(data: Uint8Array, decode: Sharp, maxSide: number): Promise<Fit | undefined> {
  for (const side of [maxSide, ...SIDES.filter((one) => one < maxSide)]) {
    const { data: raw, info } = await decode(data, { limitInputPixels: MAX_PIXELS })
      .timeout({ seconds: SECONDS })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (const quality of QUALITIES) {
      const jpeg = await decode(raw, { raw: { width: info.width, height: info.height, channels: info.channels } })
        .jpeg({ quality })
        .toBuffer();
      if (jpeg.length <= MAX_BYTES)
        return {
          kind: 'converted',
          data: jpeg,
          mime: 'image/jpeg',
          change: `JPEG, ${info.width} × ${info.height} pixels, ${sizeText(jpeg.length)}`,
        };
    }
  }
  return undefined;
}

const tooManyPixels = ({ width, height }: PictureSize): AppError =>
  new AppError(
    'unsupported',
    `it has ${width} × ${height} pixels; more than ${MAX_PIXELS / 1e6} million are not decoded`,
  );

async function loadSharp(): Promise<Sharp | undefined> {
  try {
    return (await import('sharp')).default;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
