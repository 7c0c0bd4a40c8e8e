/**
 * Checks whether a vendor accepts a picture of a conversation, because a history can contain pictures that no vendor
 * accepts. Pure.
 */
import { sizeText } from '../../core/size-text.ts';
import { MAX_BASE64 } from './fit-picture.ts';
import { isSeenByModels, KIND_BYTES, pictureKind } from './picture-kind.ts';
import { pictureSize } from './picture-size.ts';

/** Whether a picture can be sent to a model. */
export type Sendable =
  /** What the bytes are, whatever was claimed: vendors refuse a picture under another's name. */
  | { readonly ok: true; readonly mime: string }
  /** `why` is the rest of a sentence about it. */
  | { readonly ok: false; readonly why: string };

/** Base64 characters in which nearly every picture tells its size. */
const HEAD = 64 * 1024;
/** Vendors refuse more. */
const MAX_SIDE = 8000;

/** `data` is base64. */
export function sendable(data: string): Sendable {
  const head = Buffer.from(data.slice(0, HEAD), 'base64');
  const mime = pictureKind(head.subarray(0, KIND_BYTES));
  if (!isSeenByModels(mime)) return { ok: false, why: `it is ${mime}, which is not sent to models` };
  if (data.length > MAX_BASE64) return { ok: false, why: `it has about ${sizeText(data.length * 0.75)}` };
  const size = pictureSize(head);
  if (size && Math.max(size.width, size.height) > MAX_SIDE)
    return { ok: false, why: `it has ${size.width} × ${size.height} pixels` };
  return { ok: true, mime };
}
