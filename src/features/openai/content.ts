/** Content parts of both request shapes, read into text and inline files. */
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';

export interface InlineFile {
  readonly mime: string;
  readonly name?: string;
  readonly base64: string;
}
/** `texts`: of how many pieces `text` was put together. */
export interface Content {
  readonly text: string;
  readonly texts: number;
  readonly files: readonly InlineFile[];
}

export const noContent: Content = { text: '', texts: 0, files: [] };

const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** Refuses input at `param`, a dotted path as OpenAI writes it. */
export function invalid(message: string, param: string, code?: string): AppError {
  return new AppError('invalid', message, { details: present({ param, code: code || undefined }) });
}

/** `data:<mime>;base64,<data>` → a file; any other address is refused, because nothing is fetched for a caller yet. */
export function inlineFile(url: string, param: string, name?: string): InlineFile {
  if (!/^data:/i.test(url))
    throw invalid(
      'Only data: URLs are accepted here (data:<type>;base64,…); remote addresses are not fetched.',
      param,
      'unsupported_value',
    );
  const comma = url.indexOf(',');
  const head = url.slice('data:'.length, comma < 0 ? undefined : comma);
  const [mime = '', ...flags] = head.split(';');
  if (comma < 0 || flags.at(-1)?.toLowerCase() !== 'base64')
    throw invalid('The data: URL must be base64 (data:<type>;base64,…).', param, 'invalid_base64');
  return checkedFile(
    present({
      mime: mime.toLowerCase() || 'application/octet-stream',
      base64: url.slice(comma + 1),
      name: name || undefined,
    }),
    param,
  );
}

/** Checks size and alphabet before anything is decoded. */
export function checkedFile(file: InlineFile, param: string): InlineFile {
  const limit = file.mime.startsWith('image/') ? MAX_IMAGE_BYTES : MAX_FILE_BYTES;
  const bytes = decodedLength(file.base64);
  if (bytes > limit) throw invalid(`This file has ${bytes} bytes; the limit is ${limit}.`, param, 'file_too_large');
  if (bytes === 0) throw invalid('This file is empty.', param, 'invalid_base64');
  if (Buffer.from(file.base64, 'base64').length !== bytes)
    throw invalid('This is not valid base64.', param, 'invalid_base64');
  return file;
}

function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(((base64.length - padding) * 3) / 4);
}

export const textContent = (text: string): Content => ({ text, texts: 1, files: [] });

export const fileContent = (file: InlineFile): Content => ({ text: '', texts: 0, files: [file] });

/** Joins contents, text by blank lines. */
export function joinContent(parts: readonly Content[]): Content {
  const texts = parts.reduce((sum, part) => sum + part.texts, 0);
  return {
    text: parts
      .map(({ text }) => text)
      .filter(Boolean)
      .join('\n\n'),
    texts,
    files: parts.flatMap(({ files }) => files),
  };
}
