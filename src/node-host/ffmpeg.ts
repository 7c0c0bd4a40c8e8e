/** Runs ffmpeg for pictures and recordings; the output is read from a pipe, so that no file remains. */
import { childEnv } from '../platform/child-env.ts';
import { exec, findProgram } from '../platform/exec.ts';
import { mp4SpanMs } from './mp4-span.ts';
import { NodeError, type NodeCall, type NodeMachine } from './offer.ts';

/** 25 MB of base64 are what one frame of the protocol holds. */
const MAX_BYTES = 18 * 1024 * 1024;
const START_MS = 20_000;

export const findFfmpeg = ({ env }: NodeMachine): Promise<string | undefined> =>
  findProgram('ffmpeg', env.vars['PATH']);

/** One ffmpeg run. */
export interface Recording {
  readonly ffmpeg: string;
  readonly args: readonly string[];
  /** How long it records, besides its start. */
  readonly spanMs: number;
  /** The code of an error that is not about size. */
  readonly failure: string;
  readonly machine: NodeMachine;
  /** A program and its arguments whose output ffmpeg reads as `pipe:0`. */
  readonly feeder?: readonly string[] | undefined;
}

/**
 * What it wrote to its output, and how long that lasts: a camera that is pulled out, or a share that ends, ends it
 * before its time.
 */
export async function record(
  { ffmpeg, args, spanMs, failure, machine, feeder }: Recording,
  { signal }: Pick<NodeCall, 'signal'>,
): Promise<{ readonly data: Buffer; readonly durationMs: number }> {
  const own = ['-hide_banner', '-loglevel', 'error', '-nostdin', ...args, 'pipe:1'];
  const result = await exec({
    ...(feeder ? piped(feeder, [ffmpeg, ...own]) : { command: ffmpeg, args: own }),
    env: childEnv(machine.env.vars),
    timeoutMs: spanMs + START_MS,
    maxOutputBytes: MAX_BYTES,
    signal,
  });
  if (result.kind === 'too_much_output')
    throw new NodeError('PAYLOAD_TOO_LARGE', 'PAYLOAD_TOO_LARGE: the recording has more than 18 MiB; record less');
  if (result.kind === 'exited' && result.code === 0 && result.stdout.length > 0)
    return { data: result.stdout, durationMs: mp4SpanMs(result.stdout) ?? spanMs };
  const why = result.kind === 'exited' ? reasonOf(result.stderr) || 'no picture came' : result.kind;
  throw new NodeError(failure, `${failure}: ${why.slice(0, 300)}`);
}

/** What the feeder says comes first: without it ffmpeg knows only that nothing came. */
function reasonOf(stderr: string): string | undefined {
  const lines = stderr.trim().split('\n');
  return lines.find((line) => line.startsWith('ERROR: ')) ?? lines.at(-1);
}

/** Both in one process group, so that they end together. */
const piped = (from: readonly string[], to: readonly string[]) => ({
  command: '/bin/sh',
  args: ['-c', `${from.map(quoted).join(' ')} | ${to.map(quoted).join(' ')}`],
});
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Written so that a player can begin before the end: an output that is no file cannot be gone back in. */
export const MP4 = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-pix_fmt',
  'yuv420p',
  '-movflags',
  'frag_keyframe+empty_moov+default_base_moof',
  '-f',
  'mp4',
];

/** What the microphone hears, where a sound server is there. */
export async function soundInput({ env }: NodeMachine): Promise<readonly string[] | undefined> {
  const socket =
    env.get('PULSE_SERVER') ?? (env.get('XDG_RUNTIME_DIR') && (await findProgram('pactl', env.vars['PATH'])));
  return socket ? ['-f', 'pulse', '-i', 'default'] : undefined;
}

/** Width and height of a JPEG, from its frame header; undefined: it has none. */
export function jpegSize(data: Buffer): { readonly width: number; readonly height: number } | undefined {
  for (let at = 2; at + 9 < data.length; ) {
    if (data[at] !== 0xff) return undefined;
    const marker = data[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    at += 2 + data.readUInt16BE(at + 2);
  }
  return undefined;
}
