/** `screen.record`: the X11 screen of this machine, through ffmpeg. */
import { z } from 'zod';
import { findFfmpeg, MP4, record, soundInput } from '../ffmpeg.ts';
import { NodeError, nothing, type NodeCall, type NodeMachine, type Offer } from '../offer.ts';
import { readParams } from '../read-params.ts';

const COMMAND = 'screen.record';
const params = z.looseObject({
  durationMs: z.number().min(250).max(60_000).nullish(),
  fps: z.number().min(1).max(60).nullish(),
  screenIndex: z.number().int().min(0).max(16).nullish(),
  includeAudio: z.boolean().nullish(),
});

const DISPLAY = /^[\w.-]*:\d{1,3}(?:\.\d{1,2})?$/;

export async function offerScreen(machine: NodeMachine): Promise<Offer> {
  const no = (why: string): Offer => nothing('screen', [COMMAND], why);
  const { env, settings } = machine;
  if (settings.screen === false)
    return no('SCREEN_DISABLED: the screen is not switched on at the node (`node install --screen`)');
  const ffmpeg = await findFfmpeg(machine);
  if (ffmpeg === undefined) return no('SCREEN_UNAVAILABLE: ffmpeg is not installed on the node');
  const display = env.get('DISPLAY');
  if (settings.screen !== 'test') {
    if (display === undefined && env.get('WAYLAND_DISPLAY'))
      return no('SCREEN_UNAVAILABLE: the node runs Wayland, which this release does not record; use an X11 session');
    if (display === undefined) return no('SCREEN_UNAVAILABLE: the node has no screen (DISPLAY is not set)');
    if (!DISPLAY.test(display)) return no('SCREEN_UNAVAILABLE: DISPLAY names no screen');
  }
  const isTest = settings.screen === 'test';
  const at = { ffmpeg, machine, display: isTest ? undefined : display };
  return {
    cap: 'screen',
    commands: { [COMMAND]: (input, call) => recordScreen(readParams(params, input), call, at) },
    unavailable: {},
    permissions: { screen: true, screenRecording: true },
  };
}

interface Screen {
  readonly ffmpeg: string;
  readonly machine: NodeMachine;
  /** Undefined: the test picture. */
  readonly display: string | undefined;
}

async function recordScreen(values: z.output<typeof params>, call: NodeCall, at: Screen): Promise<unknown> {
  const durationMs = values.durationMs ?? 10_000;
  const fps = values.fps ?? 10;
  const screenIndex = values.screenIndex ?? 0;
  if (screenIndex > 0 && at.display === undefined)
    throw new NodeError('INVALID_REQUEST', `screenIndex: there is no screen ${screenIndex}`);
  const input =
    at.display === undefined
      ? ['-f', 'lavfi', '-i', `testsrc=size=640x360:rate=${fps}`]
      : ['-f', 'x11grab', '-framerate', String(fps), '-i', `${at.display.replace(/\.\d+$/, '')}.${screenIndex}`];
  const wantsSound = values.includeAudio !== false && at.display !== undefined;
  const sound = wantsSound ? await soundInput(at.machine) : undefined;
  const data = await record(
    {
      ...at,
      args: [
        ...input,
        ...(sound ? [...sound, '-c:a', 'aac', '-b:a', '128k'] : []),
        '-vf',
        'scale=trunc(iw/2)*2:trunc(ih/2)*2',
        '-t',
        String(durationMs / 1000),
        ...MP4,
      ],
      spanMs: durationMs,
      failure: 'SCREEN_UNAVAILABLE',
    },
    call,
  );
  const hasAudio = sound !== undefined;
  return { format: 'mp4', base64: data.toString('base64'), durationMs, fps, screenIndex, hasAudio };
}
