/** Reduces a picture that is too heavy for WhatsApp, and converts one that its apps do not show. */
import { AppError } from '../../sdk/index.ts';
import type { FileToSend } from './outgoing-file.ts';

/** Bytes of a picture that is sent as it is; the apps themselves send less. */
const HEAVY = 5 * 1024 * 1024;
const SHOWN: readonly string[] = ['image/jpeg', 'image/png'];
const CONVERTED: readonly string[] = ['image/heic', 'image/heif', 'image/avif', 'image/tiff'];

/** Pixels of the longer side, tried until the limit is kept. */
const SIDES = [2000, 1200, 800] as const;

/** `maxBytes`: the limit of the account, which holds for what is sent. What cannot be reduced stays what it is. */
export async function lighterPicture(file: FileToSend, maxBytes: number): Promise<FileToSend> {
  const heavy = SHOWN.includes(file.mime) && file.data.length > Math.min(HEAVY, maxBytes);
  const found = heavy || CONVERTED.includes(file.mime) ? await reduced(file, maxBytes) : file;
  if (found.data.length <= maxBytes) return found;
  throw new AppError('too_large', `${file.name} has more than the ${maxBytes} bytes that mediaMaxMb allows.`);
}

async function reduced(file: FileToSend, maxBytes: number): Promise<FileToSend> {
  const { fitPicture } = await import('../../sdk/pictures.ts');
  const name = `${file.name.replace(/\.[^.]{1,5}$/, '')}.jpg`;
  try {
    for (const maxSide of SIDES) {
      const fit = await fitPicture(file.data, { convert: true, maxSide });
      if (fit.kind !== 'converted') return file;
      if (fit.data.length <= maxBytes) return { data: fit.data, mime: fit.mime, name };
    }
  } catch (error) {
    // More pixels than are ever decoded: it goes as the document it is.
    if (!(error instanceof AppError && error.code === 'unsupported')) throw error;
  }
  return file;
}
