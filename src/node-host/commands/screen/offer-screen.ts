/** `screen.record`: the screen of this machine (X11, or Wayland by its portal and PipeWire), through ffmpeg. */
import { z } from 'zod';
import { findFfmpeg, MP4, record, soundInput } from '../../ffmpeg.ts';
import { NodeError, nothing, type NodeCall, type NodeMachine, type Offer } from '../../offer.ts';
import { readParams } from '../../read-params.ts';
import { missingReader, readStream } from './pipewire.ts';
import { missingPortal, shareScreen } from './portal.ts';

const COMMAND = 'screen.record';
const params = z.looseObject({
  durationMs: z.number().min(250).max(60_000).nullish(),
  fps: z.number().min(1).max(60).nullish(),
  screenIndex: z.number().int().min(0).max(16).nullish(),
  includeAudio: z.boolean().nullish(),
});

/** The person has what the recording and its way back leave of the time of the call. */
const AFTER_ANSWER_MS = 10_000;
const MIN_ANSWER_MS = 50;

const DISPLAY = /^[\w.-]*:\d{1,3}(?:\.\d{1,2})?$/;

export async function offerScreen(machine: NodeMachine): Promise<Offer> {
  const no = (why: string): Offer => nothing('screen', [COMMAND], why);
  const { settings } = machine;
  if (settings.screen === false)
    return no('SCREEN_DISABLED: the screen is not switched on at the node (`node install --screen`)');
  const ffmpeg = await findFfmpeg(machine);
  if (ffmpeg === undefined) return no('SCREEN_UNAVAILABLE: ffmpeg is not installed on the node');
  const source = settings.screen === 'test' ? testPicture : await sourceOf(machine);
  if (typeof source === 'string') return no(`SCREEN_UNAVAILABLE: ${source}`);
  const at = { ffmpeg, machine, source };
  return {
    cap: 'screen',
    commands: { [COMMAND]: (given, call) => recordScreen(readParams(params, given), call, at) },
    unavailable: {},
    permissions: { screen: true, screenRecording: true },
  };
}

interface Wanted {
  readonly durationMs: number;
  readonly fps: number;
  readonly screenIndex: number;
}

/** What ffmpeg reads; disposed of when it has read enough. */
interface Input extends Partial<AsyncDisposable> {
  readonly args: readonly string[];
  readonly feeder?: readonly string[];
  readonly isSilent?: boolean;
}

type Source = (wanted: Wanted, call: NodeCall) => Promise<Input>;

const testPicture: Source = async ({ fps, screenIndex }) => {
  onlyScreen(screenIndex, `there is no screen ${screenIndex}`);
  return { args: ['-f', 'lavfi', '-i', `testsrc=size=640x360:rate=${fps}`], isSilent: true };
};

function onlyScreen(screenIndex: number, otherwise: string): void {
  if (screenIndex > 0) throw new NodeError('INVALID_REQUEST', `screenIndex: ${otherwise}`);
}

/** The screen this machine has; a text: why it has none. Under Wayland an X server shows its own windows alone. */
async function sourceOf(machine: NodeMachine): Promise<Source | string> {
  const { env } = machine;
  if (env.get('WAYLAND_DISPLAY')) {
    const missing = (await missingPortal(machine)) ?? (await missingReader(machine));
    return missing === undefined ? portalScreen(machine) : `the node runs Wayland, and ${missing}`;
  }
  const display = env.get('DISPLAY');
  if (display === undefined) return 'the node has no screen (DISPLAY is not set)';
  if (!DISPLAY.test(display)) return 'DISPLAY names no screen';
  return async ({ fps, screenIndex }) => ({
    args: ['-f', 'x11grab', '-framerate', String(fps), '-i', `${display.replace(/\.\d+$/, '')}.${screenIndex}`],
  });
}

const portalScreen =
  (machine: NodeMachine): Source =>
  async ({ durationMs, fps, screenIndex }, call) => {
    onlyScreen(screenIndex, 'which screen is recorded is chosen by the person at the node');
    const answerMs = Math.max(MIN_ANSWER_MS, call.timeoutMs - durationMs - AFTER_ANSWER_MS);
    const shared = await shareScreen(machine, call, answerMs);
    const feeder = readStream(shared.stream, fps);
    const args = ['-f', 'yuv4mpegpipe', '-i', 'pipe:0'];
    return { args, feeder, [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose]() };
  };

interface Screen {
  readonly ffmpeg: string;
  readonly machine: NodeMachine;
  readonly source: Source;
}

async function recordScreen(given: z.output<typeof params>, call: NodeCall, at: Screen): Promise<unknown> {
  const { ffmpeg, machine } = at;
  const wanted = {
    durationMs: given.durationMs ?? 10_000,
    fps: given.fps ?? 10,
    screenIndex: given.screenIndex ?? 0,
  };
  const input = await at.source(wanted, call);
  try {
    const wantsSound = given.includeAudio !== false && !input.isSilent;
    const sound = wantsSound ? await soundInput(machine) : undefined;
    const { data, durationMs } = await record(
      {
        ffmpeg,
        machine,
        feeder: input.feeder,
        args: [
          ...input.args,
          ...(sound ? [...sound, '-c:a', 'aac', '-b:a', '128k'] : []),
          '-vf',
          'scale=trunc(iw/2)*2:trunc(ih/2)*2',
          '-t',
          String(wanted.durationMs / 1000),
          ...MP4,
        ],
        spanMs: wanted.durationMs,
        failure: 'SCREEN_UNAVAILABLE',
      },
      call,
    );
    return { format: 'mp4', base64: data.toString('base64'), ...wanted, durationMs, hasAudio: sound !== undefined };
  } finally {
    await input[Symbol.asyncDispose]?.();
  }
}
