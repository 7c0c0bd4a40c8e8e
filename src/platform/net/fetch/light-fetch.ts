/**
 * `fetch` for many requests of one kind: a text is posted and the answer is read as it comes. It costs half of the
 * `fetch` of Node, whose streams stand between the socket and the reader three times, and loads nothing of it. What is
 * of another kind goes to that one.
 */
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { LightHeaders } from './light-headers.ts';
import { LightResponse } from './light-response.ts';

/** What is done with the answer while it is read. */
export interface LightFetchOptions {
  /** Sees each piece of the answer, unpacked; what it throws ends the answer. One for each answer. */
  watch(): (piece: Uint8Array) => void;
}

const CONNECT_MS = 10_000;
/** So much of an answer waits for its reader. */
const AHEAD_BYTES = 64 * 1024;
/** Without a body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Undefined: it is of another kind, or its server wants it sent somewhere else; nothing has become of it. */
export async function lightFetch(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
  { watch }: LightFetchOptions,
): Promise<Response | undefined> {
  const body = init?.body;
  if (init?.method !== 'POST' || typeof body !== 'string' || init.redirect !== undefined) return undefined;
  if (typeof input !== 'string' && !(input instanceof URL)) return undefined;
  const url = new URL(input);
  if (url.username || url.password || !/^https?:$/.test(url.protocol)) return undefined;
  init.signal?.throwIfAborted();
  const answer = await sent({ url, body, init });
  const status = answer.statusCode ?? 0;
  if (status >= 300 && status < 400 && answer.headers.location !== undefined) {
    answer.destroy();
    return undefined;
  }
  return responseOf(answer, { url, watch: watch(), signal: init.signal });
}

interface Sending {
  readonly url: URL;
  readonly body: string;
  readonly init: RequestInit;
}

/** Resolves with the head of the answer; rejects like `fetch`. */
function sent({ url, body, init: { headers, signal } }: Sending): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const begin = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = begin(url, {
    method: 'POST',
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip, deflate',
      ...Object.fromEntries(new LightHeaders(headers as ConstructorParameters<typeof LightHeaders>[0])),
      'content-length': Buffer.byteLength(body),
    },
  });
  const onAbort = (): void => void request.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', onAbort, { once: true });
  request.once('response', resolve);
  request.once('error', (error) =>
    reject(signal?.aborted ? (signal.reason as Error) : new TypeError('fetch failed', { cause: error })),
  );
  request.once('close', () => signal?.removeEventListener('abort', onAbort));
  limitConnecting(request);
  request.end(body);
  return promise;
}

/** Where nobody answers a system tries for minutes. */
function limitConnecting(request: ClientRequest): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const late = setTimeout(
      () => request.destroy(Object.assign(new Error('No connection was made in time.'), { code: 'ETIMEDOUT' })),
      CONNECT_MS,
    );
    const stop = (): void => clearTimeout(late);
    socket.once('connect', stop).once('close', stop);
  });
}

function responseOf(
  answer: IncomingMessage,
  read: {
    readonly url: URL;
    readonly watch: (piece: Uint8Array) => void;
    readonly signal?: AbortSignal | null | undefined;
  },
): Response {
  const status = answer.statusCode ?? 0;
  const headers = new LightHeaders();
  for (let at = 0; at < answer.rawHeaders.length; at += 2)
    headers.append(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!);
  if (EMPTY.has(status)) answer.resume();
  const body = EMPTY.has(status) ? null : streamOf(answer, read);
  const head = { status, statusText: answer.statusMessage ?? '', headers, url: read.url.href };
  return new LightResponse(body, head) as unknown as Response;
}

/** The body as the web has it, unpacked. An answer that breaks off fails like that of `fetch`. */
function streamOf(
  answer: IncomingMessage,
  { watch, signal }: { readonly watch: (piece: Uint8Array) => void; readonly signal?: AbortSignal | null | undefined },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const body = unpacked(answer);
  const state = { over: false };
  const end = (): void => {
    answer.destroy();
    body.destroy();
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        const fail = (error: unknown): void => {
          if (state.over) return;
          state.over = true;
          controller.error(error);
          end();
        };
        const broke = (cause?: unknown): void =>
          fail(signal?.aborted ? signal.reason : new TypeError('terminated', { cause }));
        body.on('data', (piece: Buffer<ArrayBuffer>) => {
          if (state.over) return;
          try {
            watch(piece);
          } catch (error) {
            return fail(error);
          }
          controller.enqueue(piece);
          if ((controller.desiredSize ?? 0) <= 0) body.pause();
        });
        body.once('end', () => {
          if (state.over) return;
          state.over = true;
          controller.close();
        });
        for (const part of new Set([answer, body])) part.on('error', broke);
        answer.once('close', () => {
          if (!answer.complete) broke(Object.assign(new Error('other side closed'), { code: 'ECONNRESET' }));
        });
      },
      pull: () => void body.resume(),
      cancel() {
        state.over = true;
        end();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: AHEAD_BYTES }),
  );
}

function unpacked(answer: IncomingMessage): Readable {
  const packing = answer.headers['content-encoding']?.trim().toLowerCase();
  if (packing === 'gzip' || packing === 'x-gzip') return answer.pipe(createGunzip());
  if (packing === 'deflate') return answer.pipe(createInflate());
  if (packing === 'br') return answer.pipe(createBrotliDecompress());
  return answer;
}
