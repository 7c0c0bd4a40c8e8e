// What the canvas window of a node reaches: of the gateway the paths of canvases alone, and no other private address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCanvasAccess } from './canvas-reach.ts';

const at = (url: string, address = '127.0.0.1') =>
  createCanvasAccess({ url, vars: {}, resolve: async () => [{ address, family: 4 }] });
const TOKEN_PATH = '/__clawdbot__/a2ui/token/';

test('plain HTTP: the guard itself lets only the paths of canvases of the gateway through', async () => {
  const reach = at('ws://10.0.0.5:18789');
  const isLet = async (url: string): Promise<boolean> => (await reach.guard.check(url)).ok;
  assert.ok(await isLet(`http://10.0.0.5:18789${TOKEN_PATH}`));
  for (const url of [
    'http://10.0.0.5:18789/',
    'http://10.0.0.5:18789/__clawdbot__/../config',
    'http://10.0.0.5:18789/__clawdbot__/%2e%2e/config',
    `http://10.0.0.5:18790${TOKEN_PATH}`,
    `https://10.0.0.5:18789${TOKEN_PATH}`,
    `http://10.0.0.6:18789${TOKEN_PATH}`,
    `http://rebound.example:18789${TOKEN_PATH}`,
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
  ])
    assert.equal(await isLet(url), false, url);
});

test('TLS: the tunnel is to the gateway alone, and the page requests nothing there but canvases', async () => {
  const reach = at('wss://desk.example', '192.168.1.9');
  assert.ok((await reach.guard.check('https://desk.example/')).ok, 'a tunnel has no path');
  assert.equal((await reach.guard.check('https://other.example/')).ok, false, 'a private address of another name');
  assert.ok(reach.mayRequest(`https://desk.example${TOKEN_PATH}`));
  for (const path of ['/', '/config', '/node/', '/__clawdbot__/%2e%2e/config', '/__clawdbot__/../tools'])
    assert.equal(reach.mayRequest(`https://desk.example${path}`), false, path);
  assert.ok(reach.mayRequest('https://example.org/anything'));
});

test('addresses: pages, and paths of the canvas host', () => {
  const reach = at('ws://10.0.0.5:18789');
  assert.equal(reach.addressOf(TOKEN_PATH), `http://10.0.0.5:18789${TOKEN_PATH}`);
  assert.equal(reach.addressOf('https://example.org/a?b'), 'https://example.org/a?b');
  for (const written of [
    '/',
    '/config',
    '/__clawdbot__/../config',
    '/__clawdbot__/%2e%2E/config',
    'http://10.0.0.5:18789/config',
    'https://user:word@example.org/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'view-source:https://example.org/',
    '//example.org/',
    'x',
  ])
    assert.equal(reach.addressOf(written), undefined, written);
});
