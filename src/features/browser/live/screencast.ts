/** Streams pictures of a tab while it has viewers: the next one is requested when the last one was consumed. */
import type { CDPSession } from 'playwright-core';
import type { Clock } from '../../../platform/clock.ts';
import { whenOver } from '../../../platform/settled.ts';
import { settlesWithin } from '../../../platform/timeout.ts';

/** One picture, as pages receive it. */
export interface Frame {
  /** JPEG, base64. */
  readonly data: string;
  /** Of the window, in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

export interface Screencast {
  /** The newest picture; undefined: there is none yet. */
  readonly last: Frame | undefined;
  stop(): void;
}

export interface ScreencastDeps {
  readonly cdp: CDPSession;
  readonly clock: Pick<Clock, 'setTimeout'>;
  /** Delivers a picture; the next one is requested after this resolves. */
  show(frame: Frame): Promise<void>;
}

const SIZE = { maxWidth: 1280, maxHeight: 1280 } as const;
const QUALITY = 60;
/** The minimum interval between two pictures, in milliseconds. */
const PACE_MS = 120;
/** Milliseconds in which a viewer must consume a picture. */
const TAKE_MS = 5000;

export function startScreencast({ cdp, clock, show }: ScreencastDeps): Screencast {
  const state: { last?: Frame; stopped: boolean } = { stopped: false };
  const deliver = async (frame: Frame): Promise<void> => {
    state.last = frame;
    await settlesWithin(show(frame), TAKE_MS);
  };
  // Chromium sends the next frame only after the last one is acknowledged, which limits the rate.
  const came = ({ data, metadata, sessionId }: ScreencastFrame): void => {
    if (state.stopped) return;
    const acknowledge = (): void => void whenOver(cdp.send('Page.screencastFrameAck', { sessionId }));
    void deliver({ data, width: metadata.deviceWidth, height: metadata.deviceHeight }).then(() =>
      clock.setTimeout(acknowledge, PACE_MS).unref(),
    );
  };
  cdp.on('Page.screencastFrame', came);
  // Fails only if the page was closed; viewers are notified of that separately.
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

/** A static page sends no frames, so a first picture is taken explicitly. */
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
