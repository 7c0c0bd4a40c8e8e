/** Recordings as speech recognisers want them: 16 kHz, one voice, WAV, of a length that can be listened to. */
import { join } from 'node:path';
import { AppError } from '../../../../../core/errors.ts';
import { statIfExists } from '../../../../../platform/files.ts';
import type { AttachmentFile } from '../../../attachments.ts';
import { container, ffmpeg, unreadable } from './ffmpeg.ts';
import type { WorkFolder } from '../work-folder.ts';

/** Longer recordings are refused rather than cut. */
export const MAX_SOUND_SECONDS = 30 * 60;

const BYTES_PER_SECOND = 16_000 * 2;
/** 20 ms: less than any sound of speech. */
const MIN_BYTES = BYTES_PER_SECOND / 50;

/** Decibels below the loudest there can be. Recognisers imagine words in silence; speech is far above it. */
const SILENCE = -60;

/**
 * A path of the recording as WAV. Without ffmpeg a WAV is handed over as it came.
 * Rejects with `AppError`: `unsupported` (no recording, damaged, silent, or ffmpeg is missing), `too_large` (too long).
 */
export async function listenable(recording: AttachmentFile, folder: WorkFolder): Promise<string> {
  const original = await recording.path();
  if (!(await folder.programs.find('ffmpeg'))) return withoutFfmpeg(recording, original);
  const wav = join(folder.inputDir, 'sound.wav');
  // One second beyond the limit is enough to know; the header of a file may claim any length.
  const args = [
    ...container(original),
    '-vn',
    '-map',
    '0:a:0',
    '-t',
    String(MAX_SOUND_SECONDS + 1),
    '-af',
    'volumedetect',
    '-ac',
    '1',
    '-ar',
    '16000',
    '-c:a',
    'pcm_s16le',
    '-f',
    'wav',
    wav,
  ];
  const { stderr } = await ffmpeg(folder, { args, reports: true }).catch((error: unknown) => {
    throw unreadable(`The sound of ${recording.name}`, error);
  });
  const bytes = (await statIfExists(wav))?.size ?? 0;
  const loudest = Number(/max_volume: (-?[\d.]+) dB/.exec(stderr)?.[1] ?? 0);
  if (bytes < MIN_BYTES || loudest < SILENCE)
    throw new AppError('unsupported', `${recording.name} has no sound in it: it is empty or silent.`);
  if (bytes > MAX_SOUND_SECONDS * BYTES_PER_SECOND + MIN_BYTES) throw tooLong(recording.name);
  return wav;
}

export function tooLong(name: string): AppError {
  return new AppError('too_large', `${name} is longer than ${MAX_SOUND_SECONDS / 60} minutes.`);
}

function withoutFfmpeg(recording: AttachmentFile, path: string): string {
  if (/^audio\/(x-|vnd\.)?wave?$/.test(recording.mime)) return path;
  throw new AppError(
    'unsupported',
    `${recording.name} is ${recording.mime}; ffmpeg, which would turn it into WAV, is not installed.`,
  );
}
