import assert from 'node:assert/strict';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { AppError } from '../../../core/errors.ts';
import type { Resolve } from '../../../platform/net/guard/guard.ts';
import { openHarness, skipWithoutChromium, type Harness } from '../harness.ts';
import { HELPERS, SPELLINGS, VECTORS, type Vector } from './address-corpus.ts';

/** Listens on every address of this machine, and records every contact. */
interface Canary extends AsyncDisposable {
  readonly port: number;
  /** Ids of the attempts whose request arrived, and `tcp` or `udp` for contacts without an id. */
  readonly reached: Set<string>;
}

async function openCanary(): Promise<Canary> {
  const reached = new Set<string>();
  const server = createServer((request, response) => {
    reached.add(/n=(\d+)/.exec(request.url ?? '')?.[1] ?? 'tcp');
    response.setHeader('access-control-allow-origin', '*').end('canary');
  });
  server.on('connection', () => reached.add('tcp'));
  server.on('upgrade', (request, socket) => {
    reached.add(/n=(\d+)/.exec(request.url ?? '')?.[1] ?? 'tcp');
    socket.destroy();
  });
  await once(server.listen(0, '::'), 'listening');
  const { port } = server.address() as AddressInfo;
  const udp: UdpSocket = createSocket('udp6', () => reached.add('udp'));
  udp.bind(port, '::');
  await once(udp, 'listening');
  return { port, reached, [Symbol.asyncDispose]: () => closed(server, udp) };
}

async function closed(server: Server, udp: UdpSocket): Promise<void> {
  server.closeAllConnections();
  udp.close();
  await new Promise((resolve) => server.close(resolve));
}

const LOOPBACK = { address: '127.0.0.1', family: 4 } as const;
const PUBLIC = { address: '240.0.0.2', family: 4 } as const;

/**
 * The pages have a host name that may be contacted here; the names in the corpus resolve to this machine in every
 * possible way.
 */
function names(): Resolve {
  const asked = new Map<string, number>();
  return async (name) => {
    const times = (asked.get(name) ?? 0) + 1;
    asked.set(name, times);
    if (name === 'mapped.example') return [{ address: '::ffff:127.0.0.1', family: 6 }];
    if (name === 'mixed.example') return [PUBLIC, LOOPBACK];
    if (name === 'changing.example') return times % 2 === 1 ? [PUBLIC] : [LOOPBACK];
    return [LOOPBACK];
  };
}

