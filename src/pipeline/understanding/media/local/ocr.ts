/**
 * Pictures as tesseract reads them best – dark on white, large enough – and its words without what it only imagined.
 */
import { join } from 'node:path';
import { AppError } from '../../../../core/errors.ts';
import type { AttachmentFile } from '../../attachments.ts';
import { ffmpeg, MAX_PIXELS, pictureOnStdin, unreadable } from './film/ffmpeg.ts';
import { pictureSize, type PictureSize } from '../../../../platform/pictures/picture-size.ts';
import type { WorkFolder } from './work-folder.ts';

const MAX_PICTURE_BYTES = 64 * 1024 * 1024;
/** Smaller than one letter. */
const MIN_SIDE = 8;
/** Tesseract wants letters about 30 pixels high: small pictures are enlarged towards this width. */
const WANTED_WIDTH = 1600;
const MAX_ENLARGEMENT = 3;
const MAX_SIDE = 4000;
const SCALE = `min(min(${MAX_ENLARGEMENT},max(1,${WANTED_WIDTH}/iw)),${MAX_SIDE}/max(iw,ih))`;
/** Scaled, with white where it is transparent, grey. */
const ON_WHITE =
  `color=white[paper];[0:v]scale=w='iw*${SCALE}':h='ih*${SCALE}':flags=lanczos[picture];` +
  '[paper][picture]scale2ref[paper][picture];[paper][picture]overlay=shortest=1,format=gray';
/** Percent. Words of real text are above 60 almost always, leaves and wallpaper rarely above 30. */
const MIN_CONFIDENCE = 45;
/**
 * Where fewer of the words are likely than this, the others are chance: leaves, handwriting, a language it was not
 * taught.
 */
const MIN_SHARE = 0.5;

/**
 * A path of the picture for tesseract. Without ffmpeg the file itself, when its format is known to have a harmless
 * size.
 * Rejects with `AppError`: `too_large` (more pixels than are ever decoded), `unsupported` (no picture, or too small for
 * letters).
 */
export async function readable(picture: AttachmentFile, folder: WorkFolder): Promise<string> {
  const bytes = await picture.bytes(MAX_PICTURE_BYTES);
  const size = pictureSize(bytes);
  if (size) refuseOddSize(picture.name, size);
  if (!(await folder.programs.find('ffmpeg'))) {
    if (size) return picture.path();
    throw new AppError(
      'unsupported',
      `${picture.name} is ${picture.mime}; ffmpeg, which would turn it into PNG, is not installed.`,
    );
  }
  const png = join(folder.inputDir, 'picture.png');
  await ffmpeg(folder, {
    args: [...pictureOnStdin(bytes.length), '-filter_complex', ON_WHITE, '-frames:v', '1', png],
    input: bytes,
  }).catch((error: unknown) => {
    throw unreadable(picture.name, error);
  });
  return png;
}

function refuseOddSize(name: string, { width, height }: PictureSize): void {
  if (width * height > MAX_PIXELS)
    throw new AppError(
      'too_large',
      `${name} has ${width} × ${height} pixels; more than ${MAX_PIXELS / 1e6} million are not read.`,
    );
  if (Math.min(width, height) < MIN_SIDE)
    throw new AppError('unsupported', `${name} has ${width} × ${height} pixels: too small to contain text.`);
}

/** Text as printed, line by line; a table of words with confidences (`tsv`) is freed of those that are guesses. */
export function printedWords({ stdout }: { readonly stdout: string }): string {
  const text = stdout.startsWith('level\t') ? likelyWords(stdout) : stdout.replaceAll('\f', '\n');
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) || line === '')
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * Columns of tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
 */
function likelyWords(table: string): string {
  const cells = table.split('\n').map((row) => row.split('\t'));
  const seen = cells.filter((row) => row[0] === '5' && row[11]?.trim());
  const words = seen.filter((row) => Number(row[10]) >= MIN_CONFIDENCE);
  if (words.length < seen.length * MIN_SHARE) return '';
  const lines = Map.groupBy(words, (row) => row.slice(1, 5).join('.'));
  return [...lines.values()].map((line) => line.map((row) => row[11]!.trim()).join(' ')).join('\n');
}
