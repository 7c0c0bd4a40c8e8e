/**
 * A server-sent event stream: opened with the first data, kept alive while the model thinks, and paused for slow
 * readers.
 */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../platform/clock.ts';

/** An answer that is sent piece by piece as server-sent events. */
export interface EventStream {
  /** Nothing was sent yet: an error can still become a status. */
  readonly opened: boolean;
  /** Text for `encodeText`; while the reader is slow, pieces are joined instead of piling up as frames. */
  text(delta: string): void;
  /** `lastFrames` is asked after all text is out, so that frames can be numbered in order. */
  end(lastFrames: () => string): void;
}

/** How an answer becomes events; `encodeText` frames text, `preamble` comes before all. */
export interface EventStreamOptions {
  readonly clock: Clock;
  readonly encodeText: (text: string) => string;
  /** Called once, before the first frame. */
  readonly preamble: () => string;
  readonly timing?: StreamTiming | undefined;
}

/** When a stream opens and how it is kept from being cut, in milliseconds. */
export interface StreamTiming {
  /** Silence before the stream opens without content, so that early failures still get their status. */
  readonly openAfterMs: number;
  readonly keepAliveMs: number;
}

const DEFAULT_TIMING: StreamTiming = { openAfterMs: 1_000, keepAliveMs: 10_000 };
/** Keep-alive periods a reader may stand still before it is cut off. */
const STALLED_LIMIT = 6;
/** Characters a reader may fall behind before it is cut off. */
const BACKLOG_LIMIT = 8_000_000;
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** Holds headers back until there is content, so that an early failure still has a status of its own. */
export function createEventStream(
  res: ServerResponse,
  { clock, encodeText, preamble, timing = DEFAULT_TIMING }: EventStreamOptions,
): EventStream {
  let opened = false;
  let blocked = false;
  let backlog = '';
  let burst = '';
  let idle = true;
  let stalledFor = 0;
  const { socket } = res;

  const opener = clock.setTimeout(() => open(), timing.openAfterMs);
  const heartbeat = clock.setInterval(() => {
    stalledFor = blocked ? stalledFor + 1 : 0;
    if (stalledFor >= STALLED_LIMIT) res.destroy();
    else if (opened && idle && !blocked) push(': still working\n\n');
    idle = true;
  }, timing.keepAliveMs);
  socket?.on('drain', resume);
  res.once('close', () => {
    opener.cancel();
    heartbeat.cancel();
    socket?.off('drain', resume);
  });

  function resume(): void {
    blocked = false;
    flush();
  }
  function open(): void {
    if (opened || res.destroyed || res.headersSent) return;
    opened = true;
    opener.cancel();
    res.writeHead(200, HEADERS);
    push(preamble());
  }
  function push(frame: string): void {
    idle = false;
    if (burst === '') process.nextTick(sendBurst);
    burst += frame;
  }
  /** Frames of one tick leave in one write. (`cork` on a response loses writes that come before `end`.) */
  function sendBurst(): void {
    if (burst === '' || res.destroyed || res.writableEnded) return;
    res.write(burst);
    burst = '';
    blocked = socket?.writableNeedDrain ?? false;
  }
  function flush(): void {
    if (!backlog) return;
    const text = backlog;
    backlog = '';
    push(encodeText(text));
  }

  return {
    get opened() {
      return opened;
    },
    text(delta) {
      open();
      if (!blocked) return push(encodeText(delta));
      backlog += delta;
      if (backlog.length > BACKLOG_LIMIT) res.destroy();
    },
    end(lastFrames) {
      open();
      flush();
      push(lastFrames());
      sendBurst();
      res.end();
    },
  };
}
