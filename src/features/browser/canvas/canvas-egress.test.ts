/** Network access of the canvas window: the canvas paths of the gateway, and nothing else on this machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../core/log.ts';
import { createNetGuard } from '../../../platform/net/guard/guard.ts';
import { createCanvasEgress } from './canvas-egress.ts';

const guard = createNetGuard({
  rules: () => ({ allowHosts: [], allowRanges: [] }),
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});
const at = (port: number | undefined) =>
  createCanvasEgress({ guard, log: silentLog, upstream: () => 'http://proxy.example:3128', port: () => port });
const isLet = async (url: string, port: number | undefined = 18789): Promise<boolean> =>
  (await at(port).guard.check(url)).ok;

test('of the gateway the paths of canvases alone are let through, and nothing else of this machine', async () => {
  assert.ok(await isLet('http://127.0.0.1:18789/__clawdbot__/a2ui/token/'));
  assert.ok(await isLet('http://127.0.0.1:18789/__openclaw__/canvas/x.html'));
  for (const url of [
    'http://127.0.0.1:18789/',
    'http://127.0.0.1:18789/config',
    'http://127.0.0.1:18789/__clawdbot__/../config',
    'http://127.0.0.1:18789/__clawdbot__/%2e%2e/config',
    'http://127.0.0.1:18789/__clawdbot__',
    'http://127.0.0.1:18790/__clawdbot__/a2ui/token/',
    'https://127.0.0.1:18789/__clawdbot__/a2ui/token/',
    'http://localhost:18789/__clawdbot__/a2ui/token/',
    'http://[::1]:18789/__clawdbot__/a2ui/token/',
    'http://rebound.example:18789/__clawdbot__/a2ui/token/',
    'http://127.0.0.1:18789@evil.example/__clawdbot__/',
  ])
    assert.equal(await isLet(url), false, url);
  assert.equal((await at(undefined).guard.check('http://127.0.0.1:18789/__clawdbot__/a2ui/t/')).ok, false);
});

test('the gateway is reached directly, everything else by the proxy of the user', () => {
  const { upstream } = at(18789);
  assert.equal(upstream({ protocol: 'http:', hostname: '127.0.0.1', port: 18789 }), undefined);
  assert.equal(upstream({ protocol: 'http:', hostname: 'example.org', port: 80 }), 'http://proxy.example:3128');
});
