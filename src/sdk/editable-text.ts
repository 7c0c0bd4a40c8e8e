/** Loads a text file for editing, with everything needed to write it back unchanged otherwise. */
import { decodeText, encodeText, type DecodedText } from '../platform/charset/text-encoding.ts';
import type { FileFacts } from '../platform/files.ts';
import { loadToWrite, statToWrite, type FileContext } from './file-access.ts';

/** Larger files are not loaded: looking through them would hold up everybody else. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A text file that was read to be changed. */
export interface EditableText {
  readonly ok: true;
  /** The real path. */
  readonly path: string;
  readonly facts: FileFacts;
  readonly text: string;
  /** The bytes of another text in the same encoding. */
  encode(text: string): Buffer;
}

/** `error` is a sentence for the model. Rejects with `AppError` for paths that may not be written. */
export async function loadEditable(
  path: string,
  ctx: FileContext,
): Promise<EditableText | { readonly ok: false; readonly error: string }> {
  const { facts: there } = await statToWrite(path, ctx);
  const refuse = (error: string): { readonly ok: false; readonly error: string } => ({
    ok: false,
    error: `${path} ${error}`,
  });
  if (!there) return refuse('does not exist. Use `write` to create it.');
  if (there.kind !== 'file') return refuse('is not a file.');
  if (there.size > MAX_BYTES) return refuse(`is too large to edit (${there.size} bytes).`);
  const { path: real, facts, data: bytes } = await loadToWrite(path, ctx, MAX_BYTES);
  const decoded = decodeText(bytes);
  if (!decoded) return refuse('is a binary file, not text.');
  if (!encodeText(decoded)?.equals(bytes))
    return refuse('is not clean UTF-8 or UTF-16 text; editing it would damage it. Convert it first.');
  return { ok: true, path: real, facts, text: decoded.text, encode: (text) => encoded({ ...decoded, text }) };
}

/** An encoding that wrote the old text writes the new one. */
const encoded = (text: DecodedText): Buffer => encodeText(text)!;
