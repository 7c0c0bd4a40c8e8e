// Model servers that never stop: each answer ends with what arrived and a notice, and the next message is answered.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, before, test, type TestContext } from 'node:test';
import { constants, deflateRawSync } from 'node:zlib';
import { startGateway, type Chat, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

type Write = (text: string | Uint8Array) => Promise<void>;
interface Hostile {
  readonly gzip?: boolean;
  readonly status?: number;
  say(write: Write): Promise<void>;
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const PIECE = 'lorem ipsum dolor sit amet\n'.repeat(3).slice(0, 64);
const forEver = async (write: Write, piece: string | Uint8Array): Promise<void> => {
  for (;;) await write(piece);
};

/** How a gzip stream begins, and a piece of it: one that refers to nothing before, so that it is packed once. */
const GZIP = Buffer.from('1f8b08000000000000ff', 'hex');
const packed = (text: string): Buffer => deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH });

const HOSTILE: Readonly<Record<string, Hostile>> = {
  'ten megabytes in small pieces': {
    async say(write) {
      for (let at = 0; at < 10 * 1024 * 1024; at += PIECE.length) await write(chunk({ content: PIECE }));
      await write(`${chunk({}, 'stop')}data: [DONE]\n\n`);
    },
  },
  'text without an end': { say: (write) => forEver(write, chunk({ content: PIECE.repeat(16) })) },
  'white space without an end': { say: (write) => forEver(write, chunk({ content: ' '.repeat(1024) })) },
  'lines without an end': { say: (write) => forEver(write, chunk({ content: '\n'.repeat(1024) })) },
  'thinking without an end': { say: (write) => forEver(write, chunk({ reasoning_content: PIECE.repeat(16) })) },
  'a call without an end': {
    async say(write) {
      await write(
        chunk({
          tool_calls: [{ index: 0, id: 'x', type: 'function', function: { name: 'read', arguments: '{"path":"' } }],
        }),
      );
      await forEver(
        write,
        chunk({ tool_calls: [{ index: 0, function: { arguments: PIECE.replaceAll('\n', ' ').repeat(16) } }] }),
      );
    },
  },
  'a line without an end': {
    async say(write) {
      await write(chunk({ content: 'so' }));
      await forEver(write, `data: ${'a'.repeat(65_536)}`);
    },
  },
  'a packed line without an end': {
    gzip: true,
    async say(write) {
      await write(packed(chunk({ content: 'so' })));
      await forEver(write, packed('a'.repeat(1 << 20)));
    },
  },
  'packed nothing without an end': {
    gzip: true,
    async say(write) {
      await write(packed(chunk({ content: 'so' })));
      await forEver(write, packed(': \n'.repeat(1 << 18)));
    },
  },
  'an error without an end': { status: 400, say: (write) => forEver(write, '{"error":'.repeat(7000)) },
};

/** What the conversation that is served now does. */
const now: { hostile?: Hostile | undefined } = {};
const server = createServer((request, response) => {
  request.resume().on('end', () => void answer(response, now.hostile).catch(() => response.destroy()));
});

async function answer(response: ServerResponse, hostile: Hostile | undefined): Promise<void> {
  const {
    gzip = false,
    status = 200,
    say = async (write: Write) => write(`${chunk({ content: 'fine' })}${chunk({}, 'stop')}data: [DONE]\n\n`),
  } = hostile ?? {};
  response.writeHead(status, {
    'content-type': status === 200 ? 'text/event-stream' : 'application/json',
    ...(gzip ? { 'content-encoding': 'gzip' } : {}),
  });
  const gone = new Promise<never>((_resolve, reject) => response.once('close', () => reject(new Error('gone'))));
  gone.catch(() => undefined);
  if (gzip) response.write(GZIP);
  await say(async (text) => {
    if (!response.write(text)) await Promise.race([once(response, 'drain'), gone]);
    else if (response.destroyed) throw new Error('gone');
  });
  response.end();
}

let gateway: RunningGateway;
let chat: Chat;
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  gateway = await gatewayWith({});
  chat = await gateway.connect();
});

function gatewayWith(defaults: { readonly timeoutSeconds?: number }): Promise<RunningGateway> {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const models = [{ id: 'model', contextWindow: 200_000 }];
  return startGateway({
    offline: true,
    config: {
      models: { providers: { fake: { baseUrl, apiKey: 'k', api: 'openai-completions', models } } },
      agents: { defaults: { model: 'fake/model', ...defaults } },
    },
  });
}
after(async () => {
  await gateway[Symbol.asyncDispose]();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function played(t: TestContext, name: string): Promise<void> {
  now.hostile = HOSTILE[name];
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const from = chat.events.length;
  const session = name.replaceAll(' ', '-');
  const end = await (await chat.send('go on', { session })).ended;
  const { state, text } = end;
  delay.disable();
  const characters = chat.events.slice(from).reduce((sum, frame) => sum + JSON.stringify(frame).length, 0);
  t.diagnostic(
    `hostile answers: ${name}: ${(characters / 1e6).toFixed(1)} MB told, the event loop stood still for ${Math.round(delay.max / 1e6)} ms at most`,
  );
  if (state === 'final') {
    assert.match(text, /\n\n⚠️ The answer was stopped here: [^\n]+\.$|^⚠️ The answer was stopped here: [^\n]+\.$/);
    assert.ok(text.length < 2_001_000, String(text.length));
    assert.equal((await chat.history(session)).at(-1)?.text, text, 'the history says the same');
  } else assert.match(String(end.payload.errorMessage), /sent (?:a line of )?more than/);
  assert.ok(characters < 60e6, `${characters} characters of frames`);
  now.hostile = undefined;
  assert.equal(await chat.say('and now?', { session: `${session}-after` }), 'fine');
}

for (const name of Object.keys(HOSTILE)) test(name, (t) => played(t, name));

test('an answer that goes on until the time of its turn is up ends with what there is and a sentence', async () => {
  await using hurried = await gatewayWith({ timeoutSeconds: 1 });
  const hurriedChat = await hurried.connect();
  now.hostile = {
    async say(write) {
      await write(chunk({ content: 'as far as this' }));
      await new Promise(() => undefined);
    },
  };
  const { state, text, payload } = await (await hurriedChat.send('go on')).ended;
  const sentence = 'The turn took longer than 1 s and was stopped.';
  assert.deepEqual([state, text, payload.errorMessage], ['error', 'as far as this', sentence]);
  // The notice is delivered after the turn has ended, as every message is.
  const history = await until(async () => {
    const texts = (await hurriedChat.history()).map((message) => message.text);
    return texts.length > 2 && texts;
  });
  assert.deepEqual(history, ['go on', 'as far as this', `⚠️ ${sentence}`]);
});
