/** The Control UI, its assets and the avatars over a real socket. */
import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startHttpGateway } from '../../testing/http-gateway.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { normaliseBasePath } from './static-ui.ts';

async function buildUi(root: string): Promise<string> {
  const dir = join(root, 'ui');
  await mkdir(join(dir, 'assets'), { recursive: true });
  await writeFile(join(dir, 'index.html'), '<!doctype html><html><head><title>x</title></head><body></body></html>');
  await writeFile(join(dir, 'assets', 'app-Ab12Cd34.js'), `const x = "${'x'.repeat(3000)}";`);
  await writeFile(join(dir, 'assets', 'big-Ab12Cd34.js'), 'plain');
  await writeFile(join(dir, 'assets', 'big-Ab12Cd34.js.gz'), gzipSync('packed'));
  await writeFile(join(dir, 'icon.svg'), '<svg/>');
  await writeFile(join(root, 'secret.txt'), 'secret');
  await symlink(join(root, 'secret.txt'), join(dir, 'linked.txt'));
  return dir;
}

/** `fetch` would tidy the path up first. */
function rawGet(port: number, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request(
      { port, host: '127.0.0.1', path },
      (response) => void text(response).then((body) => resolve({ status: response.statusCode!, body }), reject),
    )
      .on('error', reject)
      .end();
  });
}

test('the page is served with its settings, at its own addresses too', async () => {
  await using dir = await tempDir('ui');
  await using gateway = await startHttpGateway({ uiDir: await buildUi(dir.path) });
  for (const path of ['/', '/index.html', '/sessions', '/chat/main/abc']) {
    const response = await gateway.fetch(path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    assert.match(response.headers.get('content-security-policy')!, /script-src 'self'(?!.*unsafe-eval)/);
    assert.match(
      await response.text(),
      /<head><base href="\/"><meta name="clawdbot-base-path" content="\/"><meta name="clawdbot-command" content="clawdbot"><meta name="clawdbot-assistant-name" content="Clawd">/,
    );
  }
  const post = await gateway.fetch('/', { method: 'POST' });
  assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD']);
});

test('assets are cached by their hash and compressed', async () => {
  await using dir = await tempDir('ui');
  await using gateway = await startHttpGateway({ uiDir: await buildUi(dir.path) });
  const hashed = await gateway.fetch('/assets/app-Ab12Cd34.js');
  assert.equal(hashed.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(hashed.headers.get('content-encoding'), 'gzip');
  assert.ok(Number(hashed.headers.get('content-length')) < 200);
  assert.equal((await hashed.text()).length, 3013);
  assert.equal(await (await gateway.fetch('/assets/big-Ab12Cd34.js')).text(), 'packed');
  assert.equal(
    await (await gateway.fetch('/assets/big-Ab12Cd34.js', { headers: { 'accept-encoding': 'identity' } })).text(),
    'plain',
  );
  const icon = await gateway.fetch('/icon.svg');
  assert.equal(icon.headers.get('cache-control'), 'no-cache');
  const again = await gateway.fetch('/icon.svg', { headers: { 'if-none-match': icon.headers.get('etag')! } });
  assert.equal(again.status, 304);
  assert.equal((await gateway.fetch('/assets/none.js')).status, 404);
});

test('nothing outside the folder is served', async () => {
  await using dir = await tempDir('ui');
  await using gateway = await startHttpGateway({ uiDir: await buildUi(dir.path) });
  for (const path of [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e%5csecret.txt',
    '/linked.txt',
    '/assets//../../secret.txt',
    '/.%2e/secret.txt',
    '/%00.txt',
    '/%zz.txt',
    '//etc/passwd.txt',
  ]) {
    const { status, body } = await rawGet(gateway.port, path);
    assert.equal(status, 404, path);
    assert.ok(!body.includes('secret\n') && body !== 'secret');
  }
});

test('a base path moves the page and leaves the probes where they are', async () => {
  await using dir = await tempDir('ui');
  await using gateway = await startHttpGateway({
    uiDir: await buildUi(dir.path),
    gateway: { port: 0, controlUi: { basePath: 'ui/' } },
  });
  for (const path of ['/', '/ui']) {
    const response = await gateway.fetch(path, { redirect: 'manual' });
    assert.deepEqual([response.status, response.headers.get('location')], [302, '/ui/']);
  }
  assert.match(await (await gateway.fetch('/ui/sessions')).text(), /<base href="\/ui\/"/);
  assert.equal((await gateway.fetch('/ui/assets/app-Ab12Cd34.js')).status, 200);
  assert.equal((await gateway.fetch('/healthz')).status, 200);
  assert.equal((await gateway.fetch('/elsewhere')).status, 404);
  assert.equal((await gateway.fetch('/ui/avatar/main')).status, 200);
  assert.deepEqual(['', '/', 'a/', '//a//b', '/../a'].map(normaliseBasePath), ['/', '/', '/a', '/a/b', '/a']);
});

test('a missing build is said plainly, a switched-off page is not there', async () => {
  await using missing = await startHttpGateway();
  const response = await missing.fetch('/');
  assert.equal(response.status, 503);
  assert.match(await response.text(), /npm run build/);
  await using off = await startHttpGateway({ gateway: { port: 0, controlUi: { enabled: false } } });
  assert.equal((await off.fetch('/')).status, 404);
});

test('avatars come from the workspace or are drawn', async () => {
  await using dir = await tempDir('ui');
  await writeFile(join(dir.path, 'me.png'), 'png!');
  await using gateway = await startHttpGateway();
  const drawn = await gateway.fetch('/avatar/main');
  assert.equal(drawn.headers.get('content-type'), 'image/svg+xml');
  assert.match(drawn.headers.get('content-security-policy')!, /sandbox/);
  assert.match(await drawn.text(), /🦞/);
  assert.match(await (await gateway.fetch('/avatar/work')).text(), />W</);
  assert.deepEqual(await (await gateway.fetch('/avatar/main?meta=1')).json(), {
    agentId: 'main',
    name: 'Clawd',
    emoji: '🦞',
    avatarUrl: '/avatar/main',
  });
  for (const name of ['nobody', '..', '%2e%2e', 'a/b'])
    assert.equal((await rawGet(gateway.port, `/avatar/${name}`)).status, 404, name);
  const { agents } = gateway.services;
  const avatar = (path: string) =>
    Object.assign(agents, {
      list: () => [{ id: 'main', identity: { avatar: path }, workspace: dir.path, model: 'm' }],
    });
  avatar('./me.png');
  assert.equal(await (await gateway.fetch('/avatar/main')).text(), 'png!');
  for (const path of ['/etc/passwd', '../x.png', '.hidden.png', 'https://example.com/a.png']) {
    avatar(path);
    assert.match(await (await gateway.fetch('/avatar/main')).text(), /<svg/, path);
  }
});
