/** Reads the server-sent events of one connection until it ends; the caller reconnects. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { AppError } from '../core/errors.ts';
import { orAborted } from '../platform/timeout.ts';
import { neverSent } from './never-sent.ts';

/** Where to connect, and what to do with what comes. Times in milliseconds. */
export interface EventStreamRequest {
  /** What the service is called in errors. */
  readonly service: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly connectMs: number;
  /** Without a byte for this long the connection counts as dead. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  onOpen(): void;
  /** Anything came, be it a comment. */
  onAlive(): void;
  onEvent(event: EventSourceMessage): void;
}

/** Of one event. */
const MAX_EVENT_CHARS = 8 * 1024 * 1024;

/**
 * Reads until the connection ends: resolves when the service ended it, rejects with `unavailable`, `network`, `timeout`
 * or `bad_response` where it could not be opened or broke, `aborted` once `signal` fires.
 */
export async function readEventStream(request: EventStreamRequest): Promise<void> {
  const { service, signal, onAlive } = request;
  const stop = new AbortController();
  const all = AbortSignal.any([signal, stop.signal]);
  const state = { late: false };
  const give = (): void => {
    state.late = true;
    stop.abort();
  };
  let timer = setTimeout(give, request.connectMs);
  try {
    const response = await orAborted(
      fetch(request.url, { headers: headersOf(request), redirect: 'error', signal: all }),
      all,
    );
    if (response.status !== 200 || !response.body) {
      await response.body?.cancel();
      throw new AppError('bad_response', `${service} answered the request for its events with ${response.status}.`);
    }
    request.onOpen();
    const onError = ({ type }: { readonly type: string }): void => {
      if (type === 'max-buffer-size-exceeded') stop.abort();
    };
    const parser = createParser({ onEvent: request.onEvent, maxBufferSize: MAX_EVENT_CHARS, onError });
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      clearTimeout(timer);
      timer = setTimeout(give, request.idleMs);
      onAlive();
      parser.feed(decoder.decode(chunk, { stream: true }));
    }
  } catch (error) {
    throw broken(service, error, { signal, late: state.late });
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

const headersOf = ({ headers = {} }: EventStreamRequest): Record<string, string> => ({
  accept: 'text/event-stream',
  'cache-control': 'no-cache',
  ...headers,
});

function broken(
  service: string,
  error: unknown,
  { signal, late }: { readonly signal: AbortSignal; readonly late: boolean },
): AppError {
  if (signal.aborted) return new AppError('aborted', `The events of ${service} are not read any more.`);
  if (late) return new AppError('timeout', `${service} has sent nothing for too long.`);
  if (error instanceof AppError) return error;
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return neverSent(cause?.code)
    ? new AppError('unavailable', `${service} cannot be reached (${cause!.code as string}).`)
    : new AppError('network', `The connection for the events of ${service} broke.`, { cause: error });
}
