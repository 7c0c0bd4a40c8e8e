/** Validates recordings of a node, and saves them in the workspace. */
import { z } from 'zod';
import { AppError, type ToolContext } from '../../../../sdk/index.ts';
import { replaceFiles, statToWrite } from '../../../../sdk/files.ts';

const base64 = z
  .string()
  .min(4)
  .refine((text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text), 'is not whole base64');

/** Schemas of the results of commands that record. */
export const SHAPES = {
  'camera.snap': z.looseObject({
    format: z.enum(['jpg', 'jpeg', 'png']),
    base64,
    width: z.number().optional(),
    height: z.number().optional(),
  }),
  'camera.clip': z.looseObject({
    format: z.enum(['mp4', 'webm']),
    base64,
    durationMs: z.number().optional(),
    hasAudio: z.boolean().optional(),
  }),
  'screen.snapshot': z.looseObject({
    format: z.enum(['jpg', 'jpeg', 'png']),
    base64,
    width: z.number().optional(),
    height: z.number().optional(),
  }),
  'microphone.clip': z.looseObject({
    format: z.enum(['m4a', 'mp4', 'webm']),
    base64,
    durationMs: z.number().optional(),
  }),
  'screen.record': z.looseObject({
    format: z.enum(['mp4', 'webm']),
    base64,
    durationMs: z.number().optional(),
    fps: z.number().optional(),
    screenIndex: z.number().optional(),
    hasAudio: z.boolean().optional(),
  }),
} as const;

/** The signature of each format, at an offset. */
const MAGIC: Readonly<Record<string, readonly [offset: number, bytes: string]>> = {
  jpg: [0, 'ffd8ff'],
  jpeg: [0, 'ffd8ff'],
  png: [0, '89504e47'],
  m4a: [4, '66747970'],
  mp4: [4, '66747970'],
  webm: [0, '1a45dfa3'],
};

/** Whether the result of a command is a file. */
export const isRecording = (command: string): command is keyof typeof SHAPES => Object.hasOwn(SHAPES, command);

/** Parses the payload of a command. Throws `bad_response` if it is not what the command returns. */
export function readRecording<C extends keyof typeof SHAPES>(command: C, payload: unknown) {
  const read = SHAPES[command].safeParse(payload);
  if (!read.success) throw invalid(command, `${read.error.issues[0]!.path.join('.')} ${read.error.issues[0]!.message}`);
  const data = Buffer.from(read.data.base64, 'base64');
  const [offset, bytes] = MAGIC[read.data.format]!;
  if (
    !data
      .subarray(offset)
      .toString('hex', 0, bytes.length / 2)
      .startsWith(bytes)
  )
    throw invalid(command, `it says ${read.data.format} and is something else`);
  return { data, fields: read.data as z.output<(typeof SHAPES)[C]> };
}

const invalid = (command: string, why: string): AppError =>
  new AppError('bad_response', `invalid ${command} payload: ${why}`);

/**
 * Writes inside the workspace, and returns the path as the agent sees it. Fails for a folder, or a file of another
 * type.
 */
export async function saveRecording(
  path: string,
  data: Buffer,
  ctx: ToolContext,
): Promise<{ readonly shown: string; readonly real: string }> {
  const { path: real, facts: before } = await statToWrite(path, ctx);
  if (before && before.kind !== 'file') throw new AppError('invalid', `outPath: ${path} is not a regular file.`);
  ctx.signal.throwIfAborted();
  await replaceFiles([{ path: real, shown: path, data, before }]);
  return { shown: path, real };
}
