/** Takes a film apart into a few pictures and its sound, for models that know only pictures and recordings. */
import { join, parse } from 'node:path';
import { AppError } from '../../../../../core/errors.ts';
import { present } from '../../../../../core/present.ts';
import type { AttachmentFile } from '../../../attachments.ts';
import { extractedFile, missingExtract } from './extracted-file.ts';
import { container, ffmpeg, streamsOf, unreadable } from './ffmpeg.ts';
import { MAX_SOUND_SECONDS, tooLong } from './sound.ts';
import type { WorkFolder } from '../work-folder.ts';

/** Its files are gone once it is disposed of. */
export interface FilmParts extends AsyncDisposable {
  /** In their order; none when the film is sound alone. */
  readonly frames: readonly Frame[];
  /** Absent if it is silent; with `trouble` if it is unavailable. */
  readonly sound?: AttachmentFile;
  readonly seconds: number;
}

export interface Frame extends AttachmentFile {
  /** Its place in the film. */
  readonly atSeconds: number;
}

/** Films of less than four seconds get one for each second. */
const FRAMES = 4;
const MAX_SIDE = 1024;
/** Beyond this a film of unknown length is not measured. */
const MAX_MEASURED_SECONDS = 4 * 3600;

/** Owns the workbench from here on. Rejects with `AppError`: `unsupported` when it is no film, `timeout`, `aborted`. */
export async function takeApart(film: AttachmentFile, folder: WorkFolder): Promise<FilmParts> {
  try {
    const path = await film.path();
    const streams = await streamsOf(path, folder).catch((error: unknown) => {
      throw unreadable(film.name, error);
    });
    if (!streams.hasPictures && !streams.hasSound)
      throw new AppError('unsupported', `${film.name} has neither pictures nor sound.`);
    const seconds = streams.seconds ?? (await measured(path, folder));
    const frames = streams.hasPictures ? await framesOf({ film, path, seconds, folder }) : [];
    const sound = streams.hasSound ? await soundOf({ film, path, seconds, folder }) : undefined;
    return { frames, ...present({ sound }), seconds, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}

interface Film {
  readonly film: AttachmentFile;
  readonly path: string;
  readonly seconds: number;
  readonly folder: WorkFolder;
}

/** Evenly spread, each in the middle of its part: openings and endings are often black. */
async function framesOf({ film, path, seconds, folder }: Film): Promise<readonly Frame[]> {
  const count = Math.max(1, Math.min(FRAMES, Math.round(seconds)));
  const wanted = Array.from({ length: count }, (_, at) => ({
    atSeconds: ((at + 0.5) * seconds) / count,
    path: join(folder.outputDir, `frame-${at + 1}.jpg`),
    number: at + 1,
  }));
  await grab(wanted, path, folder).catch((error: unknown) => {
    throw unreadable(`The pictures of ${film.name}`, error);
  });
  const made = await Promise.all(
    wanted.map(async (one) => {
      const file = await extractedFile({
        path: one.path,
        from: film,
        kind: 'image',
        mime: 'image/jpeg',
        name: `${parse(film.name).name}-frame-${one.number}.jpg`,
      });
      return file && { ...file, atSeconds: one.atSeconds };
    }),
  );
  const frames = made.filter((frame) => frame !== undefined);
  // A length that is a lie leads behind the end; the beginning is always there.
  return frames.length > 0 || seconds === 0 ? frames : framesOf({ film, path, seconds: 0, folder });
}

/** One process for all of them: the film is opened once per picture and read only around it. */
async function grab(
  wanted: readonly { atSeconds: number; path: string }[],
  film: string,
  folder: WorkFolder,
): Promise<void> {
  const scale = `scale=w='min(${MAX_SIDE},iw)':h='min(${MAX_SIDE},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`;
  const inputs = wanted.flatMap(({ atSeconds }) => container(film, { seekSeconds: atSeconds }));
  const outputs = wanted.flatMap(({ path }, at) => [
    '-map',
    `${at}:v:0`,
    '-frames:v',
    '1',
    '-vf',
    scale,
    '-pix_fmt',
    'yuvj420p',
    '-q:v',
    '3',
    '-update',
    '1',
    '-f',
    'image2',
    path,
  ]);
  await ffmpeg(folder, { args: [...inputs, ...outputs] });
}

/** As Opus: small enough to be sent to a vendor, and read by every tool through ffmpeg. */
async function soundOf({ film, path, seconds, folder }: Film): Promise<AttachmentFile | undefined> {
  const extract = {
    path: join(folder.outputDir, 'sound.ogg'),
    from: film,
    kind: 'audio',
    mime: 'audio/ogg',
    name: `${parse(film.name).name}.ogg`,
  } as const;
  if (seconds > MAX_SOUND_SECONDS) return missingExtract(extract, tooLong(film.name));
  try {
    await ffmpeg(folder, {
      args: [
        ...container(path),
        '-vn',
        '-map',
        '0:a:0',
        '-t',
        String(MAX_SOUND_SECONDS),
        '-ac',
        '1',
        '-c:a',
        'libopus',
        '-b:a',
        '32k',
        extract.path,
      ],
    });
  } catch (error) {
    // The pictures are worth having without it.
    const why = unreadable(`The sound of ${film.name}`, error);
    if (why.code !== 'unsupported') throw why;
    return missingExtract(extract, why);
  }
  return extractedFile(extract);
}

/**
 * How far its last picture or sound is: recordings made in a browser do not say. Copies packets without decoding them.
 */
async function measured(path: string, folder: WorkFolder): Promise<number> {
  const { stdout } = await ffmpeg(folder, {
    args: [
      ...container(path),
      '-map',
      '0:v?',
      '-map',
      '0:a?',
      '-c',
      'copy',
      '-t',
      String(MAX_MEASURED_SECONDS),
      '-f',
      'null',
      '-progress',
      'pipe:1',
      '-',
    ],
  });
  const microseconds = Number(/^.*out_time_us=(\d+)/s.exec(stdout.toString('utf8'))?.[1] ?? 0);
  return microseconds / 1e6;
}
