// A disk whose syncs take seconds delays only what waits for the disk.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectGateway } from '../../src/gateway/client.ts';
import { findProgram } from '../../src/platform/find-program.ts';
import type { EventFrame } from '../../src/protocol/frames.ts';
import { withModel } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { whyNotTraced } from '../security/commands/tracer.ts';
import { compileCache } from '../../src/testing/compile-cache.ts';
import { built } from '../../src/testing/built.ts';

const strace = await findProgram('strace', process.env['PATH']);
const skip = await whyNotTraced(strace);
const SYNC_SECONDS = 2;

/** A model that says what it is told to, while it answers. */
async function startTalker() {
  const answers: ServerResponse[] = [];
  const asked = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      answers.push(response);
      asked.resolve();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: asked.promise,
    say: (content: string): unknown =>
      answers[0]!.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content } }] })}\n\n`,
      ),
    finish(content: string): void {
      this.say(content);
      answers[0]!.end(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
      );
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function startProcess(home: string, before: readonly string[] = []) {
  const [program = '', ...words] = [...before, process.execPath];
  const child = spawn(program, [...words, built('src/main.ts'), 'gateway', 'run', '--port', '0'], {
    env: { ...compileCache, HOME: home, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const found = Promise.withResolvers<number>();
  child.stdout.on('data', (data: Buffer) => {
    text += data;
    const port = /web chat: http:\/\/127\.0\.0\.1:(\d+)\/ /.exec(text)?.[1];
    if (port !== undefined) found.resolve(Number(port));
  });
  const ended = once(child, 'exit').then(() => found.reject(new Error(`It ended: ${text}`)));
  const port = await found.promise;
  return {
    child,
    ended,
    port,
    pid: child.pid!,
    token: (await readFile(join(home, '.clawdbot', 'gateway.token'), 'utf8')).trim(),
    async [Symbol.asyncDispose]() {
      // What a tracer started outlives it, and would keep the output of whoever ran the tests open.
      const traced = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).trim();
      child.kill('SIGKILL');
      await ended;
      if (before.length > 0) for (const pid of traced.split(' ')) process.kill(Number(pid), 'SIGKILL');
    },
  };
}

/** From now on every sync of the process takes that long. */
async function slowDown(pid: number) {
  const delay = `inject=fsync,fdatasync:delay_enter=${SYNC_SECONDS}s`;
  const tracer = spawn(
    strace!,
    ['-f', '-e', 'trace=fsync,fdatasync', '-e', delay, '-e', 'signal=none', '-o', '/dev/null', '-p', String(pid)],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(tracer, 'exit');
  await new Promise<void>((resolve, reject) => {
    let said = '';
    tracer.stderr.on('data', (data: Buffer) => {
      said += data;
      if (said.includes('attached')) resolve();
    });
    void ended.then(() => reject(new Error(said)));
  });
  return {
    async [Symbol.asyncDispose]() {
      tracer.kill('SIGINT');
      await ended;
    },
  };
}

test('while a sync takes seconds, pages, health, streams and stops are served', { skip }, async (t) => {
  await using home = await tempDir('slow-disk');
  await using model = await startTalker();
  await mkdir(join(home.path, '.clawdbot'));
  await writeFile(join(home.path, '.clawdbot', 'clawdbot.json'), JSON.stringify(withModel({}, model.url)));
  await using gateway = await startProcess(home.path);
  const url = `http://127.0.0.1:${gateway.port}`;
  await using client = await connectGateway({ url: url.replace('http', 'ws'), token: gateway.token });
  const frames: EventFrame[] = [];
  const seen = new EventTarget();
  client.subscribe((frame) => {
    frames.push(frame);
    seen.dispatchEvent(new Event('frame'));
  });
  const chat = async (fits: (payload: any) => boolean): Promise<void> => {
    while (!frames.some(({ event, payload }) => event === 'chat' && fits(payload))) await once(seen, 'frame');
  };

  await client.call('chat.send', { sessionKey: 'main', message: 'talk', idempotencyKey: 'talk' });
  await model.asked;
  model.say('one ');
  await chat(({ runId, state }) => runId === 'talk' && state === 'delta');
  await using _slow = await slowDown(gateway.pid);

  const order: string[] = [];
  const accepted = client
    .call('chat.send', { sessionKey: 'other', message: 'kept', idempotencyKey: 'kept' })
    .then(() => void order.push('accepted'));
  const timed = async (name: string, serve: () => Promise<unknown>): Promise<void> => {
    const before = performance.now();
    await serve();
    order.push(name);
    t.diagnostic(`slow disk: ${name} ${(performance.now() - before).toFixed(0)} ms`);
  };
  const got = async (path: string): Promise<void> =>
    assert.equal(
      (
        await fetch(`${url}${path}`).then(async (response) => {
          await response.arrayBuffer();
          return response;
        })
      ).status,
      200,
      path,
    );
  for (let round = 0; round < 5; round++) await timed('health', () => got('/healthz'));
  await timed('page', () => got('/'));
  await timed('history', () => client.call('chat.history', { sessionKey: 'main' }));
  await timed('stream', async () => {
    model.say('two ');
    await chat(({ runId, message }) => runId === 'talk' && JSON.stringify(message).includes('two'));
  });
  await timed('stop', async () =>
    assert.deepEqual(await client.call('chat.send', { sessionKey: 'main', message: '/stop', idempotencyKey: 'stop' }), {
      ok: true,
      aborted: true,
      runIds: ['talk'],
    }),
  );
  assert.deepEqual(order, [...Array.from({ length: 5 }, () => 'health'), 'page', 'history', 'stream', 'stop']);
  await timed('accepted', () => accepted);
  await timed('stopped', () => chat(({ runId, state }) => runId === 'talk' && state === 'aborted'));
});

test('what was made is there by its name after a power cut: each new folder, and those of the journal and the transcript, are synced', {
  skip,
}, async () => {
  await using home = await tempDir('names');
  await using model = await startTalker();
  const state = join(home.path, 'deep', 'state');
  await mkdir(join(home.path, '.clawdbot'));
  await writeFile(
    join(home.path, '.clawdbot', 'clawdbot.json'),
    JSON.stringify(withModel({ session: { store: join(state, '{agentId}', 'sessions.json') } }, model.url)),
  );
  const list = join(home.path, 'syncs');
  await using gateway = await startProcess(home.path, [
    strace!,
    '-f',
    '-y',
    '--seccomp-bpf',
    '-qq',
    '-e',
    'trace=fsync,fdatasync',
    '-e',
    'signal=none',
    '-o',
    list,
  ]);
  await using client = await connectGateway({ url: `ws://127.0.0.1:${gateway.port}`, token: gateway.token });
  await client.call('chat.send', { sessionKey: 'main', message: 'hello', idempotencyKey: 'hello' });
  await model.asked;
  model.finish('hi');
  assert.equal(
    (await client.call<{ status: string }>('agent.wait', { runId: 'hello', timeoutMs: 60_000 })).status,
    'ok',
  );
  const wanted = [join(home.path, '.clawdbot'), join(home.path, 'deep'), state, join(state, 'main')];
  const missing = async (): Promise<readonly string[]> => {
    const seen = await readFile(list, 'utf8');
    return wanted.filter((path) => !seen.includes(`<${path}>`));
  };
  await until(async () => (await missing()).length === 0, `syncs of ${wanted.join(', ')}`).catch(async () =>
    assert.deepEqual(await missing(), []),
  );
});
