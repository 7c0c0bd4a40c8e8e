/** A stream of PipeWire as raw pictures on standard output, through GStreamer: ffmpeg cannot read one itself. */
import { childEnv } from '../../../platform/child-env.ts';
import { exec, findProgram } from '../../../platform/exec.ts';
import type { NodeMachine } from '../../offer.ts';

/** A still screen sends no pictures, so the last one comes again. */
const STILL_MS = 100;
/** The first run reads every plugin there is. */
const INSPECT_MS = 20_000;
const ELEMENTS = ['pipewiresrc', 'videoconvert', 'videorate', 'y4menc'];
const INSTALL = 'install gstreamer1.0-tools, gstreamer1.0-plugins-good and gstreamer1.0-pipewire';

/** Why it cannot be read; undefined: it can. */
export async function missingReader({ env }: NodeMachine): Promise<string | undefined> {
  const paths = env.vars['PATH'];
  const inspect = await findProgram('gst-inspect-1.0', paths);
  if (inspect === undefined || (await findProgram('gst-launch-1.0', paths)) === undefined)
    return `GStreamer is not installed (${INSTALL})`;
  for (const element of ELEMENTS) {
    const inspection = await exec({
      command: inspect,
      // Without a version it wants that of GStreamer, which the plugin of PipeWire does not have.
      args: ['--exists', '--atleast-version=0.0', element],
      env: childEnv(env.vars),
      timeoutMs: INSPECT_MS,
      maxOutputBytes: 64 * 1024,
      signal: AbortSignal.timeout(INSPECT_MS),
    });
    if (inspection.kind !== 'exited' || inspection.code !== 0) return `GStreamer has no ${element} (${INSTALL})`;
  }
  return undefined;
}

/** The program that writes the stream as Y4M, and ends when nobody reads any more. */
export function readStream(stream: number, fps: number): readonly string[] {
  const source = ['pipewiresrc', `path=${stream}`, 'do-timestamp=true', `keepalive-time=${STILL_MS}`];
  const steady = ['videoconvert', '!', 'videorate', '!', `video/x-raw,format=I420,framerate=${Math.round(fps)}/1`];
  return ['gst-launch-1.0', '-q', ...source, '!', ...steady, '!', 'y4menc', '!', 'fdsink', 'fd=1'];
}
