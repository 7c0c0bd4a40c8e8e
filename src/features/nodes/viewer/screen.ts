/** `screen.*`: records the shared screen while the person shares it. */
import { close } from './camera.ts';
import type { Work } from './work.ts';
import { NodeError } from './node-error.ts';
import { numberOf } from './params.ts';
import { picture, record } from './recording.ts';

/** The screen that is shared with this page, once a person has started sharing. */
export interface ScreenShare {
  readonly active: boolean;
  /** Asks the person what to share; only after a click. `ended`: called once when they stop sharing. */
  begin(ended: () => void): Promise<void>;
  end(): void;
  readonly record: Work;
  readonly snapshot: Work;
}

export function createScreenShare(): ScreenShare {
  const now: { stream?: MediaStream } = {};
  const shared = (): MediaStream => {
    if (now.stream?.active) return now.stream;
    throw new NodeError('SCREEN_PERMISSION_REQUIRED', 'nobody shares a screen on this page now');
  };
  return {
    get active() {
      return now.stream?.active === true;
    },
    async begin(ended) {
      const stream = await navigator.mediaDevices.getDisplayMedia({ video: true, audio: true });
      now.stream = stream;
      stream.getVideoTracks()[0]?.addEventListener('ended', () => {
        if (now.stream !== stream) return;
        close(stream);
        delete now.stream;
        ended();
      });
    },
    end() {
      if (now.stream) close(now.stream);
      delete now.stream;
    },
    record: async (params, { signal }) => {
      const stream = shared();
      const durationMs = numberOf(params['durationMs'], 10_000, [250, 60_000]);
      const hasAudio = params['includeAudio'] !== false && stream.getAudioTracks().length > 0;
      const tracks = hasAudio ? stream.getTracks() : stream.getVideoTracks();
      const recorded = await record(new MediaStream(tracks), 'video', { durationMs, signal });
      return { ...recorded, screenIndex: 0, hasAudio };
    },
    snapshot: async (params, { signal }) =>
      picture(shared(), {
        maxWidth: numberOf(params['maxWidth'], 1600, [16, 8192]),
        quality: numberOf(params['quality'], 0.9, [0.05, 1]),
        delayMs: 100,
        signal,
      }),
  };
}
