import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { silentLog } from '../../../core/log.ts';
import { createEgressProxy } from '../../../platform/net/egress/egress-proxy.ts';
import { createNetGuard } from '../../../platform/net/guard/guard.ts';
import { linkHarness, linksConfig, type LinkHarness } from './fake.ts';

/** A Node program of today: goes through the proxy of its environment, here follows redirects too. */
const FETCHER = `
const get = (url) => require('node:http').get(url, (response) => {
  if (response.headers.location) return get(response.headers.location);
  if (response.statusCode !== 200) { console.error(response.statusCode); process.exit(1); }
  response.pipe(process.stdout);
});
get(process.argv[1]);`;
const config = linksConfig({ models: [{ command: process.execPath, args: ['-e', FETCHER, '{{LinkUrl}}'] }] });

interface Site extends AsyncDisposable {
  readonly harness: LinkHarness;
  readonly origin: string;
}

/** A site on this machine that the rules let in by name, a guard whose DNS the test plays, the real proxy. */
async function site(answer: RequestListener, resolve: (name: string) => readonly string[]): Promise<Site> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const rules = () => ({ allowHosts: ['site.example'], allowRanges: [] });
  const guard = createNetGuard({
    rules,
    resolve: async (name) => resolve(name).map((address) => ({ address, family: 4 as const })),
  });
  const proxy = createEgressProxy({ guard, log: silentLog, upstream: () => undefined });
  const harness = await linkHarness({ guard, proxy, rules });
  return {
    harness,
    origin: `http://site.example:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await proxy.close();
      server.close();
      await harness[Symbol.asyncDispose]();
    },
  };
}

test('a page is read through the proxy, and where it came from is recorded', async () => {
  await using here = await site(
    (_request, response) => response.end('the page'),
    () => ['127.0.0.1'],
  );
  const { notes, decision } = await here.harness.links(`see ${here.origin}/x`, config);
  assert.equal(notes[0]!.text, 'the page');
  assert.deepEqual(
    decision.urls[0]!.chosen!.reached!.map(({ host, address }) => [host, address]),
    [['site.example', '127.0.0.1']],
  );
});

test('a redirect to the metadata service of a cloud ends at the proxy', async () => {
  await using here = await site(
    (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    () => ['127.0.0.1'],
  );
  const { notes, decision } = await here.harness.links(`see ${here.origin}/x`, config);
  const [attempt] = decision.urls[0]!.attempts;
  assert.deepEqual([notes, attempt!.outcome], [[], 'failed']);
  assert.deepEqual(
    attempt!.reached!.map(({ host, blocked }) => [host, blocked !== undefined]),
    [
      ['site.example', false],
      ['169.254.169.254', true],
    ],
  );
});

test('a name that turns private between the check and the fetch ends at the proxy', async () => {
  let asked = 0;
  await using here = await site(
    () => assert.fail('it was reached'),
    (name) => (name === 'turns.example' ? [asked++ === 0 ? '93.184.216.34' : '127.0.0.1'] : []),
  );
  const { decision } = await here.harness.links(here.origin.replace('site.', 'turns.'), config);
  const [attempt] = decision.urls[0]!.attempts;
  assert.equal(attempt!.outcome, 'failed');
  assert.deepEqual(
    attempt!.reached!.map(({ host, address, blocked }) => [host, address, blocked !== undefined]),
    [['turns.example', undefined, true]],
  );
});
