/** `camera.list`, `camera.snap`, `camera.clip`: cameras of this machine (V4L2), through ffmpeg. */
import { z } from 'zod';
import { childEnv } from '../../platform/child-env.ts';
import { exec } from '../../platform/exec.ts';
import { listDir, readTextIfExists } from '../../platform/files.ts';
import { findFfmpeg, jpegSize, MP4, record, soundInput } from '../ffmpeg.ts';
import { NodeError, nothing, type NodeCall, type NodeMachine, type Offer } from '../offer.ts';
import { readParams } from '../read-params.ts';

const NAMES = ['camera.list', 'camera.snap', 'camera.clip'];
const facing = z.enum(['front', 'back']).nullish();
const deviceId = z.string().max(200).nullish();
const snapParams = z.looseObject({
  facing,
  deviceId,
  maxWidth: z.number().min(16).max(8192).nullish(),
  quality: z.number().min(0.05).max(1).nullish(),
  delayMs: z.number().min(0).max(10_000).nullish(),
});
const clipParams = z.looseObject({
  facing,
  deviceId,
  durationMs: z.number().min(250).max(60_000).nullish(),
  includeAudio: z.boolean().nullish(),
});

interface Camera {
  readonly id: string;
  readonly name: string;
  /** What ffmpeg reads it by. */
  readonly input: readonly string[];
  readonly deviceType: 'v4l2' | 'test';
}

const TEST: Camera = {
  id: 'test',
  name: 'ffmpeg test source',
  input: ['-f', 'lavfi', '-i', 'testsrc=size=1280x720:rate=30'],
  deviceType: 'test',
};

export async function offerCamera(machine: NodeMachine): Promise<Offer> {
  const no = (why: string): Offer => nothing('camera', NAMES, why);
  const { camera: wanted } = machine.settings;
  if (wanted === false)
    return no('CAMERA_DISABLED: the camera is not switched on at the node (`node install --camera`)');
  const ffmpeg = await findFfmpeg(machine);
  if (ffmpeg === undefined) return no('CAMERA_UNAVAILABLE: ffmpeg is not installed on the node');
  const cameras = async (): Promise<readonly Camera[]> => (wanted === 'test' ? [TEST] : devicesOf(ffmpeg, machine));
  if ((await cameras()).length === 0) return no('CAMERA_UNAVAILABLE: the node has no camera that ffmpeg can read');
  const at = { ffmpeg, machine, cameras };
  return {
    cap: 'camera',
    commands: {
      'camera.list': async () => ({
        devices: (await cameras()).map(({ id, name, deviceType }) => ({ id, name, position: 'unknown', deviceType })),
      }),
      'camera.snap': (params, call) => snap(readParams(snapParams, params), call, at),
      'camera.clip': (params, call) => clip(readParams(clipParams, params), call, at),
    },
    unavailable: {},
    permissions: { camera: true },
  };
}

interface Cameras {
  readonly ffmpeg: string;
  readonly machine: NodeMachine;
  cameras(): Promise<readonly Camera[]>;
}

const LIST_MS = 5000;

/** Those that give pictures; a camera has further files for its data about them. */
async function devicesOf(ffmpeg: string, machine: NodeMachine): Promise<readonly Camera[]> {
  const files = (await listDir('/dev')).map(({ name }) => name).filter((name) => /^video\d{1,3}$/.test(name));
  const found = await Promise.all(
    files.map(async (file) => {
      const path = `/dev/${file}`;
      const formats = await exec({
        command: ffmpeg,
        args: ['-hide_banner', '-nostdin', '-f', 'v4l2', '-list_formats', 'all', '-i', path],
        env: childEnv(machine.env.vars),
        timeoutMs: LIST_MS,
        maxOutputBytes: 64 * 1024,
        signal: AbortSignal.timeout(LIST_MS),
      });
      if (!/\b(Raw|Compressed)\b/.test(formats.stderr)) return [];
      const name = (await readTextIfExists(`/sys/class/video4linux/${file}/name`))?.trim();
      return [{ id: path, name: name || path, input: ['-f', 'v4l2', '-i', path], deviceType: 'v4l2' as const }];
    }),
  );
  return found.flat();
}

/** The first camera, or the named one. Desktop cameras have no facing, so a requested facing is no reason to fail. */
async function chosen(wanted: string | null | undefined, { cameras }: Cameras): Promise<Camera> {
  const all = await cameras();
  const camera = wanted ? all.find(({ id, name }) => id === wanted || name === wanted) : all[0];
  if (camera) return camera;
  const names = all.map(({ id }) => id).join(', ');
  throw wanted
    ? new NodeError('INVALID_REQUEST', `deviceId: there is no camera ${wanted}; cameras: ${names || 'none'}`)
    : new NodeError('CAMERA_UNAVAILABLE', 'CAMERA_UNAVAILABLE: the camera is gone');
}

async function snap(params: z.output<typeof snapParams>, call: NodeCall, at: Cameras): Promise<unknown> {
  const { maxWidth, quality, delayMs } = params;
  const { input, deviceType } = await chosen(params.deviceId, at);
  // The first pictures of a camera are dark: they are read, and not taken.
  const wait = (delayMs ?? 0) / 1000;
  const { data } = await record(
    {
      ...at,
      args: [
        ...input,
        ...(wait > 0 && deviceType !== 'test' ? ['-ss', String(wait)] : []),
        '-frames:v',
        '1',
        '-vf',
        `scale='min(iw,${Math.round(maxWidth ?? 1600)})':-2`,
        // 2 is best, 31 worst
        '-q:v',
        String(Math.round(31 - (quality ?? 0.9) * 29)),
        '-f',
        'mjpeg',
      ],
      spanMs: delayMs ?? 0,
      failure: 'CAMERA_UNAVAILABLE',
    },
    call,
  );
  return { format: 'jpg', base64: data.toString('base64'), ...jpegSize(data) };
}

async function clip(params: z.output<typeof clipParams>, call: NodeCall, at: Cameras): Promise<unknown> {
  const spanMs = params.durationMs ?? 3000;
  const { input, deviceType } = await chosen(params.deviceId, at);
  const sound = params.includeAudio === false || deviceType === 'test' ? undefined : await soundInput(at.machine);
  const { data, durationMs } = await record(
    {
      ...at,
      args: [
        ...input,
        ...(sound ? [...sound, '-c:a', 'aac', '-b:a', '128k'] : []),
        '-t',
        String(spanMs / 1000),
        ...MP4,
      ],
      spanMs,
      failure: 'CAMERA_UNAVAILABLE',
    },
    call,
  );
  return { format: 'mp4', base64: data.toString('base64'), durationMs, hasAudio: sound !== undefined };
}
