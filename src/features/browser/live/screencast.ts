/** Streams pictures of a tab while it has viewers: the next one is requested when the last one was consumed. */
import type { CDPSession } from 'playwright-core';
import type { Clock } from '../../../platform/clock.ts';
import { whenOver } from '../../../platform/settled.ts';
import { settlesWithin } from '../../../platform/timeout.ts';

/** One picture, as pages get it. */
export interface Frame {
  /** JPEG, base64. */
  readonly data: string;
  /** Of the window, in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

export interface Screencast {
  /** The newest; undefined: none came yet. */
  readonly last: Frame | undefined;
  stop(): void;
}

export interface ScreencastDeps {
  readonly cdp: CDPSession;
  readonly clock: Pick<Clock, 'setTimeout'>;
  /** Hands it on; the next one is made after it resolved. */
  show(frame: Frame): Promise<void>;
}

const SIZE = { maxWidth: 1280, maxHeight: 1280 } as const;
const QUALITY = 60;
/** Milliseconds between two pictures. */
const PACE_MS = 120;
/** Milliseconds whoever looks has to take one. */
const TAKE_MS = 5000;

export function startScreencast({ cdp, clock, show }: ScreencastDeps): Screencast {
  const state: { last?: Frame; stopped: boolean } = { stopped: false };
  const deliver = async (frame: Frame): Promise<void> => {
    state.last = frame;
    await settlesWithin(show(frame), TAKE_MS);
  };
  // Chromium sends no further one before the last is acknowledged: this is what keeps the pace.
  const came = ({ data, metadata, sessionId }: ScreencastFrame): void => {
    if (state.stopped) return;
    const acknowledge = (): void => void whenOver(cdp.send('Page.screencastFrameAck', { sessionId }));
    void deliver({ data, width: metadata.deviceWidth, height: metadata.deviceHeight }).then(() =>
      clock.setTimeout(acknowledge, PACE_MS).unref(),
    );
  };
  cdp.on('Page.screencastFrame', came);
  // A page that is gone ends all of this; there is nobody to tell.
  void whenOver(begin(cdp, deliver, () => state.last === undefined && !state.stopped));
  return {
    get last() {
      return state.last;
    },
    stop() {
      state.stopped = true;
      cdp.off('Page.screencastFrame', came);
      void whenOver(cdp.send('Page.stopScreencast'));
    },
  };
}

interface ScreencastFrame {
  readonly data: string;
  readonly metadata: { readonly deviceWidth: number; readonly deviceHeight: number };
  readonly sessionId: number;
}

/** A page at rest sends no frame by itself, so there is a first picture of it. */
async function begin(
  cdp: CDPSession,
  deliver: (frame: Frame) => Promise<void>,
  isNeeded: () => boolean,
): Promise<void> {
  await cdp.send('Page.startScreencast', { format: 'jpeg', quality: QUALITY, ...SIZE });
  const { cssLayoutViewport } = await cdp.send('Page.getLayoutMetrics');
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'jpeg', quality: QUALITY });
  const { clientWidth: width, clientHeight: height } = cssLayoutViewport;
  if (isNeeded()) await deliver({ data, width, height });
}
