/** Actions that record: camera pictures, clips, screen recordings. */
import {
  errorResult,
  present,
  type ImageBlock,
  type TextBlock,
  type ToolContext,
  type ToolResult,
} from '../../../../sdk/index.ts';
import { AppError } from '../../../../sdk/index.ts';
import { pictureForModel, sizeText } from '../../../../sdk/pictures.ts';
import { durationMs } from './duration.ts';
import type { NodesInput } from './input.ts';
import { readRecording, saveRecording } from './media.ts';
import { inert, inertValue } from '../../../../sdk/untrusted.ts';

/** Invokes one command on the node of a call. */
export type InvokeNode = (command: string, params: object) => Promise<unknown>;

const CLIP = { first: 250, max: 60_000 };

const cameraParams = ({ maxWidth, quality, delayMs, deviceId }: NodesInput, facing: string | undefined): object => ({
  format: 'jpg',
  ...present({
    facing,
    maxWidth: between(maxWidth, 16, 8192),
    quality: between(quality, 0.05, 1),
    delayMs: between(delayMs, 0, 10_000),
    deviceId: deviceId?.trim() || undefined,
  }),
});

const between = (value: number | undefined, first: number, max: number): number | undefined =>
  value === undefined ? undefined : Math.min(max, Math.max(first, value));

/** One picture for each camera that is meant; those that fail are told beside those that came. */
export async function cameraSnap(input: NodesInput, invoke: InvokeNode, ctx: ToolContext): Promise<ToolResult> {
  const facings = await facingsOf(input, invoke);
  const taken: Snap[] = [];
  const failed: AppError[] = [];
  for (const facing of facings) {
    ctx.signal.throwIfAborted();
    try {
      taken.push(await snap({ input, facing, only: facings.length === 1 }, invoke, ctx));
    } catch (error) {
      if (!(error instanceof AppError) || facings.length === 1) throw error;
      failed.push(error);
    }
  }
  if (taken.length === 0) throw failed[0]!;
  return {
    content: [
      ...taken.flatMap(({ content }) => content),
      ...failed.map(
        ({ message }): TextBlock => ({ type: 'text', text: `The other camera gave no picture: ${inert(message)}` }),
      ),
    ],
    details: taken.map(({ details }) => details),
    media: taken.map(({ media }) => media),
  };
}

type Facing = 'front' | 'back' | undefined;

/** Without a wish: both, but for nodes that have one camera, or whose cameras face nowhere. */
async function facingsOf({ facing, deviceId }: NodesInput, invoke: InvokeNode): Promise<readonly Facing[]> {
  if (deviceId?.trim()) return [facing === 'both' ? undefined : facing];
  if (facing === 'front' || facing === 'back') return [facing];
  if (facing === 'both') return ['front', 'back'];
  const cameras = await camerasOf(invoke);
  if (cameras === undefined) return ['front', 'back'];
  const faces = (['front', 'back'] as const).filter((one) => cameras.some(({ position }) => position === one));
  return faces.length > 0 ? faces : [undefined];
}

interface Camera {
  readonly id?: unknown;
  readonly position?: unknown;
}

/** Undefined: the node cannot say. */
async function camerasOf(invoke: InvokeNode): Promise<readonly Camera[] | undefined> {
  try {
    const { devices } = (await invoke('camera.list', {})) as { readonly devices?: unknown };
    return Array.isArray(devices) ? (devices as Camera[]) : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined; // an older node lists no cameras, and takes pictures all the same
    throw error;
  }
}

interface Snap {
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly details: object;
  readonly media: NonNullable<ToolResult['media']>[number];
}

async function snap(
  { input, facing, only }: { readonly input: NodesInput; readonly facing: Facing; readonly only: boolean },
  invoke: InvokeNode,
  ctx: ToolContext,
): Promise<Snap> {
  const { data, fields } = readRecording('camera.snap', await invoke('camera.snap', cameraParams(input, facing)));
  const extension = fields.format === 'png' ? 'png' : 'jpg';
  const path = pathFor(input, { kind: `camera${facing ? `-${facing}` : ''}`, extension, only, facing }, ctx);
  const { shown, real } = await saveRecording(path, data, ctx);
  const picture = await pictureForModel(data);
  const { width, height } = fields;
  const size = width !== undefined && height !== undefined ? `${width}x${height}, ` : '';
  const what = `Picture${facing ? ` (${facing})` : ''}: ${shown} (${size}${sizeText(data.length)}).`;
  return {
    content: [
      { type: 'text', text: picture.ok ? what : `${what} [${shown}] omitted image payload: ${picture.why}` },
      ...(picture.ok
        ? [{ type: 'image' as const, data: Buffer.from(picture.data).toString('base64'), mimeType: picture.mime }]
        : []),
    ],
    details: present({ facing: facing ?? 'unknown', path: shown, width, height }),
    media: { from: 'file', path: real, mime: extension === 'png' ? 'image/png' : 'image/jpeg' },
  };
}

