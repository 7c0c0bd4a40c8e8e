/** All media vendors in one server on 127.0.0.1, distinguished by path: records requests, and fails on request. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicPictures } from '../../providers/anthropic/fake.ts';
import { deepgramListen } from '../../providers/deepgram/fake.ts';
import { geminiMedia } from '../../providers/google/fake.ts';
import { minimaxPictures } from '../../providers/minimax/fake.ts';
import { openaiChatPictures } from '../../providers/openai-compatible/fake.ts';
import { openaiPictures, openaiTranscriptions } from '../../providers/openai/fake.ts';
import type { FakeMediaReply, FakeMediaWire } from './wire.ts';

const WIRES: readonly FakeMediaWire[] = [
  openaiTranscriptions,
  openaiPictures,
  openaiChatPictures,
  anthropicPictures,
  geminiMedia,
  deepgramListen,
  minimaxPictures,
];

export interface RecordedMedia {
  readonly method: string;
  /** With its query, as sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** JSON read; a form as its fields, a file in it as `{ name, type, base64 }`; other bytes as base64. */
  readonly body: any;
  /** Resolves when the client closes the connection before the answer ended. */
  readonly dropped: Promise<void>;
}

export interface FakeMediaServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`; put the vendor's path behind it. */
  readonly url: string;
  /** In order of arrival. */
  readonly requests: readonly RecordedMedia[];
  /** The next request, when it is there. */
  arrived(): Promise<RecordedMedia>;
  /** Queues replies; when the queue is empty the answer is "ok". */
  reply(...replies: readonly FakeMediaReply[]): void;
}

export async function startFakeMedia(): Promise<FakeMediaServer> {
  const requests: RecordedMedia[] = [];
  const queue: FakeMediaReply[] = [];
  const waiting: ((request: RecordedMedia) => void)[] = [];
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/';
    const dropped = new Promise<void>((resolve) =>
      response.on('close', () => {
        if (!response.writableFinished) resolve();
      }),
    );
    const recorded: RecordedMedia = {
      method: request.method ?? '',
      path,
      headers: request.headers,
      body: await bodyOf(request),
      dropped,
    };
    requests.push(recorded);
    waiting.splice(0).forEach((notify) => notify(recorded));
    const wire = WIRES.find((one) => one.matches(path.split('?')[0]!));
    if (!wire || request.method !== 'POST')
      return send(response, 404, JSON.stringify({ error: { message: `no such path: ${path}` } }));
    act(queue.shift() ?? { text: 'ok' }, wire, response);
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    arrived: () => new Promise((resolve) => waiting.push(resolve)),
    reply: (...replies) => void queue.push(...replies),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function act(reply: FakeMediaReply, wire: FakeMediaWire, response: ServerResponse): void {
  if ('text' in reply) return send(response, 200, JSON.stringify(wire.answer(reply.text)));
  if ('json' in reply) return send(response, 200, JSON.stringify(reply.json), reply.headers);
  if ('status' in reply)
    return send(response, reply.status, reply.body ?? JSON.stringify(wire.error(reply.status)), reply.headers);
  if ('raw' in reply) return send(response, 200, reply.raw, { 'content-type': 'text/html; charset=utf-8' });
  response.writeHead(200, { 'content-type': 'application/json' });
  if ('endless' in reply) return pour(response);
  if ('cut' in reply) return void response.write('{"', () => response.socket?.resetAndDestroy());
  if (reply.begun) response.write(reply.begun);
  else response.flushHeaders();
}

/** Writes while somebody reads. */
function pour(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, ' ');
  const more = (): void => {
    if (!response.destroyed) response.write(piece, () => setImmediate(more));
  };
  more();
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('application/json')) return JSON.parse(bytes.toString('utf8'));
  if (!type.startsWith('multipart/form-data')) return bytes.toString('base64');
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  return Object.fromEntries(
    await Promise.all(
      [...form].map(async ([name, value]) => [name, typeof value === 'string' ? value : await fileFacts(value)]),
    ),
  );
}

const fileFacts = async (file: File): Promise<object> => ({
  name: file.name,
  type: file.type,
  base64: Buffer.from(await file.arrayBuffer()).toString('base64'),
});
