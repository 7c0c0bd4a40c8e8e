/** The gateway as a process: one per state directory, restart in place, clear errors when it cannot start. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { connectGateway } from '../../src/gateway/client.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { compileCache } from '../../src/testing/compile-cache.ts';
import { built } from '../../src/testing/built.ts';

interface Gateway extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly output: () => string;
  ready(times?: number): Promise<{ port: number; token: string }>;
  ended: Promise<number | null>;
}

function run(home: string, args: readonly string[] = ['--port', '0']): Gateway {
  const child = spawn(process.execPath, [built('src/main.ts'), 'gateway', 'run', ...args], {
    env: { ...compileCache, HOME: home, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const changed = new EventTarget();
  const take = (data: Buffer): void => {
    text += data;
    changed.dispatchEvent(new Event('text'));
  };
  child.stdout!.on('data', take);
  child.stderr!.on('data', take);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return {
    child,
    ended,
    output: () => text,
    async ready(times = 1) {
      for (;;) {
        const found = [...text.matchAll(/web chat: http:\/\/127\.0\.0\.1:(\d+)\/ /g)];
        if (found.length >= times)
          return {
            port: Number(found.at(-1)![1]),
            token: readFileSync(join(home, '.clawdbot', 'gateway.token'), 'utf8').trim(),
          };
        await Promise.race([
          once(changed, 'text'),
          ended.then(() => {
            throw new Error(`It ended: ${text}`);
          }),
        ]);
      }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('the process', () => {
  it('generates a token, keeps its files private, answers, and ends cleanly', async () => {
    await using home = await tempDir('process');
    await using gateway = run(home.path);
    const { port, token } = await gateway.ready();
    assert.ok(token.length >= 32);
    const state = join(home.path, '.clawdbot');
    assert.equal(statSync(state).mode & 0o777, 0o700);
    for (const file of ['journal.sqlite', 'gateway.token', 'gateway.lock'])
      assert.equal(statSync(join(state, file)).mode & 0o077, 0, `${file} is readable by others`);
    await using client = await connectGateway({ url: `ws://127.0.0.1:${port}`, token });
    assert.equal(((await client.call('health')) as any).ok, true);
    gateway.child.kill('SIGTERM');
    assert.equal(await gateway.ended, 0);
    assert.ok(!gateway.output().includes(token), 'what is no terminal may keep what it reads');
  });

  it('restarts in place on SIGUSR1 and by request, on the same port, and the lock stays held', async () => {
    await using home = await tempDir('process');
    await mkdir(join(home.path, '.clawdbot'));
    await writeFile(join(home.path, '.clawdbot', 'clawdbot.json'), JSON.stringify({ commands: { restart: true } }));
    await using gateway = run(home.path);
    const first = await gateway.ready();
    gateway.child.kill('SIGUSR1');
    const second = await gateway.ready(2);
    assert.deepEqual(second, first);
    const client = await connectGateway({ url: `ws://127.0.0.1:${second.port}`, token: second.token });
    const reported = new Promise<any>((resolve) =>
      client.subscribe((frame) => {
        if (frame.event === 'shutdown') resolve(frame.payload);
      }),
    );
    gateway.child.kill('SIGUSR1');
    assert.ok((await reported).restartExpectedMs > 0, 'clients are told that it comes back');
    await gateway.ready(3);
    assert.equal(gateway.child.exitCode, null);
  });

  it('ends on SIGTERM, also one that comes right behind a restart', async () => {
    await using home = await tempDir('process');
    await using gateway = run(home.path);
    await gateway.ready();
    for (const signal of ['SIGUSR1', 'SIGUSR1', 'SIGTERM'] as const) {
      gateway.child.kill(signal);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(await gateway.ended, 0);
  });

  it('moves to another port when the configuration says so', async () => {
    await using home = await tempDir('process');
    const state = join(home.path, '.clawdbot');
    const free = async (): Promise<number> => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      await new Promise((resolve) => server.close(resolve));
      return port;
    };
    const [before, after] = [await free(), await free()];
    await mkdir(state);
    await writeFile(join(state, 'clawdbot.json'), JSON.stringify({ gateway: { port: before } }));
    await using gateway = run(home.path, []);
    assert.equal((await gateway.ready()).port, before);
    await writeFile(join(state, 'clawdbot.json'), JSON.stringify({ gateway: { port: after } }));
    assert.equal((await gateway.ready(2)).port, after);
  });

  it('refuses a second gateway on one state directory, naming the first', async () => {
    await using home = await tempDir('process');
    await using gateway = run(home.path);
    await gateway.ready();
    await using second = run(home.path);
    assert.equal(await second.ended, 1);
    assert.match(second.output(), new RegExp(`already running.*${gateway.child.pid}`));
  });

  it('takes over from one that was killed', async () => {
    await using home = await tempDir('process');
    {
      await using gateway = run(home.path);
      await gateway.ready();
      gateway.child.kill('SIGKILL');
      await gateway.ended;
    }
    await using next = run(home.path);
    await next.ready();
  });

  it('says which port is taken and what to do', async () => {
    await using home = await tempDir('process');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      await using gateway = run(home.path, ['--port', String(port)]);
      assert.equal(await gateway.ended, 1);
      assert.match(gateway.output(), new RegExp(`${port}`));
      assert.match(gateway.output(), /--port|in use|taken/);
    } finally {
      server.close();
    }
  });

  it('refuses a bind address that is not one, instead of widening it', async () => {
    await using home = await tempDir('process');
    await using gateway = run(home.path, ['--port', '0', '--bind', 'custom']);
    assert.equal(await gateway.ended, 1);
    assert.match(gateway.output(), /customBindHost|bind/);
  });
});