export function cameraClip(input: NodesInput, invoke: InvokeNode, ctx: ToolContext): Promise<ToolResult> {
  if (input.facing === 'both')
    return Promise.resolve(errorResult('facing: a clip is of one camera; use front or back.'));
  const facing = input.facing ?? 'front';
  const params = present({
    facing,
    durationMs: spanOf(input, 3000),
    includeAudio: input.includeAudio ?? true,
    format: 'mp4',
    deviceId: input.deviceId?.trim() || undefined,
  });
  return record({ input, command: 'camera.clip', kind: `clip-${facing}`, params, details: { facing } }, invoke, ctx);
}

export function screenRecord(input: NodesInput, invoke: InvokeNode, ctx: ToolContext): Promise<ToolResult> {
  const params = {
    durationMs: spanOf(input, 10_000),
    fps: between(input.fps, 1, 60) ?? 10,
    screenIndex: Math.max(0, Math.trunc(input.screenIndex ?? 0)),
    includeAudio: input.includeAudio ?? true,
    format: 'mp4',
  };
  const { fps, screenIndex } = params;
  return record(
    { input, command: 'screen.record', kind: 'screen', params, details: { fps, screenIndex } },
    invoke,
    ctx,
  );
}

function spanOf({ durationMs: ms, duration }: NodesInput, usual: number): number {
  const span = duration?.trim() ? durationMs(duration) : (ms ?? usual);
  if (span < CLIP.first || span > CLIP.max)
    throw new AppError('invalid', `duration: ${span} ms; a recording takes ${CLIP.first} ms to ${CLIP.max / 1000} s.`);
  return Math.round(span);
}

interface Recording {
  readonly input: NodesInput;
  readonly command: 'camera.clip' | 'screen.record';
  readonly kind: string;
  readonly params: { readonly durationMs: number };
  readonly details: object;
}

async function record(
  { input, command, kind, params, details }: Recording,
  invoke: InvokeNode,
  ctx: ToolContext,
): Promise<ToolResult> {
  const { data, fields } = readRecording(command, await invoke(command, params));
  const path = pathFor(input, { kind, extension: fields.format, only: true, facing: undefined }, ctx);
  const { shown, real } = await saveRecording(path, data, ctx);
  const durationMs = fields.durationMs ?? params.durationMs;
  const hasAudio = fields.hasAudio ?? false;
  const seconds = (durationMs / 1000).toFixed(1);
  return {
    content: [
      {
        type: 'text',
        text: `FILE:${shown} (${seconds} s, ${hasAudio ? 'with' : 'without'} sound, ${sizeText(data.length)})`,
      },
    ],
    details: { ...details, path: shown, durationMs, hasAudio },
    media: [{ from: 'file', path: real, mime: `video/${fields.format}` }],
  };
}

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  webm: 'video/webm',
};

/** What a command that records answered to a plain invoke: a file, never its bytes as text. */
export async function savedRecording(
  command: Parameters<typeof readRecording>[0],
  payload: unknown,
  input: NodesInput,
  ctx: ToolContext,
): Promise<ToolResult> {
  const { data, fields } = readRecording(command, payload);
  const { format, base64: _bytes, ...facts } = fields;
  const file = { kind: command.replace('.', '-'), extension: format, only: true, facing: undefined };
  const { shown, real } = await saveRecording(pathFor(input, file, ctx), data, ctx);
  const mime = command === 'microphone.clip' && format !== 'm4a' ? `audio/${format}` : TYPES[format]!;
  return {
    content: [{ type: 'text', text: `FILE:${shown} (${sizeText(data.length)})` }],
    details: { ...(inertValue(facts) as object), path: shown, format },
    media: [{ from: 'file', path: real, mime }],
  };
}

interface FileOf {
  readonly kind: string;
  readonly extension: string;
  /** The only file of this call. */
  readonly only: boolean;
  readonly facing: Facing;
}

/** As asked for, with the camera in its name where there are two; else a name of its own in `captures/`. */
function pathFor({ outPath }: NodesInput, { kind, extension, only, facing }: FileOf, { callId }: ToolContext): string {
  const wanted = outPath?.trim();
  if (!wanted) return `captures/${kind}-${callId.replaceAll(/[^\w-]/g, '').slice(-24)}.${extension}`;
  if (only) return wanted;
  const dot = wanted.lastIndexOf('.');
  return dot > wanted.lastIndexOf('/') + 1
    ? `${wanted.slice(0, dot)}-${facing}${wanted.slice(dot)}`
    : `${wanted}-${facing}`;
}
