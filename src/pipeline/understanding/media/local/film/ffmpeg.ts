/**
 * How ffmpeg and ffprobe are called on files from outside: only real containers, nothing but the one file, bounded
 * pictures.
 */
import { AppError } from '../../../../../core/errors.ts';
import { present } from '../../../../../core/present.ts';
import type { Printed, WorkFolder } from '../work-folder.ts';

/**
 * Containers that hold their own data. Play lists (`hls`, `concat`, `dash`, `sdp`, `image2` patterns …) stay out: a
 * file
 * named `.mp3` may be one, and would have ffmpeg read other files of this machine or the network. Restricting protocols
 * alone
 * does not help, for play lists also point at files. Names: `ffmpeg -demuxers`.
 */
const CONTAINERS = [
  'wav',
  'w64',
  'ogg',
  'mp3',
  'flac',
  'aac',
  'amr',
  'aiff',
  'au',
  'caf',
  'asf',
  'mov',
  'mp4',
  'matroska',
  'webm',
  'avi',
  'flv',
  'mpeg',
  'mpegts',
  'ac3',
  'wv',
  'ape',
  'gif',
] as const;

const PICTURES = [
  'png_pipe',
  'jpeg_pipe',
  'webp_pipe',
  'bmp_pipe',
  'tiff_pipe',
  'gif',
  'gif_pipe',
  'pgm_pipe',
  'ppm_pipe',
  'pbm_pipe',
  'jpegxl_pipe',
] as const;

/** Decoders refuse larger pictures before they take memory for them. */
export const MAX_PIXELS = 50_000_000;

/** One allocation, bytes. */
const MAX_ALLOC = 1024 * 1024 * 1024;

const GLOBAL = ['-hide_banner', '-max_alloc', String(MAX_ALLOC)];

/** Input options for a file with sound or moving pictures; `seekSeconds` is where reading starts. */
export const container = (path: string, { seekSeconds }: { seekSeconds?: number } = {}): readonly string[] => [
  ...(seekSeconds === undefined ? [] : ['-ss', seekSeconds.toFixed(3)]),
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  CONTAINERS.join(','),
  '-max_pixels',
  String(MAX_PIXELS),
  '-i',
  `file:${path}`,
];

/** Input options for a still picture of so many bytes on standard input, so that ffmpeg has no file at all to open. */
export const pictureOnStdin = (bytes: number): readonly string[] => [
  // TIFF is not told apart from what may follow it: all of it is one picture.
  '-protocol_whitelist',
  'pipe',
  '-format_whitelist',
  PICTURES.join(','),
  '-max_pixels',
  String(MAX_PIXELS),
  '-frame_size',
  String(bytes),
  '-i',
  'pipe:0',
];

export interface Conversion {
  readonly args: readonly string[];
  readonly input?: Uint8Array;
  /** Say on standard error what filters found out; absent: only what is wrong. */
  readonly reports?: boolean;
}

export async function ffmpeg(folder: WorkFolder, { args, input, reports = false }: Conversion): Promise<Printed> {
  const verbosity = reports ? ['-loglevel', 'info', '-nostats'] : ['-loglevel', 'error'];
  return folder.run({ command: 'ffmpeg', args: [...GLOBAL, ...verbosity, '-y', ...args], ...present({ input }) });
}

export interface Streams {
  /** Undefined when the container does not say, as recordings made in a browser. */
  readonly seconds: number | undefined;
  readonly hasPictures: boolean;
  readonly hasSound: boolean;
}

/** Rejects with `AppError('unsupported')` when it is no container that is read here. */
export async function streamsOf(path: string, folder: WorkFolder): Promise<Streams> {
  const entries = 'format=duration:stream=codec_type:stream_disposition=attached_pic';
  const { stdout } = await folder.run({
    command: 'ffprobe',
    args: [...GLOBAL, '-loglevel', 'error', ...container(path), '-show_entries', entries, '-of', 'json'],
  });
  const { format, streams = [] } = JSON.parse(stdout.toString('utf8')) as Probed;
  const seconds = Number(format?.duration);
  return {
    seconds: seconds > 0 && Number.isFinite(seconds) ? seconds : undefined,
    hasPictures: streams.some((stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1),
    hasSound: streams.some((stream) => stream.codec_type === 'audio'),
  };
}

interface Probed {
  readonly format?: { readonly duration?: string };
  readonly streams?: readonly {
    readonly codec_type?: string;
    readonly disposition?: { readonly attached_pic?: number };
  }[];
}

/** ffmpeg's last words in words for people; its own would also show where on this machine the file lies. */
const TROUBLES: readonly (readonly [words: RegExp, means: string])[] = [
  [/End of file$/, 'it is empty'],
  [/trailing '\?' to the map/, 'it contains none'],
  [/Invalid argument$/, 'its format is not supported'],
  [/Invalid data found/, 'it is damaged or has the wrong file extension'],
];

/** Trouble with a file becomes `AppError('unsupported')`; a timeout and the like stay what they are. */
export function unreadable(what: string, cause: unknown): AppError {
  if (!(cause instanceof AppError)) return new AppError('internal', `${what} could not be read.`, { cause });
  if (cause.code !== 'bad_response') return cause;
  const means = TROUBLES.find(([words]) => words.test(cause.message))?.[1] ?? 'the converter failed';
  return new AppError('unsupported', `${what} could not be read: ${means}.`, { cause });
}
