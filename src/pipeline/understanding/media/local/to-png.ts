/** Turns a still picture into PNG with ffmpeg, no larger than models look at it. */
import { join } from 'node:path';
import { AppError } from '../../../../core/errors.ts';
import { readBytesIfExists } from '../../../../platform/files.ts';
import { MAX_SIDE } from '../../../../platform/pictures/fit-picture.ts';
import type { AttachmentFile } from '../../attachments.ts';
import { ffmpeg, pictureOnStdin } from './film/ffmpeg.ts';
import type { WorkFolder } from './work-folder.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const SCALE = `scale=w='min(iw,${MAX_SIDE})':h='min(ih,${MAX_SIDE})':force_original_aspect_ratio=decrease`;

/** Undefined when it is no picture to ffmpeg. Rejects only with `aborted`. */
export async function toPng(picture: AttachmentFile, folder: WorkFolder): Promise<Uint8Array | undefined> {
  const png = join(folder.outputDir, 'picture.png');
  try {
    const bytes = await picture.bytes(MAX_BYTES);
    await ffmpeg(folder, {
      args: [...pictureOnStdin(bytes.length), '-vf', SCALE, '-frames:v', '1', png],
      input: bytes,
    });
    return await readBytesIfExists(png);
  } catch (error) {
    if (error instanceof AppError && error.code !== 'aborted') return undefined;
    throw error;
  }
}
