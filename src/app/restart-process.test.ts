/** Restarts of a real process: accepted signals, draining, notices, and loading new code. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { connectGateway, type GatewayConnection } from '../gateway/client.ts';
import { startFakeModels } from '../testing/fake-models/fake-model-server.ts';
import { withModel } from '../testing/running-gateway.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { until } from '../testing/until.ts';
import { compileCache } from '../testing/compile-cache.ts';
import { built } from '../testing/built.ts';

const MAIN = built('src/main.ts');

async function gateway(config: object = {}) {
  const dir = await tempDir('restart-process');
  const models = await startFakeModels();
  const state = join(dir.path, '.clawdbot');
  await mkdir(state);
  await writeFile(join(state, 'clawdbot.json'), JSON.stringify(withModel(config, models.url)));
  const child: ChildProcess = spawn(
    process.execPath,
    [MAIN, 'gateway', 'run', '--port', '0', '--token', 'test-token-of-sufficient-length'],
    { env: { ...compileCache, HOME: dir.path, PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const seen = { text: '', gone: false };
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (data: Buffer) => void (seen.text += String(data)));
  const ended = once(child, 'exit').then(([code]) => {
    seen.gone = true;
    return code as number | null;
  });
  const saw = (what: RegExp, times = 1): Promise<unknown> =>
    until(() => {
      if ([...seen.text.matchAll(new RegExp(what, 'g'))].length >= times) return true;
      if (seen.gone) throw new Error(`It ended: ${seen.text}`);
      return false;
    }, `${what} in ${seen.text}`);
  const self = {
    child,
    models,
    state,
    ended,
    saw,
    output: () => seen.text,
    async connect(instances = 1): Promise<GatewayConnection> {
      await saw(/Open the web chat/g, instances);
      const port = [...seen.text.matchAll(/ready at http:\/\/127\.0\.0\.1:(\d+)/g)].at(-1)![1];
      return connectGateway({ url: `ws://127.0.0.1:${port}`, token: 'test-token-of-sufficient-length' });
    },
    async [Symbol.asyncDispose]() {
      if (!seen.gone) child.kill('SIGKILL');
      await ended;
      await models[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
  return self;
}

const sentinel = (state: string): string => join(state, 'restart-sentinel.json');

describe('(T184) a signal', () => {
  it('nobody planned is ignored, and the debugger stays shut; one in the place of a planned restart is obeyed once', async () => {
    await using g = await gateway();
    await using first = await g.connect();
    for (const signal of ['SIGUSR1', 'SIGHUP'] as const) {
      g.child.kill(signal);
      await g.saw(new RegExp(`Ignored ${signal}: no restart is planned`));
    }
    assert.equal(((await first.call('health')) as { ok: boolean }).ok, true);
    assert.doesNotMatch(g.output(), /Debugger listening/);
    await first.call('gateway.restart.request', { delayMs: 60_000, sessionKey: 'main', note: 'the note' });
    g.child.kill('SIGUSR1');
    await using second = await g.connect(2);
    assert.match(g.output(), /Restarting: SIGUSR1/);
    assert.equal(((await second.call('health')) as { ok: boolean }).ok, true);
    await assert.rejects(stat(sentinel(g.state)), { code: 'ENOENT' }, 'what was planned has happened, and is told');
    g.child.kill('SIGUSR1');
    await g.saw(/Ignored SIGUSR1/g, 2);
    g.child.kill('SIGTERM');
    assert.equal(await g.ended, 0);
  });

  it('is obeyed at any time where commands.restart says so', async () => {
    await using g = await gateway({ commands: { restart: true } });
    await using _first = await g.connect();
    g.child.kill('SIGHUP');
    await using second = await g.connect(2);
    assert.equal(((await second.call('health')) as { ok: boolean }).ok, true);
    assert.equal([...g.output().matchAll(/Restarting: SIGHUP/g)].length, 1);
  });
});

describe('a planned restart', () => {
  it('(T185) waits for the answer that is being written', async () => {
    await using g = await gateway();
    await using first = await g.connect();
    const rest = Promise.withResolvers<void>();
    g.models.reply({ text: ['half an ', 'answer'], pause: rest.promise });
    const ended = new Promise<any>((resolve) =>
      first.subscribe(({ event, payload }) => {
        const { state } = payload as { state?: string };
        if (event === 'chat' && state !== 'delta') resolve(payload);
      }),
    );
    await first.call('chat.send', { sessionKey: 'main', message: 'tell me', idempotencyKey: 'r1' });
    await until(() => g.models.requests.length === 1, 'the model call');
    await first.call('gateway.restart.request', { delayMs: 0 });
    await g.saw(/Restarting: /);
    rest.resolve();
    const { state, message } = await ended;
    assert.deepEqual([state, message.content[0].text], ['final', 'half an answer']);
    await using second = await g.connect(2);
    const { messages } = await second.call<{ messages: { role: string; content: any }[] }>('chat.history', {
      sessionKey: 'main',
      limit: 10,
    });
    assert.equal(messages.length, 2);
    assert.equal(g.models.requests.length, 1, 'the model was asked once');
  });

  it('(T183) asked for twice is one', async () => {
    await using g = await gateway();
    await using first = await g.connect();
    await Promise.all([
      first.call('gateway.restart.request', { delayMs: 100 }),
      first.call('gateway.restart.request', { delayMs: 50, reason: 'again' }),
    ]);
    await using second = await g.connect(2);
    await second.call('health');
    assert.equal([...g.output().matchAll(/Restarting: /g)].length, 1);
  });
});

describe('new code', () => {
  const SCRIPT = `
    import { readFileSync } from 'node:fs';
    import { reExec } from ${JSON.stringify(join(import.meta.dirname, '..', 'platform', 're-exec.ts'))};
    const { code } = await import(process.env.CODE);
    console.log(JSON.stringify({ pid: process.pid, code, args: process.argv.slice(2), secret: process.env.KEPT, again: process.env.AGAIN ?? '0' }));
    if (!process.env.AGAIN) {
      const { writeFileSync } = await import('node:fs');
      writeFileSync(new URL(process.env.CODE), 'export const code = "new";');
      process.exitCode = await reExec({ execPath: process.execPath, args: [...process.execArgv, ...process.argv.slice(1)], vars: { ...process.env, AGAIN: '1' } });
    } else process.exitCode = 7;
  `;

  it('is what runs after it, in the same process with the same words, and its exit code counts', {
    skip: process.platform === 'win32' ? 'a process is replaced on POSIX only' : false,
  }, async () => {
    await using dir = await tempDir('anew');
    const [script, code] = [join(dir.path, 'main.ts'), join(dir.path, 'code.mjs')];
    await writeFile(script, SCRIPT);
    await writeFile(code, 'export const code = "old";');
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', script, 'gateway', 'run', '--port', '1'],
      { env: { PATH: process.env['PATH'], CODE: `file://${code}`, KEPT: 'yes' }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let text = '';
    child.stdout.on('data', (data: Buffer) => void (text += String(data)));
    const [exit] = await once(child, 'exit');
    const [before, after] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { pid: number; code: string; args: string[]; secret: string });
    assert.deepEqual(
      [exit, before!.code, after!.code, after!.pid, after!.args, after!.secret],
      [7, 'old', 'new', before!.pid, ['gateway', 'run', '--port', '1'], 'yes'],
    );
    assert.match(await readFile(code, 'utf8'), /new/);
  });
});
