/**
 * Checks a picture before it is added to a conversation, because one that a vendor refuses would make every later
 * request fail.
 */
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { sizeText } from '../../core/size-text.ts';
import type { ImageBlock, TextBlock } from '../../core/transcript.ts';
import { fitPicture, MAX_BASE64, MAX_SIDE, type LoadSharp } from './fit-picture.ts';
import { isSeenByModels, KIND_BYTES, pictureKind } from './picture-kind.ts';
import { pictureSize } from './picture-size.ts';

/** A picture a model can be shown, or why not. */
export type ShownPicture =
  /** `mime` is what the bytes are. `change`: what was done to them, e.g. `JPEG, 2000 × 500 pixels, 80 KiB`. */
  | { readonly ok: true; readonly data: Uint8Array; readonly mime: string; readonly change?: string }
  /**
   * `why` is the rest of a sentence about it; `kind` what the bytes are. `final`: no other program makes a picture of
   * it either.
   */
  | { readonly ok: false; readonly why: string; readonly kind: string; readonly final?: true };

/**
 * A picture that is fine comes back as it is; one that is too large or of another format becomes a JPEG of at most 2000
 * pixels, or `maxSide`, and 5 MiB of base64.
 */
export async function pictureForModel(
  data: Uint8Array,
  { load, maxSide }: { readonly load?: LoadSharp | undefined; readonly maxSide?: number | undefined } = {},
): Promise<ShownPicture> {
  const kind = pictureKind(data);
  if (data.length === 0) return { ok: false, kind, why: 'it is empty', final: true };
  if (!kind.startsWith('image/') || kind === 'image/svg+xml')
    return { ok: false, kind, why: `it is ${kind}`, final: true };
  try {
    const fit = await fitPicture(data, { convert: !isSeenByModels(kind), maxSide, load });
    switch (fit.kind) {
      case 'fits':
        return { ok: true, data, mime: kind };
      case 'converted':
        return { ok: true, data: fit.data, mime: fit.mime, change: fit.change };
      case 'kept':
        return { ok: false, kind, why: fit.because };
    }
  } catch (error) {
    if (error instanceof AppError) return { ok: false, kind, why: error.message, final: true };
    throw error;
  }
}

/** Who shows a picture, and how the picture library is loaded. */
export interface BlockOptions {
  /** Who shows it, e.g. the name of a tool; for the note in its place. */
  readonly label: string;
  readonly load?: LoadSharp;
}

/** Base64 that is decoded at all: more would hold up everybody else. */
const MAX_DECODED = 28 * 1024 * 1024;
/** Base64 characters in which nearly every picture tells its size. */
const HEAD = 64 * 1024;

/**
 * The same for a block of a conversation. What cannot be shown becomes a text that says why. Never rejects for what the
 * bytes are.
 */
export async function shrinkForModel(
  block: ImageBlock,
  { label, load }: BlockOptions,
): Promise<ImageBlock | TextBlock> {
  const fine = plainlyFine(block.data);
  if (fine) return { ...block, mimeType: fine };
  const picture: ShownPicture =
    block.data.length > MAX_DECODED
      ? { ok: false, kind: '', why: `it has about ${sizeText(block.data.length * 0.75)}` }
      : await pictureForModel(Buffer.from(block.data, 'base64'), { load });
  if (!picture.ok) return { type: 'text', text: `[${label}] omitted image payload: ${picture.why}` };
  return {
    ...block,
    ...present({ data: picture.change !== undefined ? Buffer.from(picture.data).toString('base64') : undefined }),
    mimeType: picture.mime,
  };
}

/** What it is, when its first bytes say that it is small and right. */
function plainlyFine(data: string): string | undefined {
  if (data.length > MAX_BASE64) return undefined;
  const head = Buffer.from(data.slice(0, HEAD), 'base64');
  const kind = pictureKind(head.subarray(0, KIND_BYTES));
  const size = isSeenByModels(kind) ? pictureSize(head) : undefined;
  return size && Math.min(size.width, size.height) > 0 && Math.max(size.width, size.height) <= MAX_SIDE
    ? kind
    : undefined;
}