describe('addresses pages try to reach', { skip: skipWithoutChromium }, () => {
  let h: Harness;
  let canary: Canary;
  let pages = '';
  before(async () => {
    canary = await openCanary();
    h = await openHarness({}, { resolve: names() });
    pages = `http://pages.example:${h.pages.port}`;
  });
  after(async () => {
    await h[Symbol.asyncDispose]();
    await canary[Symbol.asyncDispose]();
  });

  interface Attempt extends Vector {
    readonly host: string;
  }
  const attempts: readonly Attempt[] = [
    ...VECTORS.map((vector) => ({ ...vector, host: '127.0.0.2:%' })),
    ...SPELLINGS.flatMap((host) =>
      ['fetch', 'img', 'iframe'].map((name) => ({ ...VECTORS.find((vector) => vector.name === name)!, host })),
    ),
  ];
  /** Runs a few at a time; resolves with the number that completed. */
  const tryAll = async (origin: string, attempts: readonly Attempt[]): Promise<number> => {
    await h.call('POST', '/navigate', { url: `${origin}/form`, timeoutMs: 60_000 });
    let ran = 0;
    const AT_ONCE = 20;
    for (let from = 0; from < attempts.length; from += AT_ONCE) {
      const batch = attempts.slice(from, from + AT_ONCE).map(({ code, host: written }, index) => {
        const host = written.replace('%', String(canary.port));
        const url = JSON.stringify(`http://${host}/?n=${from + index}`);
        return `(async (url, host, pages) => { ${code} })(${url}, ${JSON.stringify(host)}, ${JSON.stringify(origin)})`;
      });
      const fn = `${HELPERS} const all = await Promise.allSettled([${batch.join(',')}]); return all.length;`;
      ran += (await h.act({ kind: 'evaluate', fn, timeoutMs: 60_000 })).result;
    }
    return ran;
  };

  test('none of them reaches this machine', async (t) => {
    h.configure({ ssrfPolicy: { allowedHostnames: ['pages.example'] } });
    await h.call('POST', '/tabs/open', { url: `${pages}/form` });
    canary.reached.clear();
    const ran = await tryAll(pages, attempts);
    assert.ok(ran >= 120, String(ran));
    const reached = [...canary.reached];
    t.diagnostic(`addresses from inside a page: ${ran} tried, ${reached.length} reached`);
    assert.deepEqual(
      reached.map((id) => (attempts[Number(id)] ? `${attempts[Number(id)]!.name} ${attempts[Number(id)]!.host}` : id)),
      [],
    );
  });

  test('what they try works where it is allowed', async (t) => {
    h.configure({ ssrfPolicy: { dangerouslyAllowPrivateNetwork: true, allowedHostnames: ['*.example'] } });
    canary.reached.clear();
    await tryAll(pages, attempts.slice(0, VECTORS.length));
    const works = VECTORS.filter((_vector, index) => canary.reached.has(String(index)));
    t.diagnostic(`vectors that reach the canary where allowed: ${works.length} of ${VECTORS.length}`);
    const quiet = VECTORS.filter((vector) => !works.includes(vector)).map(({ name }) => name);
    assert.ok(works.length >= 36, `without effect: ${quiet.join(', ')}`);
  });

  test('a service worker goes through the guard as well', async () => {
    const script = `
      await navigator.serviceWorker.register('/worker.js');
      const { active } = await navigator.serviceWorker.ready;
      const done = new Promise((resolve) => { navigator.serviceWorker.onmessage = resolve; });
      active.postMessage('http://127.0.0.2:${canary.port}/?n=1');
      await done;
      return 'tried';`;
    const tried = async (allowRanges: readonly string[]): Promise<readonly string[]> => {
      h.configure({ ssrfPolicy: { allowRanges } });
      await h.call('POST', '/navigate', { url: `${h.pages.url}/form`, timeoutMs: 60_000 });
      canary.reached.clear();
      assert.equal((await h.act({ kind: 'evaluate', fn: script, timeoutMs: 60_000 })).result, 'tried');
      return [...canary.reached];
    };
    assert.deepEqual(await tried(['127.0.0.1/32']), []);
    assert.ok((await tried(['127.0.0.0/8'])).includes('1'), 'where allowed it reaches the canary');
  });

  test('a page cannot show files, sources or internals in a tab that is read', async () => {
    h.configure({ ssrfPolicy: { allowRanges: ['127.0.0.1/32'] } });
    await h.call('POST', '/navigate', { url: `${h.pages.url}/form`, timeoutMs: 60_000 });
    const schemes = [
      'file:///etc/hostname',
      `view-source:${h.pages.url}/form`,
      'chrome://version',
      'data:text/html,<h1>made up</h1>',
      'about:version',
      'filesystem:http://127.0.0.1/temporary/x',
    ];
    // If a script navigated the page away, the next attempt begins on the page it reached.
    const run = (fn: string): Promise<void> =>
      h.act({ kind: 'evaluate', fn }).then(
        () => undefined,
        (error: AppError) => assert.equal(error.details?.['reason'], 'page_changed', error.message),
      );
    for (const url of schemes) {
      await run(`window.open(${JSON.stringify(url)}); return 1`);
      await run(`setTimeout(() => { location.href = ${JSON.stringify(url)} }); return 1`);
    }
    const redirect = `${h.pages.url}/redirect?status=302&to=${encodeURIComponent('file:///etc/hostname')}`;
    await assert.rejects(h.call('POST', '/navigate', { url: redirect, timeoutMs: 60_000 }));
    const { tabs } = await h.call('GET', '/tabs');
    for (const { url, targetId } of tabs) {
      assert.match(url, /^(?:http:\/\/127\.0\.0\.[12][:/]|about:|chrome-error:|:$|$)/, `scheme of ${url}`);
      const seen = await h.see({ targetId }).catch((error: Error) => error.message);
      assert.doesNotMatch(seen, /made up|chromium|&lt;!doctype/i, `${url} shows ${seen}`);
    }
  });
});
