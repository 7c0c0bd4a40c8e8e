/** Few descriptors: connections are closed before messages fail, the probe reports it, and everything recovers. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { connectGateway, type GatewayConnection } from '../../src/gateway/client.ts';
import { startFakeModels, type FakeModelServer } from '../../src/testing/fake-models/fake-model-server.ts';
import { withModel } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { compileCache } from '../../src/testing/compile-cache.ts';
import { built } from '../../src/testing/built.ts';

const MAIN = built('src/main.ts');

interface Limited extends AsyncDisposable {
  readonly port: number;
  readonly token: string;
  readonly models: FakeModelServer;
  readonly home: string;
}

/** The real process, allowed `limit` open files. */
async function startLimited(limit: number): Promise<Limited> {
  const home = await tempDir('descriptors');
  const models = await startFakeModels();
  const state = join(home.path, '.clawdbot');
  await mkdir(state);
  await writeFile(join(state, 'clawdbot.json'), JSON.stringify(withModel({}, models.url)));
  const child = spawn(
    '/bin/sh',
    ['-c', `ulimit -n ${limit}; exec "$0" "$1" gateway run --port 0`, process.execPath, MAIN],
    { env: { ...compileCache, HOME: home.path, PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (said: string) => void (printed += said));
  const ended = once(child, 'exit');
  const port = Number(
    await until(() => {
      assert.equal(child.exitCode, null, printed);
      return /web chat: http:\/\/127\.0\.0\.1:(\d+)\//.exec(printed)?.[1];
    }, 'the gateway'),
  );
  return {
    port,
    models,
    home: home.path,
    token: (await readFile(join(state, 'gateway.token'), 'utf8')).trim(),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      await models[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

const enter = ({ port, token }: Limited): Promise<GatewayConnection> =>
  connectGateway({ url: `ws://127.0.0.1:${port}`, token, timeoutMs: 5000 });

async function say(client: GatewayConnection, message: string, sessionKey = 'main'): Promise<string> {
  const runId = `${sessionKey}-${message}`;
  const ended = new Promise<string>((resolve) => {
    const stop = client.subscribe((frame) => {
      const { runId: run, state, message: said, errorMessage } = frame.payload as any;
      if (frame.event !== 'chat' || run !== runId || state === 'delta') return;
      stop();
      resolve(state === 'final' ? said?.content[0].text : `${state}: ${errorMessage}`);
    });
  });
  await client.call('chat.send', { sessionKey, message, idempotencyKey: runId });
  return ended;
}

const CLOSED_AT_ONCE: ReadonlySet<unknown> = new Set(['ECONNRESET', 'UND_ERR_SOCKET']);

/**
 * Asks until it is answered, as every monitor does: where all but two descriptors are in use, one opened file more may
 * leave none to accept a connection with, and that connection is closed at once.
 */
const probe = (gateway: Limited): Promise<{ status: number; body: any }> =>
  until(
    () =>
      probeOnce(gateway).catch((error: Error) => {
        if (!CLOSED_AT_ONCE.has((error.cause as NodeJS.ErrnoException | undefined)?.code)) throw error;
        return undefined;
      }),
    'an answer to the probe',
  );

async function probeOnce({ port }: Limited): Promise<{ status: number; body: any }> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(60_000),
  });
  return { status: answer.status, body: await answer.json() };
}

/** What a command of the product prints, run as a person runs it. */
async function clawdbot({ home, port }: Limited, command: string): Promise<string> {
  const child = spawn(process.execPath, [MAIN, command], {
    env: { ...compileCache, HOME: home, PATH: process.env['PATH'], CLAWDBOT_GATEWAY_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text(child.stdout);
}

interface Connections {
  readonly known: readonly GatewayConnection[];
  readonly turnedAway: readonly string[];
  leave(): Promise<void>;
}

/** Twice as many silent sockets as there may be files, and as many clients with the token. */
async function connectionsAt(gateway: Limited, limit: number): Promise<Connections> {
  const silent: Socket[] = [];
  for (let count = 0; count < limit * 2; count++) {
    const socket = connect(gateway.port, '127.0.0.1')
      .on('error', () => undefined)
      .resume();
    silent.push(socket);
    await once(socket, 'connect');
  }
  const known: GatewayConnection[] = [];
  const turnedAway: string[] = [];
  for (let count = 0; count < limit; count++)
    await enter(gateway).then(
      (one) => known.push(one),
      (error: Error) => turnedAway.push(error.message),
    );
  return {
    known,
    turnedAway,
    async leave() {
      for (const one of known) await one.close();
      for (const socket of silent) socket.destroy();
    },
  };
}

describe('a gateway that may open few files', {
  skip: process.platform === 'linux' ? false : 'the limit is read where Linux tells it',
}, () => {
  for (const limit of [40, 64, 100]) {
    it(`keeps every message with a limit of ${limit}, however many connections wait`, async (t) => {
      await using gateway = await startLimited(limit);
      await using client = await enter(gateway);
      assert.equal(await say(client, 'before'), 'ok');
      const finish = Promise.withResolvers<void>();
      gateway.models.reply({ text: ['late', ' words'], pause: finish.promise });
      const running = say(client, 'under way', 'agent:main:web:early');
      await until(() => gateway.models.requests.length === 2, 'the model is asked');

      const connections = await connectionsAt(gateway, limit);
      assert.ok(connections.known.length > 0 && connections.turnedAway.length > 0);
      assert.match(
        connections.turnedAway.join('\n'),
        /limit of open files allows no more connections.*raise the limit/,
      );
      const { status, body } = await probe(gateway);
      assert.equal(status, body.status === 'ready' ? 200 : 503);
      assert.equal(body.details.descriptors.limit, limit);
      assert.match(body.details.descriptors.problem, new RegExp(`of the ${limit} files and sockets.*raise the limit`));

      const toCome = Array.from({ length: 12 }, (_, index) => say(client, 'to come', `agent:main:web:s${index}`));
      finish.resolve();
      assert.equal(await running, 'late words');
      const answers = await Promise.all(toCome);
      t.diagnostic(
        `descriptors: of ${limit}, ${connections.known.length} known clients held beside ${body.details.descriptors.used - connections.known.length - 1} others; ${answers.filter((answer) => answer === 'ok').length + 1}/13 messages answered`,
      );
      assert.deepEqual(new Set(answers), new Set(['ok']));

      await connections.leave();
      await using late = await until(() => enter(gateway).catch(() => undefined), 'room for a client');
      assert.equal(await say(late, 'after'), 'ok');
      await until(async () => (await probe(gateway)).body.status === 'ready', 'a ready gateway');
    });
  }

  it('names its limit in status and doctor', async () => {
    await using gateway = await startLimited(64);
    assert.match(await clawdbot(gateway, 'status'), /trouble +\d+ of the 64 files and sockets this process may open/);
    assert.match(await clawdbot(gateway, 'doctor'), /warn +open files: \d+ of the 64 .*\n.*LimitNOFILE=/);
  });
});
