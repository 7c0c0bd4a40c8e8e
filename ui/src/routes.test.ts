/** Addresses: pages under any base path, and the address of the gateway. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayAddress, PAGES, parseRoute, routeAddress } from './routes.ts';

test('the base path is what stands before the page', () => {
  const pages = [...PAGES, 'toys'];
  const cases: [string, string, string | undefined][] = [
    ['/', '', 'chat'],
    ['/index.html', '', 'chat'],
    ['/chat', '', 'chat'],
    ['/Overview', '', 'overview'],
    ['/logs/', '', 'logs'],
    ['/processes', '', 'processes'],
    ['/toys', '', 'toys'],
    ['/apps/claw/', '/apps/claw', 'chat'],
    ['/apps/claw/index.html', '/apps/claw', 'chat'],
    ['/apps/claw/config', '/apps/claw', 'config'],
    ['/nonsense', '', undefined],
    ['/apps/claw/nonsense', '/apps/claw', undefined],
  ];
  for (const [path, base, page] of cases)
    assert.deepEqual([parseRoute(path, '', pages).base, parseRoute(path, '', pages).page], [base, page], path);
});

test('a conversation has an address', () => {
  const address = routeAddress('/x', 'chat', 'agent:main:telegram:dm:+49 1');
  assert.equal(address, '/x/?session=agent:main:telegram:dm:%2B49%201');
  assert.equal(parseRoute('/x/', address.slice(3), PAGES).session, 'agent:main:telegram:dm:+49 1');
  assert.equal(routeAddress('', 'logs'), '/logs');
  assert.equal(routeAddress('', 'processes', 'calm-harbor'), '/processes?id=calm-harbor');
  assert.equal(routeAddress('/x', 'toys', 'a1'), '/x/toys?id=a1');
});

test('another gateway is told apart from the own one', () => {
  const at = (search: string) => gatewayAddress({ protocol: 'https:', host: 'claw.example', search }, '/x');
  assert.deepEqual(at(''), { url: 'wss://claw.example/x/' });
  assert.deepEqual(at('?gatewayUrl=wss://evil.example/'), {
    url: 'wss://claw.example/x/',
    foreign: 'wss://evil.example/',
  });
  assert.deepEqual(at('?gatewayUrl=wss://claw.example/x/'), { url: 'wss://claw.example/x/' });
  assert.deepEqual(at('?gatewayUrl=javascript:alert(1)'), { url: 'wss://claw.example/x/' });
});
