/** A model vendor on 127.0.0.1: the streaming protocols of OpenAI, Anthropic and Google, with failures on request. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicMessages } from '../../providers/anthropic/fake.ts';
import { googleGenerativeAi } from '../../providers/google/fake.ts';
import { openaiCompletions } from '../../providers/openai-compatible/fake.ts';
import { openaiResponses } from '../../providers/openai/fake.ts';
import type { FakeAnswer, FakeReply, SeenRequest, Wire } from './wire.ts';

const WIRES: readonly Wire[] = [openaiCompletions, openaiResponses, anthropicMessages, googleGenerativeAi];

export interface RecordedRequest extends SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: any;
  /** Resolves when the client closes the connection before the answer ended. */
  readonly dropped: Promise<void>;
}

export interface FakeModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`; put the vendor's path behind it. */
  readonly url: string;
  /** In order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Queues replies; when the queue is empty the answer is `otherwise`. */
  reply(...replies: readonly FakeReply[]): void;
  /** Decides by what was asked, for conversations that go side by side. "ok" at first. */
  otherwise(decide: (request: RecordedRequest) => FakeReply): void;
}

/** `plain`: answers to GET requests by path, for what a vendor serves beside the model. */
export async function startFakeModels(plain: Readonly<Record<string, unknown>> = {}): Promise<FakeModelServer> {
  const requests: RecordedRequest[] = [];
  const queue: FakeReply[] = [];
  const state: { otherwise(request: RecordedRequest): FakeReply } = { otherwise: () => ({ text: ['ok'] }) };
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0]!;
    if (request.method === 'GET') return sendJson(response, path in plain ? 200 : 404, plain[path] ?? {});
    const body: unknown = JSON.parse(await textOf(request));
    const wire = WIRES.find((one) => one.matches(path));
    if (!wire) return sendJson(response, 404, { error: { message: `no such path: ${path}` } });
    const dropped = new Promise<void>((resolve) =>
      response.on('close', () => {
        if (!response.writableFinished) resolve();
      }),
    );
    const seen = { ...wire.read(body), path: request.url ?? '/', headers: request.headers, body, dropped };
    requests.push(seen);
    await act(queue.shift() ?? state.otherwise(seen), wire, response);
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reply: (...replies) => void queue.push(...replies),
    otherwise: (decide) => void (state.otherwise = decide),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function act(reply: FakeReply, wire: Wire, response: ServerResponse): Promise<void> {
  if ('error' in reply) {
    const { status, body } = wire.error(reply.error);
    return sendJson(response, status, body, reply.headers);
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  if ('silent' in reply) return void response.end();
  if ('garbage' in reply) return void response.end(reply.garbage);
  if ('errorInStream' in reply) {
    await write(response, reply.text ? wire.frames({ text: reply.text }).open : wire.frames({}).open.slice(0, 1));
    return void response.end(wire.errorInStream());
  }
  if ('cut' in reply || 'hang' in reply) {
    response.flushHeaders();
    await write(response, unfinished(wire, reply.text ?? []));
    if ('hang' in reply) return;
    return void (reply.cut === 'reset' ? response.socket?.resetAndDestroy() : response.end());
  }
  const { pause, ...answer } = reply as FakeAnswer;
  const { open, close } = wire.frames(answer);
  const before = pause ? unfinished(wire, answer.text?.slice(0, -1) ?? []).length : 0;
  await write(response, open.slice(0, before));
  await pause;
  await write(response, [...open.slice(before), ...close]);
  response.end();
}

/** The frames up to the last delta of the text: what a model has said so far. */
function unfinished(wire: Wire, text: readonly string[]): readonly string[] {
  if (text.length === 0) return [];
  const { open } = wire.frames({ text });
  const last = JSON.stringify(text.at(-1));
  return open.slice(
    0,
    open.findIndex((frame) =>
      frame.includes('delta') || frame.includes('candidates') ? frame.includes(last) : false,
    ) + 1,
  );
}

async function write(response: ServerResponse, frames: readonly string[]): Promise<void> {
  for (const frame of frames) await new Promise<void>((resolve) => response.write(frame, () => resolve()));
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
